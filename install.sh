#!/bin/sh
# Install anchormem into an environment of its own, register it with Claude Code and show that it works.
# `sh install.sh --help` lists the options. Safe to run again. Never needs root.
set -eu

clients="claude cursor codex vscode gemini opencode windsurf zed claude-desktop"

usage() {
    printf '%s\n' "usage: sh install.sh [options]" "" \
        "Installs anchormem into an environment of its own: from the checkout that this script lies in, outside one the" \
        "published package. Then it registers with an agent, runs anchormem doctor and anchormem demo." "" \
        "options:" \
        "  --no-register          leave agents alone" \
        "  --client NAME          register with this one instead of Claude Code; NAME is one of:" \
        "                         $clients" \
        "  --hooks[=edits]        each session starts with what is known; edits: and each edit" \
        "  --statusline           show how many memories there are" \
        "  -h, --help             print this and do nothing" "" \
        "environment:" \
        "  ANCHORMEM_INSTALL_DIR  where the environment goes (default: ~/.local/share/anchormem/env)" \
        "  ANCHORMEM_BIN_DIR      where the command is linked (default: ~/.local/bin)" \
        "  ANCHORMEM_VERSION      version of the published package, when not run from a checkout"
}

say() { printf 'anchormem: %s\n' "$1"; }
fail() { printf 'anchormem: %s\n  %s\n' "$1" "$2" >&2; exit 1; }
refuse() { printf 'anchormem: %s\n  %s\n' "$1" "nothing was installed; sh install.sh --help lists the options" >&2; exit 2; }

for word in "$@"; do
    case $word in -h | --help) usage; exit 0 ;; esac
done
register=yes
last=
for word in "$@"; do
    case $last in
    --client) word=--client=$word ;;
    --hooks) case $word in session | edits) word=--hooks=$word ;; esac ;;
    esac
    last=$word
    case $word in
    --no-register) register=no ;;
    --client | --hooks | --hooks=session | --hooks=edits | --statusline) ;;
    --client=*[!a-z-]*) refuse "no such client: ${word#--client=}" ;;
    --client=*) case " $clients " in *" ${word#--client=} "*) ;; *) refuse "no such client: ${word#--client=}" ;; esac ;;
    *) refuse "unknown option $word" ;;
    esac
done
[ "$last" != --client ] || refuse "--client needs a name"
[ "$register" = yes ] || [ $# -eq 1 ] || refuse "--no-register leaves agents alone, so nothing can stand beside it"

here=$(cd "$(dirname "$0")" && pwd)
env_dir=${ANCHORMEM_INSTALL_DIR:-$HOME/.local/share/anchormem/env}
bin_dir=${ANCHORMEM_BIN_DIR:-$HOME/.local/bin}

if [ -f "$here/pyproject.toml" ] && [ -d "$here/src/anchormem" ]; then
    source=$here
else
    source=anchormem${ANCHORMEM_VERSION:+==$ANCHORMEM_VERSION}
fi

command -v git >/dev/null 2>&1 || fail "git was not found" "Install git, then run this again."
python=
for candidate in python3 python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null 2>&1 &&
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || fail "Python 3.11 or newer was not found" "Install it, then run this again."

# The default place lies in the folder of the stores, which only its owner reads.
[ -n "${ANCHORMEM_INSTALL_DIR:-}" ] || { mkdir -p "${env_dir%/env}" && chmod 700 "${env_dir%/env}"; }
# The interpreter it was made from is gone: its links would stop the new one.
[ -x "$env_dir/bin/python" ] || rm -f "$env_dir"/bin/python*

say "installing into $env_dir"
if command -v uv >/dev/null 2>&1; then
    uv venv --quiet --allow-existing --python "$python" "$env_dir" || fail "uv could not create $env_dir" "Remove that folder, or set ANCHORMEM_INSTALL_DIR."
    uv pip install --quiet --python "$env_dir/bin/python" --reinstall-package anchormem "$source" ||
        fail "the package could not be installed" "The lines above say why; nothing else was changed."
else
    "$python" -m venv "$env_dir" || fail "no environment could be created in $env_dir" "On Debian: apt install python3-venv. Or set ANCHORMEM_INSTALL_DIR."
    "$env_dir/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade "$source" ||
        fail "the package could not be installed" "The lines above say why; nothing else was changed."
    # pip keeps an equal version number: a checkout must replace what is there.
    [ "$source" != "$here" ] || "$env_dir/bin/python" -m pip install --quiet --disable-pip-version-check \
        --force-reinstall --no-deps "$source" || fail "the package could not be installed" "The lines above say why."
fi
"$env_dir/bin/python" -m compileall -q "$env_dir/lib" >/dev/null 2>&1 || say "bytecode could not be compiled; the first start will be slower"

mkdir -p "$bin_dir"
ln -sf "$env_dir/bin/anchormem" "$bin_dir/anchormem"
say "linked $bin_dir/anchormem"
case ":$PATH:" in
*":$bin_dir:"*) ;;
*) say "$bin_dir is not on your PATH; add it, or use the full path" ;;
esac

if [ "$register" = yes ]; then
    "$bin_dir/anchormem" install "$@" || fail "not everything could be registered" "The lines above say what; the program itself is installed. Mend it, then: anchormem install"
fi

# In / and at home there is no project to look at.
project=$here
[ "$source" = "$here" ] || project=$(mktemp -d)
"$bin_dir/anchormem" doctor --root "$project" || fail "doctor found a fault" "See the lines above."
"$bin_dir/anchormem" demo
say "done. In a project, type: anchormem seed CLAUDE.md --dry-run, or start your agent there. The README has a five-minute tour."
