// COMPILER: turns source text into machine code and a report of the resources that it uses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpf {

/// The resources of one kernel on one architecture, from the assembler's report.
struct ResourceUsage {
  std::string entry;
  uint32_t registers = 0;       ///< per thread
  uint32_t sharedBytes = 0;     ///< static, per block
  uint32_t stackBytes = 0;      ///< per thread; 0 unless something lives in local memory
  uint32_t spillStoreBytes = 0; ///< per thread
  uint32_t spillLoadBytes = 0;  ///< per thread
};

struct CompileRequest {
  std::string name;   ///< name of the bucket or kernel, for error messages
  std::string source; ///< self-contained CUDA or C++ text
  std::string arch;   ///< "sm_90"; for C++: hostArch()
  bool foreign =
      false; ///< a user wrote the text: if it does not compile, it is bad input and no bug of mpf
};

struct CompiledKernel {
  std::string source;               ///< the text compiled; by a KernelStore: the overriding text
  std::string cubin;                ///< machine code; for C++ text: a shared object
  std::string log;                  ///< the compiler's log
  std::vector<ResourceUsage> usage; ///< one per entry point
  bool fromCache = false;
};

/// The interface that a KernelStore compiles with. Thread-safe.
class Compiler {
public:
  virtual ~Compiler() = default;
  /// Returns the compiler's version, a part of every cache key.
  virtual const std::string &version() const = 0;
  /// Returns the fixed options in order, a part of every cache key.
  virtual std::vector<std::string> options(const std::string &arch) const = 0;
  virtual CompiledKernel compile(const CompileRequest &request) const = 0;
};

/// Reads the `ptxas -v` lines of a compiler log. Unknown lines are skipped.
std::vector<ResourceUsage> parseResourceReport(const std::string &log);

} // namespace mpf
