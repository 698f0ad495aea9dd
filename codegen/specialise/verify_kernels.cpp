#include "codegen/specialise/verify_kernels.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/emit/table_driven_source.h"
#include "codegen/kernel/read_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "codegen/specialise/match_kernel.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <optional>

namespace mpf {

namespace {

constexpr const char *kOtherText = "its text is not what this version makes of its plan";

/// The operations and chains that each kernel is launched for.
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

/// Compares a sound plan with the operations and chains that its kernel is launched for.
std::string findUseMismatch(const KernelPlan &plan, const Bundle &bundle, const KernelUses &uses,
                            uint32_t kernel) {
  if (!isOfChain(plan) && !uses.chains[kernel].empty())
    return "it is launched for a chain, its plan is of one operation";
  if (isOfChain(plan) && !uses.operations[kernel].empty())
    return "it is launched for one operation, its plan is of a chain";
  for (const BundleOperation *operation : uses.operations[kernel])
    if (const std::string fault = findMismatch(plan, bundle, *operation); !fault.empty())
      return fmt::format("its plan is not one of operation {}: {}", operation->name, fault);
  for (const BundleChain *chain : uses.chains[kernel])
    if (const std::string fault = findMismatch(plan, bundle, *chain); !fault.empty())
      return fmt::format("its plan is not one of the chain from operation {}: {}",
                         bundle.operations[chain->first].name, fault);
  return {};
}

std::string findPlanFault(const KernelPlan &plan, const Bundle &bundle, const KernelUses &uses,
                          uint32_t number) {
  const BundleKernel &kernel = bundle.kernels[number];
  if (plan.header().name != kernel.name || !hasPlannedNames(plan))
    return "its plan has other names than the planner gives";
  if (const std::string fault = findFaultOnAnyGpu(plan); !fault.empty())
    return "its plan is not sound: " + fault;
  const LaunchShape &launch = plan.header().launch;
  if (launch.gridBlocks != kernel.gridBlocks || launch.blockThreads != kernel.blockThreads ||
      launch.sharedBytes != kernel.sharedBytes)
    return "it is launched otherwise than its plan says";
  if (std::string fault = findUseMismatch(plan, bundle, uses, number); !fault.empty())
    return fault;
  return kernel.source == cudaSource(plan) ? "" : kOtherText;
}

std::optional<KernelPlan> planOf(const BundleKernel &kernel) {
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
  const std::optional<KernelPlan> plan = planOf(kernel);
  if (!plan)
    return "its plan cannot be read";
  try {
    return findPlanFault(*plan, bundle, uses, number);
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
