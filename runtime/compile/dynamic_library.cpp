#include "runtime/compile/dynamic_library.h"

#include "dsl/support/error.h"
#include "dsl/support/files/trusted_path.h"
#include "dsl/support/system/environment.h"

#include <dlfcn.h>
#include <filesystem>
#include <utility>

namespace mpf {

DynamicLibrary::~DynamicLibrary() {
  if (handle_)
    ::dlclose(handle_);
}

DynamicLibrary::DynamicLibrary(DynamicLibrary &&other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), image_(std::move(other.image_)),
      name_(std::move(other.name_)) {}

DynamicLibrary &DynamicLibrary::operator=(DynamicLibrary &&other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(image_, other.image_);
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

DynamicLibrary DynamicLibrary::fromImage(const std::string &image) {
  DynamicLibrary library;
  library.image_.emplace(image);
  // The loader knows libraries by name: descriptors of loaded ones differ.
  library.name_ = fmt::format("/proc/self/fd/{}", library.image_->descriptor());
  library.handle_ = ::dlopen(library.name_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library.handle_)
    fail(ErrorKind::Device, "a compiled kernel cannot be loaded: {}", ::dlerror());
  return library;
}

LibraryChoice chooseLibrary(const char *variable, const std::vector<std::string> &usual) {
  LibraryChoice choice;
  // A name without a slash is the loader's business, others are opened where they really are.
  const auto add = [&choice](const std::string &name) -> std::string {
    if (name.find('/') == std::string::npos) {
      choice.candidates.push_back(name);
      return "";
    }
    const TrustedProgram library(name);
    if (library.isTrusted())
      choice.candidates.push_back(library.realPath());
    return library.fault();
  };
  std::error_code status;
  if (const std::string chosen = environmentValue(variable); !chosen.empty()) {
    const std::string fault = add(chosen);
    if (!fault.empty() && std::filesystem::exists(chosen, status)) // else missing, as others are
      choice.fault = fmt::format("the library {} that {} names is not opened, because {}", chosen,
                                 variable, fault);
    return choice;
  }
  for (const std::string &name : usual)
    add(name);
  return choice;
}

void *DynamicLibrary::symbol(const char *symbolName) const {
  return handle_ ? ::dlsym(handle_, symbolName) : nullptr;
}

} // namespace mpf
