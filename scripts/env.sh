# Sourced by every script: goes to the clone's root and makes its environment, once per change of pyproject.toml.
# Needs Python >= 3.11 with pip, nothing else. CI_CACHE moves the cache; TOOLGRAFT_VENV takes an environment of
# your own, which is used as it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "${CI_CACHE:-.cache}"
cache="$(cd "${CI_CACHE:-.cache}" && pwd)"
export TOOLGRAFT_REAL_SERVERS="${TOOLGRAFT_REAL_SERVERS:-$cache/real-servers}"
export TOOLGRAFT_CONFORMANCE="${TOOLGRAFT_CONFORMANCE:-$cache/conformance}"
export TOOLGRAFT_PROVIDERS="${TOOLGRAFT_PROVIDERS:-$cache/providers}"

find_python() {
  local each
  for each in "${PYTHON:-python3}" python python3.14 python3.13 python3.12 python3.11; do
    if "$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      "$each" -c 'import sys; print(sys.executable)'
      return
    fi
  done
  echo "toolgraft needs Python 3.11 or later; name one with PYTHON=/path/to/python" >&2
  return 1
}

make_venv() { # folder; some systems ship Python without venv's ensurepip
  rm -rf "$1"
  "$python" -m venv "$1" 2>/dev/null && return
  rm -rf "$1"
  "$python" -m pip install --quiet --target "$cache/virtualenv" virtualenv
  PYTHONPATH="$cache/virtualenv" "$python" -m virtualenv --quiet "$1"
}

use_pip_index() { # uv does not read pip's configuration, so that a mirror has to be told to it
  local index
  index="$("$venv/bin/python" -m pip config list | sed -n "s/^.*[.]index-url='\(.*\)'\$/\1/p" | tail -n 1)"
  if [ -n "$index" ]; then export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX:-$index}"; fi
}

install() { # with uv, which takes seconds, or with pip where uv does not get through
  "$venv/bin/python" -m pip install -qq --disable-pip-version-check uv &&
    "$venv/bin/python" -m uv pip install --quiet --python "$venv/bin/python" "$@" && return
  "$venv/bin/python" -m pip install -qq --disable-pip-version-check "$@"
}

venv="${TOOLGRAFT_VENV:-$cache/venv}"
unset PYTHONPATH PYTHONHOME
if [ -z "${TOOLGRAFT_VENV:-}" ]; then
  python="$(find_python)"
  wanted="$("$python" -V) $(pwd) $(cksum <pyproject.toml)"
  if [ "$(cat "$venv/installed" 2>/dev/null || true)" != "$wanted" ]; then
    echo "installing into $venv" >&2
    make_venv "$venv"
    use_pip_index
    install --editable '.[dev]'
    echo "$wanted" >"$venv/installed"
  fi
fi
use_pip_index
export PATH="$venv/bin:$PATH"
