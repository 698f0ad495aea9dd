// Compiles CUDA text to a cubin for one architecture with NVRTC. Needs no GPU and no driver.
#pragma once

#include "runtime/compile/compiler.h"
#include "runtime/compile/nvrtc_library.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Thread-safe: compile() may run on several threads at once (NVRTC compiles in parallel).
class NvrtcCompiler final : public Compiler {
public:
  /// Opens NVRTC. Throws Error(Device) with the missing part if NVRTC cannot be opened or does not
  /// answer.
  NvrtcCompiler();
  static bool available();

  /// "13.0"
  const std::string &version() const override { return version_; }
  /// The architectures that this NVRTC can compile for, ascending: "sm_75", "sm_80", ..
  const std::vector<std::string> &architectures() const { return architectures_; }
  std::vector<std::string> options(const std::string &arch) const override;

  /// Throws Error(Internal) when the text does not compile, because emitted text always should. The
  /// message contains the request's name, the compiler's log, and the text without the fixed
  /// preamble. For foreign text throws Error(BadInput) with the log. Throws Error(Device) for an
  /// architecture that this NVRTC does not know, Error(MemoryBound) when RLIMIT_AS or RLIMIT_DATA
  /// leaves too few addresses.
  CompiledKernel compile(const CompileRequest &request) const override;
  /// Compiles the text to PTX, for people (--emit=ptx).
  std::string compileToPtx(const CompileRequest &request) const;

private:
  struct Output {
    std::string image;
    std::string log;
  };
  Output run(const CompileRequest &request, std::vector<std::string> options, bool ptx) const;

  NvrtcLibrary nvrtc_;
  std::string version_;
  std::vector<std::string> architectures_;
};

/// Creates a compiler: a CompilerOpener for KernelStore.
std::unique_ptr<Compiler> openNvrtcCompiler();

/// Returns the part of an emitted source behind the fixed preamble, for error messages.
std::string_view generatedPart(std::string_view source);

} // namespace mpf
