#include "codegen/specialise/verify_kernels.h"

#include "codegen/emit/chain/emit_chain.h"
#include "codegen/emit/emit_cuda.h"
#include "codegen/emit/table_driven_source.h"
#include "codegen/kernel/form/target.h"
#include "codegen/kernel/plan/verify_chain.h"
#include "codegen/kernel/plan/verify_kernel.h"
#include "codegen/kernel/text/read_kernel.h"
#include "codegen/specialise/match_kernel.h"
#include "dsl/support/error.h"

#include <algorithm>
#include <optional>

namespace mpf {

namespace {

constexpr const char *kOtherText = "its text is not what this version makes of its plan";

/// Axes and parts become variables of the text. As the planner names them, they hide nothing there:
/// "d2_t", "d0_t1", of a chain "d2" as well.
bool isPlannersName(const std::string &name, bool mayEnd) {
  const size_t digits = name.find_first_not_of("0123456789", 1);
  if (!name.starts_with('d') || name.size() < 2 || digits == 1)
    return false;
  return digits == std::string::npos
             ? mayEnd
             : name[digits] == '_' && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789",
                                                             digits + 1) == std::string::npos;
}

bool namesAreOurs(const KernelPlan &plan) {
  return std::all_of(plan.axes.begin(), plan.axes.end(),
                     [](const Axis &axis) { return isPlannersName(axis.name, false); });
}

bool namesAreOurs(const ChainPlan &plan) {
  return std::all_of(plan.parts.begin(), plan.parts.end(),
                     [](const ChainPart &part) { return isPlannersName(part.name, true); });
}

/// A bundle does not say which GPU its kernels were planned for: one of those that there are.
template <class Plan> std::string findFaultAnywhere(const Plan &plan) {
  const std::string fault = findFault(plan, targetNamed(kReferenceTarget));
  if (fault.empty())
    return fault;
  for (const std::string &name : gpuTargetNames())
    if (findFault(plan, targetNamed(name)).empty())
      return {};
  return fault;
}

std::string sourceOf(const KernelPlan &plan) { return cudaSource(plan); }
std::string sourceOf(const ChainPlan &plan) { return chainSource(plan); }

/// What each kernel is launched for.
struct KernelUses {
  explicit KernelUses(const Bundle &bundle)
      : operations(bundle.kernels.size()), chains(bundle.kernels.size()) {
    for (const BundleOperation &operation : bundle.operations)
      if (operation.kernel)
        operations[*operation.kernel].push_back(&operation);
    for (const BundleChain &chain : bundle.chains)
      chains[chain.kernel].push_back(&chain);
  }

  std::vector<std::vector<const BundleOperation *>> operations; ///< by kernel
  std::vector<std::vector<const BundleChain *>> chains;
};

/// Of a sound plan.
std::string findUseMismatch(const KernelPlan &plan, const Bundle &bundle, const KernelUses &uses,
                            uint32_t kernel) {
  if (!uses.chains[kernel].empty())
    return "it is launched for a chain, its plan is of one operation";
  for (const BundleOperation *operation : uses.operations[kernel])
    if (const std::string fault = findMismatch(plan, bundle, *operation); !fault.empty())
      return fmt::format("its plan is not one of operation {}: {}", operation->name, fault);
  return {};
}

std::string findUseMismatch(const ChainPlan &plan, const Bundle &bundle, const KernelUses &uses,
                            uint32_t kernel) {
  if (!uses.operations[kernel].empty())
    return "it is launched for one operation, its plan is of a chain";
  for (const BundleChain *chain : uses.chains[kernel])
    if (const std::string fault = findMismatch(plan, bundle, *chain); !fault.empty())
      return fmt::format("its plan is not one of the chain from operation {}: {}",
                         bundle.operations[chain->first].name, fault);
  return {};
}

template <class Plan>
std::string findPlanFault(const Plan &plan, const Bundle &bundle, const KernelUses &uses,
                          uint32_t number) {
  const BundleKernel &kernel = bundle.kernels[number];
  if (plan.name != kernel.name || !namesAreOurs(plan))
    return "its plan has other names than the planner gives";
  if (const std::string fault = findFaultAnywhere(plan); !fault.empty())
    return "its plan is not sound: " + fault;
  if (plan.launch.gridBlocks != kernel.gridBlocks ||
      plan.launch.blockThreads != kernel.blockThreads ||
      plan.launch.sharedBytes != kernel.sharedBytes)
    return "it is launched otherwise than its plan says";
  if (std::string fault = findUseMismatch(plan, bundle, uses, number); !fault.empty())
    return fault;
  return kernel.source == sourceOf(plan) ? "" : kOtherText;
}

std::optional<AnyKernelPlan> planOf(const BundleKernel &kernel) {
  Diagnostics diagnostics;
  auto plans = readKernels(std::make_shared<SourceBuffer>(kernel.name, kernel.plan), diagnostics);
  if (!plans || plans->size() != 1)
    return std::nullopt;
  return std::move(plans->front().plan);
}

std::string faultOf(const Bundle &bundle, const KernelUses &uses, uint32_t number) {
  const BundleKernel &kernel = bundle.kernels[number];
  if (bundle.tableDriven == number) {
    const bool same = kernel.name == tableDrivenName(bundle.type, bundle.packs()) &&
                      kernel.source == tableDrivenSource(bundle.type, bundle.packs());
    return same ? "" : "its text is not that of the table-driven kernels of this version";
  }
  const std::optional<AnyKernelPlan> plan = planOf(kernel);
  if (!plan)
    return "its plan cannot be read";
  try {
    return std::visit([&](const auto &any) { return findPlanFault(any, bundle, uses, number); },
                      *plan);
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::Internal)
      throw;
    return fmt::format("no text can be made of its plan: {}", error.what());
  }
}

} // namespace

std::string foreignFault(const Bundle &bundle, uint32_t kernel) {
  return faultOf(bundle, KernelUses(bundle), kernel);
}

size_t adoptKernels(Bundle &bundle, const std::string &file) {
  const KernelUses uses(bundle);
  for (uint32_t i = 0; i < bundle.kernels.size(); ++i)
    if (const std::string fault = faultOf(bundle, uses, i); !fault.empty())
      fail(ErrorKind::BadInput,
           "{}: kernel {} is not run: {}; another version of mpf made the bundle, which can be "
           "built anew, or somebody changed it (--trust, or LoadOptions::trust, runs it as it is)",
           file, bundle.kernels[i].name, fault);
  size_t images = 0;
  for (BundleKernel &kernel : bundle.kernels) {
    images += kernel.cubins.size();
    kernel.cubins.clear();
  }
  bundle.foreignKernels = false;
  return images;
}

void keepVerifiedKernels(Bundle &bundle, const std::vector<BundleKernel> &known) {
  const KernelUses uses(bundle);
  for (uint32_t i = 0; i < known.size(); ++i)
    if (bundle.kernels[i].source != known[i].source && !faultOf(bundle, uses, i).empty())
      bundle.kernels[i] = known[i];
}

} // namespace mpf
