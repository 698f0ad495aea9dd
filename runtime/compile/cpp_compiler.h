// C++ text -> shared object for this machine, through the system's compiler.
#pragma once

#include "runtime/compile/compiler.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// The words of $CXX where it is set, else the first of c++, clang++, g++ on PATH, as an absolute
/// path; empty when that is not there, or when others can write to it (programFault in
/// dsl/support/files/trusted_path.h).
std::vector<std::string> findCppCompiler();

/// One sentence where the compiler that $CXX names is there and not used; else empty.
std::string unusedCompiler();

/// This processor, as far as -march=native may tell it from others: "x86_64-" and a hash.
std::string hostArch();

/// Thread-safe: compilations are processes of their own.
class CppCompiler final : public Compiler {
public:
  static constexpr std::chrono::milliseconds kTimeout{20000};

  /// Asks `command` for its version. Throws Error(Device) when it has none to tell.
  explicit CppCompiler(std::vector<std::string> command = findCppCompiler(),
                       std::chrono::milliseconds timeout = kTimeout);

  /// First line of --version, and which file says so.
  const std::string &version() const override { return version_; }
  std::vector<std::string> options(const std::string &arch) const override;
  /// The text must define extern "C" functions and needs no header. Throws Error(Device) with the
  /// compiler's messages when it fails or takes too long: another compiler may be to blame.
  CompiledKernel compile(const CompileRequest &request) const override;

private:
  std::vector<std::string> command_;
  std::chrono::milliseconds timeout_;
  std::string version_;
};

std::unique_ptr<Compiler> openCppCompiler();

} // namespace mpf
