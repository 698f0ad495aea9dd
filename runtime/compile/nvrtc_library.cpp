#include "runtime/compile/nvrtc_library.h"

#include <cstdlib>

namespace mpf {

namespace {

std::vector<std::string> candidateNames() {
  std::vector<std::string> names;
  if (const char *chosen = std::getenv("MPF_NVRTC"); chosen && *chosen)
    return {chosen};
  for (const char *folder : {"", "/usr/local/cuda/lib64/", "/usr/lib/x86_64-linux-gnu/"})
    for (const char *name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
      names.push_back(std::string(folder) + name);
  return names;
}

template <class Function>
bool bind(const DynamicLibrary &library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(library.symbol(name));
  return function != nullptr;
}

} // namespace

NvrtcLibrary openNvrtc() {
  NvrtcLibrary nvrtc;
  nvrtc.library = DynamicLibrary::openFirst(candidateNames());
  const DynamicLibrary &library = nvrtc.library;
  const bool complete = library.isOpen() && bind(library, "nvrtcVersion", nvrtc.version) &&
                        bind(library, "nvrtcGetNumSupportedArchs", nvrtc.numSupportedArchs) &&
                        bind(library, "nvrtcGetSupportedArchs", nvrtc.supportedArchs) &&
                        bind(library, "nvrtcCreateProgram", nvrtc.createProgram) &&
                        bind(library, "nvrtcDestroyProgram", nvrtc.destroyProgram) &&
                        bind(library, "nvrtcCompileProgram", nvrtc.compileProgram) &&
                        bind(library, "nvrtcGetCUBINSize", nvrtc.getCubinSize) &&
                        bind(library, "nvrtcGetCUBIN", nvrtc.getCubin) &&
                        bind(library, "nvrtcGetPTXSize", nvrtc.getPtxSize) &&
                        bind(library, "nvrtcGetPTX", nvrtc.getPtx) &&
                        bind(library, "nvrtcGetProgramLogSize", nvrtc.getLogSize) &&
                        bind(library, "nvrtcGetProgramLog", nvrtc.getLog) &&
                        bind(library, "nvrtcGetErrorString", nvrtc.errorString);
  if (!complete)
    nvrtc.library = DynamicLibrary();
  return nvrtc;
}

std::string nvrtcMissingMessage() {
  return "libnvrtc was not found: install the CUDA toolkit 12 or newer (or the Python package "
         "nvidia-cuda-nvrtc) and set MPF_NVRTC to the library's path if it is in no usual place";
}

} // namespace mpf
