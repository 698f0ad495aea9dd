#include "runtime/compile/nvrtc_library.h"

namespace mpf {

namespace {

LibraryChoice choose() {
  std::vector<std::string> names;
  for (const char *folder : {"", "/usr/local/cuda/lib64/", "/usr/lib/x86_64-linux-gnu/"})
    for (const char *name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
      names.push_back(std::string(folder) + name);
  return chooseLibrary("MPF_NVRTC", names);
}

} // namespace

NvrtcLibrary openNvrtc() {
  NvrtcLibrary nvrtc;
  nvrtc.library = DynamicLibrary::openFirst(choose().candidates);
  const DynamicLibrary &library = nvrtc.library;
  const bool complete = library.isOpen() && library.bind("nvrtcVersion", nvrtc.version) &&
                        library.bind("nvrtcGetNumSupportedArchs", nvrtc.numSupportedArchs) &&
                        library.bind("nvrtcGetSupportedArchs", nvrtc.supportedArchs) &&
                        library.bind("nvrtcCreateProgram", nvrtc.createProgram) &&
                        library.bind("nvrtcDestroyProgram", nvrtc.destroyProgram) &&
                        library.bind("nvrtcCompileProgram", nvrtc.compileProgram) &&
                        library.bind("nvrtcGetCUBINSize", nvrtc.getCubinSize) &&
                        library.bind("nvrtcGetCUBIN", nvrtc.getCubin) &&
                        library.bind("nvrtcGetPTXSize", nvrtc.getPtxSize) &&
                        library.bind("nvrtcGetPTX", nvrtc.getPtx) &&
                        library.bind("nvrtcGetProgramLogSize", nvrtc.getLogSize) &&
                        library.bind("nvrtcGetProgramLog", nvrtc.getLog) &&
                        library.bind("nvrtcGetErrorString", nvrtc.errorString);
  if (!complete)
    nvrtc.library = DynamicLibrary();
  return nvrtc;
}

std::string nvrtcMissingMessage() {
  const LibraryChoice choice = choose();
  if (!choice.fault.empty())
    return choice.fault;
  const std::string named = choice.named.empty() ? ""
                                                 : " (MPF_NVRTC names " + choice.named +
                                                       ", which cannot be opened or is too old)";
  return "libnvrtc was not found" + named +
         ": install the CUDA toolkit 12 or newer (or the Python package nvidia-cuda-nvrtc) and set "
         "MPF_NVRTC to the library's path if it is in no usual place";
}

} // namespace mpf
