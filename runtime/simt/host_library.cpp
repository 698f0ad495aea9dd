#include "runtime/simt/host_library.h"

#include "dsl/support/check.h"
#include "dsl/support/hash.h"
#include "runtime/compile/child_process.h"
#include "runtime/compile/cpp_compiler.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace mpf::simt {

namespace {

constexpr std::chrono::minutes kTimeout{5}; ///< a suite of kernels on a busy machine
constexpr const char *kObject = "text.so";

std::string compiled(const std::string &source) {
  ChildProgram compiler;
  compiler.argv = findCppCompiler();
  if (compiler.argv.empty())
    fail(ErrorKind::Device, "there is no C++ compiler to run kernels on the CPU with{}{}",
         unusedCompiler().empty() ? "" : ": ", unusedCompiler());
  for (const char *option : {"-std=c++17", "-O0", "-w", "-fPIC", "-shared", "-x", "c++", "-", "-o"})
    compiler.argv.emplace_back(option);
  compiler.argv.push_back(fmt::format("{}/{}", kChildFolder, kObject));
  compiler.input = source;
  compiler.timeout = kTimeout;
  compiler.resultName = kObject;
  ChildResult result = runChild(compiler);
  if (result.timedOut)
    fail(ErrorKind::Device, "{} took longer than {} minutes", compiler.argv[0], kTimeout.count());
  if (result.exitCode != 0 || !result.result)
    fail(ErrorKind::BadInput, "the text does not compile:\n{}", result.output);
  return *std::move(result.result);
}

/// Keeps the objects of the last compiled texts: all programs of a type share the text of the
/// table-driven kernels.
class Images {
public:
  std::string of(const std::string &source) {
    const Hash128 hash = HashBuilder().add(source).finish();
    if (const std::optional<std::string> image = find(hash))
      return *image;
    std::string image = compiled(source);
    const std::scoped_lock lock(mutex_);
    kept_.emplace_front(hash, image);
    if (kept_.size() > kMostKept)
      kept_.pop_back();
    return image;
  }

private:
  std::optional<std::string> find(const Hash128 &hash) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find(kept_, hash, &Kept::first);
    return found == kept_.end() ? std::nullopt : std::optional(found->second);
  }

  using Kept = std::pair<Hash128, std::string>;
  static constexpr size_t kMostKept = 16; ///< images, some 200 kB each
  std::mutex mutex_;
  std::deque<Kept> kept_;
};

std::string imageOf(const std::string &source) {
  static Images images;
  return images.of(source);
}

} // namespace

HostLibrary::HostLibrary(const std::string &source)
    : library_(DynamicLibrary::fromImage(imageOf(source))) {}

void *HostLibrary::symbol(const std::string &name) const {
  void *const found = library_.symbol(name.c_str());
  MPF_CHECK(found != nullptr, "no function {} in the compiled text", name);
  return found;
}

} // namespace mpf::simt
