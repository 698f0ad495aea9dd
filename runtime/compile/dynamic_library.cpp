#include "runtime/compile/dynamic_library.h"

#include "dsl/support/check.h"
#include "dsl/support/files/trusted_path.h"
#include "dsl/support/system/environment.h"
#include "runtime/compile/memory_file.h"

#include <atomic>
#include <dlfcn.h>
#include <filesystem>
#include <utility>

namespace mpf {

namespace {

/// Returns a path of an open file that differs from all earlier ones. The loader takes libraries
/// with equal names for one, and a descriptor's number is used again after it is closed.
std::string freshName(int descriptor) {
  static std::atomic<uint64_t> count{0};
  std::string name = "/proc/self/fd/";
  for (uint64_t digits = count++; digits != 0; digits /= 2)
    name += digits % 2 != 0 ? "./" : "/";
  return name + std::to_string(descriptor);
}

} // namespace

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
    // NODELETE: NVRTC and the driver keep allocations and threads until the process ends. Unmapping
    // their code would crash it, and leak checkers would report leaks.
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
  const MemoryFile file(image); // mapped pages outlive the descriptor
  library.name_ = freshName(file.descriptor());
  library.handle_ = ::dlopen(library.name_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library.handle_)
    fail(ErrorKind::Device, "a compiled kernel cannot be loaded: {}", ::dlerror());
  return library;
}

LibraryChoice chooseLibrary(const char *variable, const std::vector<std::string> &usual) {
  LibraryChoice choice;
  // The loader looks up a name without a slash. Other names are replaced by the real path.
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
    choice.named = chosen;
    const std::string fault = add(chosen);
    // A missing library is no fault here: it is reported later, like other missing ones.
    if (!fault.empty() && std::filesystem::exists(chosen, status))
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
