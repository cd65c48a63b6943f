"""The table of commands and the one error boundary around them."""

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from anchormem.cli import COMMANDS, main
from anchormem.cli.command_line import _file

HEAVY = ("tree_sitter", "mcp", "mcp_types", "asyncio", "pydantic", "pathspec", "sqlite3", "anchormem.workspace")


def modules_after(*arguments: str) -> set[str]:
    """What a process has loaded once it has run this command line."""
    code = (
        "import sys, json, io, contextlib\n"
        "from anchormem.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        f"    main({list(arguments)!r})\n"
        "print(json.dumps(list(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("serve", "--help")])
def test_asking_for_help_loads_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert modules_after(*arguments).isdisjoint(HEAVY)


def test_nothing_but_the_server_loads_mcp_or_asyncio() -> None:
    assert modules_after("recall", "--help").isdisjoint({"mcp", "mcp_types", "asyncio", "pydantic"})


def test_the_hook_after_an_edit_parses_without_the_means_of_a_first_index() -> None:
    code = "import sys, json, anchormem.cli.aftermath\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"multiprocessing", "concurrent.futures", "importlib.metadata", "asyncio"}.isdisjoint(
        json.loads(done.stdout)
    )


def test_the_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in COMMANDS)


def test_no_command_at_all_is_a_wrong_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage: anchormem" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_file_of_its_name_and_explains_itself(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    module = import_module(f"anchormem.cli.{_file(name)}")
    assert module.__doc__
    assert module.__doc__.startswith(f"`anchormem {name}`")
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    assert left.value.code == 0
    assert f"usage: anchormem {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["remeber"], "unknown command 'remeber', did you mean remember?"),
        (["zzzzzz"], "unknown command 'zzzzzz'\n"),
        (["list"], "unknown command 'list', did you mean admin list?"),
        (["frget"], "did you mean admin forget?"),
        (["search", "x"], "did you mean recall?"),
        (["--versoin"], "unknown option '--versoin', did you mean --version?"),
        (["--halp"], "unknown option '--halp'"),
        (["recall", "--why-not"], "unknown option '--why-not', did you mean --why?"),
        (["recall", "--kindz", "fact"], "unknown option '--kindz', did you mean --kinds?"),
        (["recall", "--js"], "unknown option '--js', did you mean --json?"),
        (["map", "x", "--budget", "500"], "unknown option '--budget', did you mean --budget-tokens?"),
        (["map"], "the following arguments are required: target"),
        (["recall", "--kinds", "fatc"], '--kinds cannot be "fatc", did you mean fact?'),
        (["recall", "--budget-tokens", "5"], "--budget-tokens is 5, out of range"),
        (["admin"], "the following arguments are required: OPERATION\n"),
        (["admin", "forgte"], 'OPERATION cannot be "forgte", did you mean forget?'),
        (["admin", "forget", "abc", "--exit-code", "1"], "takes no --exit-code: that belongs to reverify"),
        (["admin", "reverify", "abc"], "admin reverify needs --command"),
        (["remember", "a b c"], "--kind is missing"),
        (["remember", "a b c", "--kind", "fact", "--output", "x"], "--command is missing"),
        (["remember", "a b c", "--kind", "fact", "--source", "verified"], "evidence makes it so"),
        (["check", "--format", "xml"], "invalid choice: 'xml'"),
        (["status", "extra"], "unknown argument 'extra'"),
        (["recall", "--root", "/no/such/place"], "/no/such/place"),
    ],
)
def test_a_wrong_call_is_a_line_what_and_a_line_what_to_do(
    arguments: list[str], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("anchormem: ")
    assert what in f"{lines[0]}\n"
    assert lines[1].startswith("  ")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["recall", "how", "large"], "a text of several words stands in quotes"),
        (["remember", "a", "rule", "--kind", "fact"], "a text of several words stands in quotes"),
        (["map", "a.py", "b.py"], "anchormem map --help"),
        (["map"], "target: path, symbol, path::symbol or directory; "),
        (["admin"], "OPERATION: index, status, "),
        (["remember", "x", "--kind", "fact", "--quote", "x"], "it is part of an anchor: --anchor '{"),
        (["remember", "x", "--kind", "fact", "--symbol", "x"], "--anchor takes path::symbol"),
        (["recall", "x", "--quote", "y"], "anchormem recall --help"),
    ],
)
def test_a_typical_slip_is_answered_with_what_to_type(
    arguments: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    _, line = capsys.readouterr().err.splitlines()
    assert line.strip().startswith(hint)


def test_help_about_a_command_is_the_help_of_that_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["help", "map"])
    assert capsys.readouterr().out.startswith("usage: anchormem map ")
    assert main(["help", "mpa"]) == 2


def test_the_help_of_admin_names_the_operations_of_each_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["admin", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "admin OPERATION [id ...] [options]" in shown
    for line in ("--limit N list, history, consolidate", "--command X reverify: what", "--rel X unlink; supports"):
        assert line in shown


@pytest.mark.parametrize("command", ["recall", "remember", "map", "affected", "verify", "admin", "prove"])
def test_every_option_has_a_word_of_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    options = capsys.readouterr().out.split("\noptions:\n")[1].split("\n\n")[0]
    entries = re.split(r"\n  (?=-)", options)
    assert len(entries) > 3
    assert [one for one in entries if not re.search(r"(?:  |\n {20,})\S", one.strip())] == []


def test_no_flag_is_guessed_that_is_not_near(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "list", "--budget", "500"]) == 2
    assert "did you mean" not in capsys.readouterr().err


def test_an_error_is_json_too_when_a_program_asks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", "--json", "--offset", "-1"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["error"]["code"] == "usage"
    assert err.startswith("anchormem: ")


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    child = subprocess.Popen(  # noqa: S602 — a pipe between two processes is the subject
        f"'{sys.executable}' -m anchormem --help | true",
        shell=True,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    _, err = child.communicate(timeout=120)
    assert err == ""


def test_the_module_is_the_command_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "anchormem", "recal"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "did you mean recall?" in done.stderr


def test_started_as_a_module_it_runs_nothing_of_the_repository_it_stands_in(tmp_path: Path) -> None:
    for name in ("queue", "json", "argparse", "sqlite3", "selectors", "mcp", "tree_sitter", "pathlib"):
        (tmp_path / f"{name}.py").write_text(f"open('canary', 'w').write('{name}')\nraise SystemExit('ran {name}')\n")
    (tmp_path / "a.py").write_text("def f():\n    return 1\n")
    for command in (["index"], ["recall", "f"], ["serve"]):
        done = subprocess.run(
            [sys.executable, "-m", "anchormem", *command, "--root", str(tmp_path)],
            cwd=tmp_path,
            input="",
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert not (tmp_path / "canary").exists()


@pytest.mark.parametrize(("form", "start"), [("text", "nothing was checked"), ("github", "::warning ")])
def test_a_check_where_nothing_is_remembered_says_that_nothing_was_checked(
    repository: Path, capsys: pytest.CaptureFixture[str], form: str, start: str
) -> None:
    assert main(["check", "--root", str(repository), "--format", form]) == 0
    said = capsys.readouterr().out
    assert said.startswith(start)
    assert "nothing was checked" in said
    assert "anchormem export writes" in said


def test_a_failure_is_told_where_the_rest_of_the_program_cannot_even_be_loaded(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "sys.modules['anchormem.workspace.session'] = None\n"  # any import of it fails
        "from anchormem.cli import main\n"
        f"sys.exit(main(['status', '--root', {str(tmp_path)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("anchormem: unforeseen ModuleNotFoundError")
    assert "Traceback" not in done.stderr


def test_an_error_does_not_repeat_a_secret_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xYzA0bC1d"
    assert main(["recall", "task", "--kinds", token, "--json"]) == 2
    said = capsys.readouterr()
    assert "github_token" in said.err
    assert token[6:20] not in said.out + said.err
