#!/bin/sh
# Install anchormem into an environment of its own, register it with Claude Code and show that it works.
#   sh install.sh            from a checkout, or (outside one) the published package
#   sh install.sh --no-register   leave agents alone
# Other words go to `anchormem install`: --hooks, --statusline, --client NAME.
# ANCHORMEM_INSTALL_DIR  where the environment goes   (default: ~/.local/share/anchormem/env)
# ANCHORMEM_BIN_DIR      where the command is linked  (default: ~/.local/bin)
# ANCHORMEM_VERSION      version of the published package, when not run from a checkout
# Safe to run again. Never needs root.
set -eu

say() { printf 'anchormem: %s\n' "$1"; }
fail() { printf 'anchormem: %s\n  %s\n' "$1" "$2" >&2; exit 1; }

register=yes
if [ "${1:-}" = --no-register ]; then
    register=no
    shift
    [ $# -eq 0 ] || fail "unknown option $1" "--no-register leaves agents alone, so nothing can follow it."
fi

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
