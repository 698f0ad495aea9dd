// Compiles C++ text to a shared object for this machine, with the system's compiler.
#pragma once

#include "runtime/compile/compiler.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// Returns the command of the compiler: the words of $CXX where it is set, else the first of c++,
/// clang++, g++ on PATH; the program as an absolute path. Empty when there is none, or when others
/// can write to it (TrustedProgram in dsl/support/files/trusted_path.h).
std::vector<std::string> findCppCompiler();

/// One sentence when the compiler that $CXX names exists but is not used; else empty.
std::string unusedCompiler();

/// Identifies this processor as far as -march=native distinguishes it: "x86_64-" and a hash.
std::string hostArch();

/// How much a compiler should do.
enum class CppEffort {
  Loops,   ///< -O2
  Written, ///< -O1: text without loops that matter; it runs as fast, and compiles in two thirds
};

/// Thread-safe: each compilation is a process of its own.
class CppCompiler final : public Compiler {
public:
  static constexpr std::chrono::milliseconds kTimeout{20000};

  /// Runs `command` to find its version. Throws Error(Device) when that fails.
  explicit CppCompiler(std::vector<std::string> command = findCppCompiler(),
                       std::chrono::milliseconds timeout = kTimeout,
                       CppEffort effort = CppEffort::Loops);

  /// The first line of --version, and the compiler's file.
  const std::string &version() const override { return version_; }
  std::vector<std::string> options(const std::string &arch) const override;
  /// The text must define extern "C" functions and needs no header. Throws Error(Device) with the
  /// compiler's messages when it fails or takes too long: another compiler may be to blame.
  CompiledKernel compile(const CompileRequest &request) const override;

private:
  std::vector<std::string> command_;
  std::chrono::milliseconds timeout_;
  CppEffort effort_;
  std::string version_;
};

std::unique_ptr<Compiler> openCppCompiler(CppEffort effort = CppEffort::Loops);

} // namespace mpf
