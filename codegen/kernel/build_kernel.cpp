#include "codegen/kernel/build_kernel.h"

#include "codegen/kernel/build/diversify_candidates.h"
#include "codegen/kernel/form/build_digit_form.h"
#include "codegen/kernel/verify_kernel.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mpf {

namespace {

bool isWanted(FamilyNames names, const KernelOptions &options) {
  return !options.family || std::find(names.begin(), names.end(), *options.family) != names.end();
}

/// The offers of all families that can do this work, as one list. The contenders of a family come
/// before its other plans.
struct Offers {
  std::vector<KernelPlan> plans;
  size_t best = 0; ///< into plans, unless there are none
  double bestUs = kNever;

  template <class Plan> void add(PlanOffers<Plan> offers) {
    MPF_CHECK(offers.contenders <= offers.plans.size(), "{} of {} plans may be the best",
              offers.contenders, offers.plans.size());
    for (size_t i = 0; i < offers.plans.size(); ++i) {
      if (i < offers.contenders && offers.plans[i].predictedUs < bestUs) {
        best = plans.size();
        bestUs = offers.plans[i].predictedUs;
      }
      plans.emplace_back(std::move(offers.plans[i]));
    }
  }
};

template <class Work>
std::vector<KernelPlan> choosePlans(const Work &work, const KernelOptions &options, size_t most) {
  Offers offers;
  forEachFamily([&]<class Plan>(const KernelFamily<Plan> &family) {
    if constexpr (std::is_same_v<WorkOf<Plan>, Work>)
      if (isWanted(family.names, options))
        offers.add(family.offers(work, options, PlanWish{most, offers.bestUs}));
  });
  if (offers.plans.empty())
    return {};
  const auto setName = [](KernelPlan &plan) {
    std::visit([](auto &any) { familyOf(any).setName(any); }, plan);
  };
  return diversifyCandidates(std::move(offers.plans), offers.best, most, setName);
}

/// Inserts the variant of the first plan that has more resident blocks, before or after that plan.
void addVariant(std::vector<KernelPlan> &plans, const Target &target, size_t most) {
  MPF_CHECK(!plans.empty(), "a variant of no plan for {}", target.name);
  std::visit(
      [&](const auto &plan) {
        auto variant = familyOf(plan).variant(plan, target);
        if (!variant)
          return;
        const bool first = variant->mostlyGains && variant->plan.predictedUs < plan.predictedUs;
        plans.insert(plans.begin() + (first ? 0 : 1), KernelPlan(std::move(variant->plan)));
        plans.resize(std::min(plans.size(), most));
      },
      KernelPlan(plans.front()));
}

/// Checks that the chosen plan passes the verifier of plans from a file.
void checkChosen(const std::vector<KernelPlan> &plans, const Target &target) {
  const std::string fault = findFault(plans.front(), target);
  MPF_CHECK(fault.empty(), "{}: {}", plans.front().header().name, fault);
}

} // namespace

// Terms outside a reduced digit's extent count as the identity. No whole number is above every
// product, as infinity is, so a minimum could return a product that wrapped around.
bool servesType(const DigitForm &form, ElementType type) {
  const bool whole = isIntegerType(type);
  return (!whole || form.semiring.reduce != Reduce::Min) &&
         (!form.readsPacked() || packingFaultOf(form.semiring, whole).empty());
}

KernelPlan buildKernel(const DigitForm &form, const KernelOptions &options) {
  return std::move(buildKernels(form, options, 1).front());
}

std::vector<KernelPlan> buildKernels(const DigitForm &form, const KernelOptions &asked,
                                     size_t most) {
  KernelOptions options = asked;
  options.valueForm = valueFormOf(form.semiring, asked.valueForm);
  const std::string fault = findFault(form);
  MPF_CHECK(fault.empty(), "{}", fault);
  if (!servesType(form, options.type))
    fail(ErrorKind::Unsupported, "{} in {} have no specialised kernels",
         form.semiring.reduce == Reduce::Min ? "minima" : "sums of packed tables",
         elementTypeName(options.type));
  if (options.tagDigits)
    return {buildTagPlan(form, options)};
  std::vector<KernelPlan> plans = choosePlans(form, options, most);
  if (plans.empty())
    fail(ErrorKind::Usage,
         "no kernel with these overrides (family, threads, chunk, outputs, stages)");
  addVariant(plans, options.target, most);
  checkChosen(plans, options.target);
  return plans;
}

std::vector<KernelPlan> buildKernels(const ChainForm &form, const KernelOptions &options,
                                     size_t most) {
  std::vector<KernelPlan> plans = choosePlans(form, options, most);
  if (plans.empty())
    return plans;
  addVariant(plans, options.target, most);
  checkChosen(plans, options.target);
  return plans;
}

KernelPlan buildKernel(const TableProgram &program, OpId operation, const KernelOptions &options) {
  return buildKernel(buildDigitForm(program, operation, options.mergeDigits), options);
}

} // namespace mpf
