#include "tools/mpf-check-kernel/check_text.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/emit/marked_text.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/emit/plan_in_text.h"
#include "codegen/emit/tooling/check_source.h"
#include "codegen/kernel/verify_kernel.h"
#include "dsl/support/error.h"
#include "dsl/support/number_text.h"
#include "runtime/simt/check_kernel.h"
#include "tools/mpf-check-kernel/check_lane_text.h"
#include "tools/mpf-check-kernel/check_table_text.h"
#include "tools/mpf-check-kernel/checked_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace mpf {

namespace {

constexpr uint64_t kRuns = 3; ///< number of runs, each with other tables
/// Greatest number of terms: a run takes some seconds.
constexpr uint64_t kMostTerms = uint64_t{1} << 22;
constexpr uint64_t kMostCheckedBytes = uint64_t{4} << 30; ///< greatest host memory for tables

/// The texts that can be checked. Other texts are refused, because their faults would hide this.
constexpr const char *kWhatHasPlans =
    "kernels of single operations and of chains, which --emit=cuda prints, those of lists of "
    "cases, and table-driven ones whose preamble is as mpf wrote it can be edited; leave others "
    "(slices, guards, ...) as they are, or out of the folder of --override-kernels";

/// Checks kernels of single operations and of chains, each with the plan in its comments.
class CheckedKernels {
public:
  explicit CheckedKernels(CheckedText &text) : text_(text), diagnostics_(text.diagnostics()) {}

  std::vector<std::string> run() {
    text_.checkSource(preambleBytes(text_.text()), "");
    if (diagnostics_.hasErrors())
      return {}; // the SIMT checker cannot see raw accesses
    const auto plans = plansInText(text_.buffer(), diagnostics_);
    if (!plans)
      return {};
    for (const ReadKernel &kernel : *plans)
      checkPlan(kernel);
    checkNames(*plans);
    if (!diagnostics_.hasErrors())
      checkDeclarationsOf(*plans);
    return diagnostics_.hasErrors() ? std::vector<std::string>() : runKernels(*plans);
  }

private:
  /// Checks that every kernel has one plan: a kernel without a plan would not run.
  void checkNames(const std::vector<ReadKernel> &plans) {
    for (const KernelDeclaration &kernel : text_.kernels()) {
      const std::string &name = kernel.name;
      const auto count = std::ranges::count_if(
          plans, [&name](const ReadKernel &read) { return read.plan.header().name == name; });
      if (count != 1)
        diagnostics_.error(text_.placeOfKernel(name),
                           "kernel {} has {} plans in the text, it needs one", name, count);
    }
  }

  /// Compares declarations. The runtime launches a kernel with the arguments and threads of the
  /// kernel that mpf emits for the plan. Clang reads both texts, so that spellings agree.
  void checkDeclarationsOf(const std::vector<ReadKernel> &plans) {
    std::vector<KernelPlan> emittedPlans;
    for (const ReadKernel &kernel : plans)
      emittedPlans.push_back(kernel.plan);
    std::string emitted = cudaPreamble(emittedPlans);
    for (const KernelPlan &plan : emittedPlans)
      emitted += '\n' + emitCuda(plan).text;
    text_.checkDeclarations(checkKernelFile(emitted, preambleBytes(emitted)).kernels);
  }

  void checkPlan(const ReadKernel &kernel) {
    const std::string fault = findFaultOnAnyGpu(kernel.plan);
    if (!fault.empty())
      return diagnostics_.error(kernel.place, "{}", fault);
    if (std::ranges::find(text_.kernels(), kernel.plan.header().name, &KernelDeclaration::name) ==
        text_.kernels().end())
      return diagnostics_.error(kernel.place, "the text has no kernel {}",
                                kernel.plan.header().name);
    if (!hasNameOfItsPlan(kernel.plan))
      return diagnostics_.error(kernel.place,
                                "{} is not the name that a kernel of this plan has: the plan was "
                                "edited, or belongs to another kernel",
                                kernel.plan.header().name);
    const uint64_t bytes = simt::checkedBytes(kernel.plan.operation(), kernel.plan.header().type);
    if (bytes > kMostCheckedBytes)
      diagnostics_.error(kernel.place,
                         "to watch its tables takes {} of memory, at most {} are taken",
                         formatBytes(bytes), formatBytes(kMostCheckedBytes));
  }

  std::vector<std::string> runKernels(const std::vector<ReadKernel> &plans) {
    std::vector<simt::TestKernel> kernels, emittedKernels;
    for (const ReadKernel &kernel : plans) {
      kernels.push_back(simt::testKernel(kernel.plan));
      emittedKernels.push_back(kernels.back());
      kernels.back().kernel.text = text_.text();
      kernels.back().mayTouchAnything = true;
    }
    std::vector<std::string> lines;
    try {
      simt::KernelSuite suite(std::move(kernels), std::string(text_.text()));
      simt::KernelSuite emitted(std::move(emittedKernels));
      for (size_t i = 0; i < plans.size(); ++i)
        lines.push_back(runKernel(suite, emitted, i));
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::BadInput)
        throw;
      diagnostics_.error({}, "{}", error.what());
    }
    return lines;
  }

  std::string runKernel(simt::KernelSuite &suite, simt::KernelSuite &emitted, size_t number) {
    const KernelHeader &plan = suite.kernel(number).header();
    uint64_t blocks = 0;
    for (uint64_t seed = 0; seed < kRuns; ++seed) {
      const simt::KernelCheckOptions options{seed, kMostTerms, &emitted};
      const simt::KernelCheck check = simt::checkKernel(suite, number, options);
      blocks = std::max(blocks, check.blocksRun);
      if (hasFaults(plan, check))
        break;
      if (seed == 0 && hasFaults(plan, simt::checkRefusals(suite, number, options)))
        break;
      if (seed == 0)
        for (const simt::KernelProblem &conflict : check.conflicts)
          diagnostics_.warning(text_.placeOfSite(plan.name, conflict.site), "{}: {}", plan.name,
                               conflict.message);
    }
    return fmt::format("{}: {} runs of {} of its {} blocks", plan.name, kRuns, blocks,
                       plan.launch.gridBlocks);
  }

  bool hasFaults(const KernelHeader &plan, const simt::KernelCheck &check) const {
    return text_.report(plan.name, check.faults);
  }

  CheckedText &text_;
  Diagnostics &diagnostics_;
};

} // namespace

std::vector<std::string> checkText(std::shared_ptr<const SourceBuffer> text,
                                   Diagnostics &diagnostics) {
  CheckedText checked(std::move(text), diagnostics);
  if (isOfLanes(checked.text()))
    return checkLaneText(checked);
  if (isTableDriven(checked.text()))
    return checkTableText(checked);
  if (hasMarkedLines(checked.text()))
    return CheckedKernels(checked).run();
  diagnostics.error({}, "{}: expected a kernel plan in its comments: {}", checked.buffer().name(),
                    kWhatHasPlans);
  return {};
}

} // namespace mpf
