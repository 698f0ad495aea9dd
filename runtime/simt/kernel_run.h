// Runs the CUDA text of kernel plans in the checker, with tables and states as the runtime would
// hand them over.
#pragma once

#include "codegen/bundle/kernel_interface.h"
#include "codegen/bundle/table_state.h"
#include "codegen/emit/emit_cuda.h"
#include "runtime/simt/simt_check.h"

#include <memory>
#include <vector>

namespace mpf::simt {

/// A table as kernels see it.
struct KernelTable {
  std::vector<double> entries; ///< rounded to the element type; whole numbers below 2^53
  TableState state;

  /// Linear: value = entry * 2^scale.
  static KernelTable linear(const std::vector<double> &values, ElementType type, int32_t scale = 0);
  /// Log: value = 2^(entry + scale).
  static KernelTable log(const std::vector<double> &values, ElementType type, int32_t scale = 0);
  /// The words of a packed table whose entries are `zero` and others.
  std::vector<std::byte> words(double zero) const;
  /// The values themselves, whichever form.
  std::vector<long double> values() const;
};

struct KernelRun {
  Report report;
  KernelTable result;        ///< entries that were not written are NaN, or the greatest number
  std::vector<bool> written; ///< by entry of the result
};

/// A kernel of any family with what it is to compute.
struct TestKernel {
  KernelPlan plan;
  DigitForm operation; ///< of the plan
  EmittedKernel kernel;
  std::vector<std::string> operandNames; ///< as its sites and parameters call them
  std::vector<SharedArray> sharedArrays;
  /// The text is not what mpf emits: its sites may touch any table and all shared memory.
  bool mayTouchAnything = false;

  const KernelHeader &header() const { return plan.header(); }
};
TestKernel testKernel(const KernelPlan &plan);
std::vector<TestKernel> testKernels(const std::vector<KernelPlan> &plans);

/// Several kernels compiled as one source: compiling costs more than running.
class KernelSuite {
public:
  explicit KernelSuite(std::vector<TestKernel> kernels);
  /// `source` holds all of them, and what they need.
  KernelSuite(std::vector<TestKernel> kernels, const std::string &source);

  /// `blocks`: of the grid; empty: all.
  KernelRun run(size_t number, const std::vector<KernelTable> &operands, int mode = 0,
                WaitPoint wait = WaitPoint::Stores, std::vector<uint32_t> blocks = {});
  const TestKernel &kernel(size_t number) const { return kernels_[number]; }

private:
  std::vector<TestKernel> kernels_;
  std::unique_ptr<Program> program_;
};

} // namespace mpf::simt
