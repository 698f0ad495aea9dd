# Sourced by tools/test and tools/demo: installs what is missing on Debian 12 or Ubuntu, says so.

readonly kBuildPackages="g++ cmake ninja-build libfmt-dev libcli11-dev nlohmann-json3-dev zlib1g-dev
  liblzma-dev libzstd-dev libxxhash-dev libexpat1-dev libmimalloc-dev"
# llvm-19-tools: lit and FileCheck. clang-19 with its run-time library: the fuzzers. zsh and fish:
# their completion is tested. mandoc checks the man page. pkg-config finds the
# library for C. The Python package is built with python3-dev.
readonly kTestPackages="python3 python3-numpy python3-dev python3-venv libgtest-dev libboost-context-dev llvm-19-tools clang-19
  libclang-rt-19-dev clang-format-14 zsh fish mandoc pkg-config"

# Programs whose answers tests compare with; without them those tests are skipped.
readonly kPeerPackages="fastlink toulbar2"

# A browser for the pages of `mpfc explain --html`; tests that load them are skipped without one.
readonly kBrowserPackages="chromium"

# mpfc check-kernel: Clang reads kernels that somebody edited.
readonly kToolingPackages="llvm-19-dev libclang-19-dev libclang-cpp19-dev"

say() { printf '== %s\n' "$*"; }

# asRoot COMMAND...: as we are when root, else through sudo.
asRoot() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# installPackages NAME...: only those that are missing; nothing to do needs neither root nor network.
installPackages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
      missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing with apt-get: ${missing[*]}"
  asRoot apt-get update -qq
  asRoot env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null
}

# findNvrtc: 0 when the CUDA run-time compiler can be opened as it is.
findNvrtc() {
  python3 - <<'PYTHON'
import ctypes
import sys
for name in ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"):
    try:
        ctypes.CDLL(name)
        sys.exit(0)
    except OSError:
        pass
sys.exit(1)
PYTHON
}

# provideNvrtc FOLDER: without a CUDA toolkit, unpacks NVIDIA's wheel of the compiler (about 90 MB)
# there and puts it on the library path. Kernels are then compiled in the tests without a GPU.
# Without network the tests that need it are skipped.
provideNvrtc() {
  findNvrtc && return 0
  local folder=$1 library
  if ! ls "$folder"/nvidia/*/lib/libnvrtc.so.* >/dev/null 2>&1; then
    installPackages python3-pip
    say "fetching NVRTC 13.0 (PyPI: nvidia-cuda-nvrtc) into $folder"
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps \
      --target "$folder" 'nvidia-cuda-nvrtc==13.0.*' || {
      say "no NVRTC: tests that compile CUDA kernels will be skipped"
      return 0
    }
  fi
  library=$(ls "$folder"/nvidia/*/lib/libnvrtc.so.* | head -n 1)
  export LD_LIBRARY_PATH="$(dirname "$library")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}
