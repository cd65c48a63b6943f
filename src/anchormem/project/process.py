"""The one place that starts git: with an argument array, no shell, no input but ours, a time limit, and nothing that a
repository or an environment could make it run.

Knows the switches that keep git from running foreign code; knows nothing of what is asked.
"""

import os
from pathlib import Path

from anchormem.errors import AnchormemError, GitFailed
from anchormem.project.root import Root, git_dirs

QUICK_SECONDS = 10.0
LONG_SECONDS = 60.0

# Read plumbing only. `status` and a diff with the work tree run the clean filters a repository brings along.
ALLOWED = frozenset({"ls-files", "rev-parse", "cat-file", "diff-tree", "log", "merge-base"})

# Where a person keeps their own configuration is theirs to say. Every other GIT_ variable (a hook's GIT_DIR and
# GIT_INDEX_FILE, GIT_EXTERNAL_DIFF, GIT_SSH_COMMAND, GIT_TRACE …) would point git elsewhere or run something.
KEPT_VARIABLES = frozenset({"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"})

SET_VARIABLES = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}

SWITCHES = (
    "--no-pager",
    *("-c", "protocol.allow=never"),
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.pager=cat"),
    *("-c", "log.showSignature=false"),  # it would run gpg.program
    *("-c", "core.sshCommand=false"),
    *("-c", "credential.helper="),
)

FAILED_TEXT = 300  # characters of git's own words kept in an error


def run(
    root: Root,
    *arguments: str,
    stdin: bytes = b"",
    seconds: float = QUICK_SECONDS,
    index: Path | None = None,
    accept: tuple[int, ...] = (0,),
) -> tuple[int, bytes]:
    """(exit code, output) of one git command at the root. `index`: another index file. `accept`: codes that answer.

    NotARepository outside git; GitFailed when git is missing, too slow, or exits otherwise.
    """
    import subprocess  # noqa: PLC0415 — a quiet call and most hooks ask git nothing

    git_dirs(root)
    if arguments[0] not in ALLOWED:
        raise AssertionError(f"git {arguments[0]} is not read plumbing")
    # The work tree is named, so that a repository's core.worktree cannot point git at another folder. The git directory
    # is left for git to find, because only then does git check who owns it (safe.directory).
    command = [executable(), *SWITCHES, f"--work-tree={root.path}", *arguments]
    try:
        done = subprocess.run(
            command,
            cwd=root.path,
            env=_environment(index),
            input=stdin,
            capture_output=True,
            timeout=seconds,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except subprocess.TimeoutExpired as late:
        raise GitFailed(f"git {arguments[0]} took longer than {seconds:g} s in {root.path}") from late
    except (OSError, ValueError) as failure:
        raise GitFailed(f"git could not be started in {root.path}: {failure}") from failure
    if done.returncode not in accept:
        raise _failure(arguments[0], done.returncode, done.stderr)
    return done.returncode, done.stdout


def executable() -> str:
    """Git's absolute path, from absolute PATH entries alone: a relative one would be looked up in the repository."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        candidate = Path(folder) / name
        if candidate.is_absolute() and candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate)
    raise GitFailed("git is not installed or not on PATH", "install git, or put it on PATH")


def _environment(index: Path | None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in KEPT_VARIABLES}
    kept.update(SET_VARIABLES)
    if index is not None:
        kept["GIT_INDEX_FILE"] = str(index)
    return kept


def _failure(command: str, code: int, stderr: bytes) -> AnchormemError:
    text = stderr.decode("utf-8", "replace").strip()
    words = text.splitlines()[0][:FAILED_TEXT] if text else f"exit code {code}"
    return GitFailed(f"git {command} failed: {words}", _trusting(text))


def _trusting(text: str) -> str:
    """How to tell git that a folder of another owner may be used; git itself writes the line, quoted for a shell."""
    if "safe.directory" not in text:
        return ""
    lines = (line.strip() for line in text.splitlines())
    command = next((line for line in lines if line.startswith("git config")), "")
    return f"another user owns it; if you trust it: {command or 'git config --global --add safe.directory <folder>'}"
