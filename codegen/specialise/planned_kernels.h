// Remembers the kernels of shapes. The planner asks for the cost of tables in several storage
// orders, which takes planning a kernel for each. The kernels that it decides for are built
// afterwards, and need not be planned again.
#pragma once

#include "codegen/kernel/build_kernel.h"
#include "codegen/specialise/form_shape.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace mpf {

/// Holds kernels for one set of options, the first that is asked about; kernels for others are
/// planned anew. Holds at most 1,000 kernels, some kilobytes each. Thread-safe.
class PlannedKernels {
public:
  /// Returns buildKernel(withoutVariables(form), options): the tables may be those of another form
  /// of the same shape. Throws as buildKernel.
  std::shared_ptr<const KernelPlan> of(const DigitForm &form, const KernelOptions &options);

  /// Whether `of` would return it at once.
  bool knows(const DigitForm &form, const KernelOptions &options);

  /// Number of kernels that were planned: kKernelPlanUs each (kernel_choice.h).
  size_t count() const { return count_; }

private:
  std::mutex mutex_;
  std::atomic<size_t> count_{0};
  std::optional<KernelOptions> options_;
  /// Kernels by shape; looked up, never walked.
  std::unordered_map<std::string, std::shared_ptr<const KernelPlan>> known_;
};

/// Plans a kernel for each of `forms`, in their order, as buildKernel does. Planning one takes
/// milliseconds, so equal shapes are planned once, distinct ones on `threads` at once (0: one per
/// core), which changes no kernel. Kernels in `planned` (null: none) are not planned again. Throws
/// as buildKernel.
std::vector<KernelPlan> planKernels(std::span<const DigitForm> forms, const KernelOptions &options,
                                    unsigned threads = 0, PlannedKernels *planned = nullptr);

} // namespace mpf
