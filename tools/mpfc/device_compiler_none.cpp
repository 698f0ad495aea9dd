// Built without CUDA (MPF_ENABLE_CUDA=OFF).
#include "dsl/support/check.h"
#include "tools/mpfc/device_compiler.h"

namespace mpf::driver {

std::string compileToPtx(const std::string &, const std::string &, const std::string &, bool) {
  fail(ErrorKind::Device, "this mpfc was built without CUDA (MPF_ENABLE_CUDA=OFF)");
}

void addCubins(Bundle &, const std::vector<std::string> &archs, const std::string &) {
  if (!archs.empty())
    fail(ErrorKind::Device, "this mpfc was built without CUDA (MPF_ENABLE_CUDA=OFF)");
}

bool runsAnyProgram(const std::string &) { return false; }

size_t fillKernelFolder(const std::string &, const std::vector<std::string> &) {
  fail(ErrorKind::Device, "this mpfc was built without CUDA (MPF_ENABLE_CUDA=OFF)");
}

} // namespace mpf::driver
