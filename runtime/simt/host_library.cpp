#include "runtime/simt/host_library.h"

#include "dsl/support/check.h"
#include "runtime/compile/child_process.h"
#include "runtime/compile/cpp_compiler.h"

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

} // namespace

HostLibrary::HostLibrary(const std::string &source)
    : library_(DynamicLibrary::fromImage(compiled(source))) {}

void *HostLibrary::symbol(const std::string &name) const {
  void *const found = library_.symbol(name.c_str());
  MPF_CHECK(found != nullptr, "no function {} in the compiled text", name);
  return found;
}

} // namespace mpf::simt
