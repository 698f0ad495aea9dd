// The functions of NVRTC that mpf calls, found in libnvrtc at run time. No CUDA header is needed.
#pragma once

#include "runtime/compile/dynamic_library.h"

#include <cstddef>
#include <string>
#include <vector>

namespace mpf {

using NvrtcProgram = struct NvrtcProgramOpaque *;

/// Result codes are ints; 0 is success. Thread-safe: NVRTC compiles different programs in parallel.
struct NvrtcLibrary {
  DynamicLibrary library;
  int (*version)(int *major, int *minor) = nullptr;
  int (*numSupportedArchs)(int *count) = nullptr;
  int (*supportedArchs)(int *archs) = nullptr;
  int (*createProgram)(NvrtcProgram *program, const char *source, const char *name, int headerCount,
                       const char *const *headers, const char *const *includeNames) = nullptr;
  int (*destroyProgram)(NvrtcProgram *program) = nullptr;
  int (*compileProgram)(NvrtcProgram program, int optionCount,
                        const char *const *options) = nullptr;
  int (*getCubinSize)(NvrtcProgram program, size_t *bytes) = nullptr;
  int (*getCubin)(NvrtcProgram program, char *cubin) = nullptr;
  int (*getPtxSize)(NvrtcProgram program, size_t *bytes) = nullptr;
  int (*getPtx)(NvrtcProgram program, char *ptx) = nullptr;
  int (*getLogSize)(NvrtcProgram program, size_t *bytes) = nullptr;
  int (*getLog)(NvrtcProgram program, char *log) = nullptr;
  const char *(*errorString)(int code) = nullptr;
};

/// Opens NVRTC: the library that $MPF_NVRTC names, if set (chooseLibrary), else the one on the
/// loader's search path, else one in the usual folders of the CUDA toolkit. When NVRTC is missing
/// or too old, `library` of the result is not open.
NvrtcLibrary openNvrtc();

/// Returns one sentence for people: the missing part and how to get it.
std::string nvrtcMissingMessage();

} // namespace mpf
