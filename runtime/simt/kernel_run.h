// Runs the CUDA text of kernel plans in the SIMT checker, with tables and states as the runtime
// passes them to kernels.
#pragma once

#include "codegen/bundle/kernel_interface.h"
#include "codegen/bundle/table_state.h"
#include "codegen/emit/emit_cuda.h"
#include "runtime/simt/simt_check.h"

#include <memory>
#include <vector>

namespace mpf::simt {

/// A table as kernels see it: its entries and its state.
struct KernelTable {
  std::vector<double> entries; ///< rounded to the element type; whole numbers below 2^53
  TableState state;

  /// Returns a table in linear form: value = entry * 2^scale.
  static KernelTable linear(const std::vector<double> &values, ElementType type, int32_t scale = 0);
  /// Returns a table in log form: value = 2^(entry + scale).
  static KernelTable log(const std::vector<double> &values, ElementType type, int32_t scale = 0);
  /// Returns the words of the packed table: bit 0 for entries equal to `zero`, bit 1 for the
  /// others.
  std::vector<std::byte> words(double zero) const;
  /// Returns the values of the entries, in either form.
  std::vector<long double> values() const;
};

struct KernelRun {
  Report report;
  KernelTable result;        ///< unwritten entries are NaN (whole numbers: the greatest number)
  std::vector<bool> written; ///< one per entry of the result
};

/// A kernel of any family with the operation that it must compute.
struct TestKernel {
  KernelPlan plan;
  DigitForm operation; ///< plan.operation()
  EmittedKernel kernel;
  SiteObjects objects;
  /// True if mpf did not emit the text: its sites may touch any table and all shared memory.
  bool mayTouchAnything = false;

  const KernelHeader &header() const { return plan.header(); }
};
TestKernel testKernel(const KernelPlan &plan);
/// Returns the bytes of host memory that a check of the kernel (check_kernel.h) takes for its
/// tables. They are proportional to the tables' sizes: contents, shadows, values, and compared
/// results. Saturates.
uint64_t checkedBytes(const DigitForm &operation, ElementType type);
std::vector<TestKernel> testKernels(const std::vector<KernelPlan> &plans);

/// Several kernels compiled as one source, because compiling takes longer than running.
class KernelSuite {
public:
  explicit KernelSuite(std::vector<TestKernel> kernels);
  /// Compiles `source`, which must contain all kernels and their preamble. Throws as HostLibrary.
  KernelSuite(std::vector<TestKernel> kernels, const std::string &source);

  /// Runs kernel `number`. `mode` is the kernel's last argument (codegen/emit/emit_cuda.h);
  /// `blocks` are the blocks of the grid to run; empty: all.
  KernelRun run(size_t number, const std::vector<KernelTable> &operands, int mode = 0,
                WaitPoint wait = WaitPoint::Stores, std::vector<uint32_t> blocks = {});
  const TestKernel &kernel(size_t number) const { return kernels_[number]; }

private:
  std::vector<TestKernel> kernels_;
  std::unique_ptr<Program> program_;
};

} // namespace mpf::simt
