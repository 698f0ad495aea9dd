// A fake compiler of kernels: it compiles nothing and takes every text. Its machine code is for the
// fake driver of a GPU (fake_cuda.cpp), which knows kernels by their names.
#include <cstddef>
#include <cstring>

namespace {

constexpr char kCode[] = "no machine code", kLog[] = "ptxas info : Used 1 registers";

int copyText(char *to, const char *text, size_t bytes) {
  std::memcpy(to, text, bytes);
  return 0;
}

} // namespace

extern "C" {

int nvrtcVersion(int *major, int *minor) {
  *major = 13;
  *minor = 0;
  return 0;
}
int nvrtcGetNumSupportedArchs(int *count) {
  *count = 1;
  return 0;
}
int nvrtcGetSupportedArchs(int *archs) {
  archs[0] = 90;
  return 0;
}
int nvrtcCreateProgram(void **program, const char *, const char *, int, const char *const *,
                       const char *const *) {
  static int one;
  *program = &one;
  return 0;
}
int nvrtcDestroyProgram(void **) { return 0; }
int nvrtcCompileProgram(void *, int, const char *const *) { return 0; }
int nvrtcGetCUBINSize(void *, size_t *bytes) {
  *bytes = sizeof(kCode);
  return 0;
}
int nvrtcGetCUBIN(void *, char *code) { return copyText(code, kCode, sizeof(kCode)); }
int nvrtcGetPTXSize(void *, size_t *bytes) { return nvrtcGetCUBINSize(nullptr, bytes); }
int nvrtcGetPTX(void *, char *code) { return nvrtcGetCUBIN(nullptr, code); }
int nvrtcGetProgramLogSize(void *, size_t *bytes) {
  *bytes = sizeof(kLog);
  return 0;
}
int nvrtcGetProgramLog(void *, char *log) { return copyText(log, kLog, sizeof(kLog)); }
const char *nvrtcGetErrorString(int) { return "injected"; }
}
