#include "codegen/specialise/planned_kernels.h"

#include "codegen/plan/order/parallel_tasks.h"

#include <map>
#include <utility>
#include <variant>

namespace mpf {

std::shared_ptr<const KernelPlan> PlannedKernels::of(const DigitForm &form,
                                                     const KernelOptions &options) {
  constexpr size_t kMostKernels = 1000;
  std::string shape = shapeOf(form);
  bool remembers = false;
  {
    const std::scoped_lock lock(mutex_);
    if (!options_)
      options_ = options;
    remembers = *options_ == options;
    if (const auto at = known_.find(shape); remembers && at != known_.end())
      return at->second;
  }
  // Threads that ask for one shape at the same time may both plan it: the kernels are equal.
  ++count_;
  auto kernel = std::make_shared<const KernelPlan>(buildKernel(withoutVariables(form), options));
  const std::scoped_lock lock(mutex_);
  if (remembers && known_.size() < kMostKernels)
    known_.try_emplace(std::move(shape), kernel);
  return kernel;
}

bool PlannedKernels::knows(const DigitForm &form, const KernelOptions &options) {
  const std::string shape = shapeOf(form);
  const std::scoped_lock lock(mutex_);
  return options_ && *options_ == options && known_.contains(shape);
}

std::vector<KernelPlan> planKernels(std::span<const DigitForm> forms, const KernelOptions &options,
                                    unsigned threads, PlannedKernels *planned) {
  PlannedKernels own; // empty, if there are no planned kernels
  PlannedKernels &kernels = planned != nullptr ? *planned : own;
  std::map<std::string, size_t> known; // shape -> index into firsts
  std::vector<size_t> firsts, shapeNos;
  for (size_t i = 0; i < forms.size(); ++i) {
    const auto [at, isNew] = known.try_emplace(shapeOf(forms[i]), firsts.size());
    if (isNew)
      firsts.push_back(i);
    shapeNos.push_back(at->second);
  }
  std::vector<std::shared_ptr<const KernelPlan>> distinct(firsts.size());
  runParallel(firsts.size(), threads,
              [&](size_t i) { distinct[i] = kernels.of(forms[firsts[i]], options); });
  std::vector<KernelPlan> plans;
  plans.reserve(forms.size());
  for (size_t i = 0; i < forms.size(); ++i) {
    plans.push_back(*distinct[shapeNos[i]]);
    std::visit( // with its own variables and tables
        [&](auto &plan) {
          if constexpr (std::is_same_v<WorkOf<std::decay_t<decltype(plan)>>, DigitForm>)
            plan.form = forms[i];
        },
        plans.back());
  }
  return plans;
}

} // namespace mpf
