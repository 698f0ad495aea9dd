// Compiles C++ text to a shared object for this machine, with the system's compiler.
#pragma once

#include "runtime/compile/compiler.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace mpf {

/// Returns the command of the compiler: the words of $CXX if it is set, else the first of c++,
/// clang++, g++ on PATH. The program is an absolute path. Empty if there is none, or if others can
/// write to it (TrustedProgram in dsl/support/files/trusted_path.h).
std::vector<std::string> findCppCompiler();

/// Returns one sentence if the compiler that $CXX names exists but is not used; else empty.
std::string unusedCompiler();

/// Identifies this processor as far as -march=native distinguishes it: "x86_64-" and a hash.
std::string hostArch();

/// The effort of a compiler.
enum class CppEffort {
  Loops,   ///< -O2
  Written, ///< -O1: text without loops that matter; it runs as fast, and compiles in two thirds
};

/// Thread-safe: each compilation is a separate process.
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
  /// Compiles a text, which must define extern "C" functions and needs no header. Throws
  /// Error(Device) with the compiler's messages when it fails or takes too long: the user's
  /// compiler may be the reason.
  CompiledKernel compile(const CompileRequest &request) const override;

private:
  std::vector<std::string> command_;
  std::chrono::milliseconds timeout_;
  CppEffort effort_;
  std::string version_;
};

std::unique_ptr<Compiler> openCppCompiler(CppEffort effort = CppEffort::Loops);

} // namespace mpf
