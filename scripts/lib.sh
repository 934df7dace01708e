# Shared by the scripts of this folder; source it. Leaves the shell in the root of the tree.
set -euo pipefail
case "${1:-}" in  # of the script: its head says what it does
  -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[1]}"; exit ;;
esac
export LC_ALL=C.UTF-8 LANG=C.UTF-8  # ccache tells languages apart, so both are given
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '\n== %s\n' "$*"; }
die() { printf '%s\n' "$*" >&2; exit 1; }

# Debian 12 and Ubuntu 24.04 packages: for the whole host build, and what CI needs on top.
packages_host=(g++ cmake ninja-build ccache git python3 libgtest-dev libbenchmark-dev
  libboost-context-dev libthrust-dev libeigen3-dev libcli11-dev zlib1g-dev libcurl4-openssl-dev)
packages_clang=(clang libomp-dev)
case $(. /etc/os-release 2> /dev/null && echo "${VERSION_CODENAME:-}") in  # the sanitizers' runtime
  bookworm) packages_clang+=(libclang-rt-14-dev) ;;
  noble) packages_clang+=(libclang-rt-18-dev) ;;
esac
packages_ci=("${packages_clang[@]}" clang-format-14 codespell debootstrap)
packages_plots=(python3-matplotlib)

installed() { dpkg-query -W -f '${Status}' "$1" 2> /dev/null | grep -q ' installed$'; }

# need_packages NAME…: installs what is missing, or says how to when we may not.
need_packages() {
  local missing=() name
  if ! command -v dpkg-query > /dev/null; then
    echo "This is neither Debian nor Ubuntu; going on with the libraries that CMake finds." >&2
    return
  fi
  for name in "$@"; do installed "$name" || missing+=("$name"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ]; then
    die "Some packages are missing. Install them, then run this again:
  sudo apt-get install ${missing[*]}"
  fi
  say "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -q -o Acquire::Retries=5 update < /dev/null
  apt-get -qy -o Acquire::Retries=5 install --no-install-recommends "${missing[@]}" < /dev/null
}

# Compiling twice what did not change is the largest waste there is.
use_ccache() {
  if command -v ccache > /dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
    export CCACHE_DIR=${CCACHE_DIR:-$LOOPS_CACHE/ccache} CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-5G}
    # Clones in different folders share what they compiled.
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
    # Without this it does not cache what reads precompiled headers.
    export CCACHE_SLOPPINESS=pch_defines,time_macros
  fi
}

export LOOPS_CACHE=${LOOPS_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/loops}
jobs=${LOOPS_JOBS:-$(nproc)}
# LOOPS_QUICK=1: the command and the benchmarks only have to run, so optimizing them is a waste.
quick=(${LOOPS_QUICK:+-DLOOPS_QUICK=ON})
