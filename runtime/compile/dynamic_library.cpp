#include "runtime/compile/dynamic_library.h"

#include <dlfcn.h>
#include <utility>

namespace mpf {

DynamicLibrary::~DynamicLibrary() {
  if (handle_)
    ::dlclose(handle_);
}

DynamicLibrary::DynamicLibrary(DynamicLibrary &&other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), name_(std::move(other.name_)) {}

DynamicLibrary &DynamicLibrary::operator=(DynamicLibrary &&other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(name_, other.name_);
  return *this;
}

DynamicLibrary DynamicLibrary::openFirst(const std::vector<std::string> &candidates) {
  DynamicLibrary library;
  for (const std::string &candidate : candidates) {
    // NODELETE: NVRTC and the driver keep allocations and threads of their own until the end, and
    // unmapping their code under those is a crash (and, to a leak checker, a leak).
    library.handle_ = ::dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library.handle_) {
      library.name_ = candidate;
      break;
    }
  }
  return library;
}

void *DynamicLibrary::symbol(const char *symbolName) const {
  return handle_ ? ::dlsym(handle_, symbolName) : nullptr;
}

} // namespace mpf
