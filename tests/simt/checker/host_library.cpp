#include "tests/simt/checker/host_library.h"

#include "dsl/support/check.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace mpf::simt {

namespace {
std::string readAll(const std::filesystem::path &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}
} // namespace

HostLibrary::HostLibrary(const std::string &source, const std::string &flags) {
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "mpf-text-XXXXXX").string();
  MPF_CHECK(mkdtemp(folder.data()) != nullptr, "no temporary folder {}", folder);
  const fs::path base = folder;
  std::ofstream(base / "text.cpp") << source;
  // Compiling takes longer than running: optimised, all tests together take twice the time.
  const std::string command = fmt::format("{} -std=c++17 -O0 -w -fPIC -shared {} {} -o {} 2> {}",
                                          MPF_HOST_COMPILER, flags, (base / "text.cpp").string(),
                                          (base / "text.so").string(), (base / "log").string());
  const bool compiled = std::system(command.c_str()) == 0;
  const std::string log = readAll(base / "log");
  if (compiled)
    library_ = dlopen((base / "text.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  fs::remove_all(base);
  if (library_ == nullptr)
    throw Error(ErrorKind::Internal, fmt::format("emitted text does not compile:\n{}", log));
}

HostLibrary::~HostLibrary() {
  if (library_ != nullptr)
    dlclose(library_);
}

void *HostLibrary::symbol(const std::string &name) const {
  void *const found = dlsym(library_, name.c_str());
  MPF_CHECK(found != nullptr, "no function {} in the compiled text", name);
  return found;
}

} // namespace mpf::simt
