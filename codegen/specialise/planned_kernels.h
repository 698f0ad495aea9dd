// Remembers the kernels of shapes. The planner asks what tables cost in one storage order or
// another, which takes planning a kernel for each; what it decides for is built afterwards, and
// needs not be planned again.
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

/// Of one set of options, the first that is asked about; kernels for others are planned anew. Holds
/// at most 1,000 kernels, some kilobytes each. Thread-safe.
class PlannedKernels {
public:
  /// buildKernel(withoutVariables(form), options): the tables may be those of another form of the
  /// same shape. Throws as buildKernel.
  std::shared_ptr<const KernelPlan> of(const DigitForm &form, const KernelOptions &options);

  /// Whether `of` would return it at once.
  bool knows(const DigitForm &form, const KernelOptions &options);

  /// How many were planned: kKernelPlanUs each (kernel_choice.h).
  size_t count() const { return count_; }

private:
  std::mutex mutex_;
  std::atomic<size_t> count_{0};
  std::optional<KernelOptions> options_;
  /// By shape; looked up, never walked.
  std::unordered_map<std::string, std::shared_ptr<const KernelPlan>> known_;
};

/// A kernel for each of `forms`, in their order, as buildKernel makes it. Planning one takes
/// milliseconds: equal shapes are planned once, distinct ones on `threads` at once (0: one per
/// core), which changes no kernel; what `planned` has (null: nothing) is not planned again. Throws
/// what buildKernel throws.
std::vector<KernelPlan> planKernels(std::span<const DigitForm> forms, const KernelOptions &options,
                                    unsigned threads = 0, PlannedKernels *planned = nullptr);

} // namespace mpf
