// COMPILED KERNEL: source text in, machine code and a resource report out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// What one kernel uses on one architecture, from the assembler's own report.
struct ResourceUsage {
  std::string entry;
  uint32_t registers = 0;       ///< per thread
  uint32_t sharedBytes = 0;     ///< static, per block
  uint32_t stackBytes = 0;      ///< per thread; 0 unless something lives in local memory
  uint32_t spillStoreBytes = 0; ///< per thread
  uint32_t spillLoadBytes = 0;  ///< per thread
};

struct CompileRequest {
  std::string name;   ///< of the bucket or kernel, for error messages
  std::string source; ///< self-contained CUDA or C++ text
  std::string arch;   ///< "sm_90"; of C++: hostArch()
  bool foreign =
      false; ///< somebody wrote it: if it does not compile, that is bad input, not our bug
};

struct CompiledKernel {
  std::string source;               ///< what was compiled, by a KernelStore: the overriding text
  std::string cubin;                ///< of C++ text: a shared object
  std::string log;                  ///< the compiler's log
  std::vector<ResourceUsage> usage; ///< one per entry point
  bool fromCache = false;
};

/// What a KernelStore compiles with. Thread-safe.
class Compiler {
public:
  virtual ~Compiler() = default;
  /// Part of every cache key, since another compiler gives other code.
  virtual const std::string &version() const = 0;
  /// The fixed options, in order; part of every cache key.
  virtual std::vector<std::string> options(const std::string &arch) const = 0;
  virtual CompiledKernel compile(const CompileRequest &request) const = 0;
};

/// Reads the `ptxas -v` lines of a compiler log. Unknown lines are skipped.
std::vector<ResourceUsage> parseResourceReport(const std::string &log);

} // namespace mpf
