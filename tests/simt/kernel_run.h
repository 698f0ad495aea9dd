// Runs the CUDA text of kernel plans in the checker, with tables and states as the runtime would
// hand them over.
#pragma once

#include "codegen/bundle/table_state.h"
#include "codegen/emit/emit_cuda.h"
#include "tests/simt/simt_check.h"

#include <memory>
#include <vector>

namespace mpf::simt {

/// A table as kernels see it.
struct KernelTable {
  std::vector<double> entries; ///< rounded to the element type
  TableState state;

  /// Linear: value = entry * 2^scale.
  static KernelTable linear(const std::vector<double> &values, ElementType type, int32_t scale = 0);
  /// Log: value = 2^(entry + scale).
  static KernelTable log(const std::vector<double> &values, ElementType type, int32_t scale = 0);
  /// The values themselves, whichever form.
  std::vector<long double> values() const;
};

struct KernelRun {
  Report report;
  KernelTable result; ///< entries that were not written are NaN
};

/// Several plans compiled as one source: compiling costs more than running.
class KernelSuite {
public:
  explicit KernelSuite(const std::vector<KernelPlan> &plans);

  KernelRun run(size_t plan, const std::vector<KernelTable> &operands, int mode = 0);
  const EmittedKernel &kernel(size_t plan) const { return kernels_[plan]; }

private:
  std::vector<KernelPlan> plans_;
  std::vector<EmittedKernel> kernels_;
  std::unique_ptr<Program> program_;
};

} // namespace mpf::simt
