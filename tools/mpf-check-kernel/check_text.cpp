#include "tools/mpf-check-kernel/check_text.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/emit/plan_in_text.h"
#include "codegen/emit/tooling/check_source.h"
#include "codegen/kernel/verify_kernel.h"
#include "dsl/support/check.h"
#include "dsl/support/error.h"
#include "dsl/support/number_text.h"
#include "runtime/simt/check_kernel.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <optional>

namespace mpf {

namespace {

constexpr uint64_t kRuns = 3; ///< with other tables each
/// Some seconds for each run.
constexpr uint64_t kMostTerms = uint64_t{1} << 22;
constexpr uint64_t kMostCheckedBytes = uint64_t{4} << 30; ///< of host memory, for the tables

/// Their own faults would hide what is wrong with a text that none of this is made for.
constexpr const char *kWhatHasPlans =
    "only kernels of single operations and of chains, which --emit=cuda prints, can be edited; "
    "leave those that run any program (table_driven, slices, ...) and those of lists of cases as "
    "they are, or out of the folder of --override-kernels";

class TextCheck {
public:
  TextCheck(std::shared_ptr<const SourceBuffer> text, Diagnostics &diagnostics)
      : text_(std::move(text)), diagnostics_(diagnostics) {}

  std::vector<std::string> run() {
    if (!holdsPlan(text_->text())) {
      diagnostics_.error({}, "{}: expected a kernel plan in its comments: {}", text_->name(),
                         kWhatHasPlans);
      return {};
    }
    checkSource();
    if (diagnostics_.hasErrors())
      return {}; // raw accesses are none of the checker's
    const auto plans = plansInText(*text_, diagnostics_);
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
  void checkSource() {
    KernelFile file = checkKernelFile(std::string(text_->text()));
    for (const SourceFinding &finding : file.findings)
      diagnostics_.error(placeAt(finding.line, finding.column), "{}", finding.message);
    kernels_ = std::move(file.kernels);
  }

  /// Every kernel has one plan: one without a plan would not be run.
  void checkNames(const std::vector<ReadKernel> &plans) {
    for (const KernelDeclaration &kernel : kernels_) {
      const std::string &name = kernel.name;
      const auto count = std::ranges::count_if(
          plans, [&name](const ReadKernel &read) { return read.plan.header().name == name; });
      if (count != 1)
        diagnostics_.error(place(definitionOf(name), name.size()),
                           "kernel {} has {} plans in the text, it needs one", name, count);
    }
  }

  /// The runtime launches a kernel as its plan says: with the arguments and threads of the kernel
  /// that mpf emits for the plan. Clang reads that one too, so that both are spelled alike.
  void checkDeclarationsOf(const std::vector<ReadKernel> &plans) {
    std::vector<KernelPlan> emittedPlans;
    for (const ReadKernel &kernel : plans)
      emittedPlans.push_back(kernel.plan);
    std::string emitted = cudaPreamble(emittedPlans);
    for (const KernelPlan &plan : emittedPlans)
      emitted += '\n' + emitCuda(plan).text;
    for (const KernelDeclaration &expected : checkKernelFile(emitted).kernels) {
      const auto found = std::ranges::find(kernels_, expected.name, &KernelDeclaration::name);
      MPF_CHECK(found != kernels_.end(), "{} is no kernel of the text", expected.name);
      const SourcePlace at = place(definitionOf(expected.name), expected.name.size());
      if (found->parameters != expected.parameters)
        diagnostics_.error(at, "{} has the parameters ({}), it is launched with ({})",
                           expected.name, fmt::join(found->parameters, ", "),
                           fmt::join(expected.parameters, ", "));
      if (found->mostThreads != expected.mostThreads)
        diagnostics_.error(at, "{} is bounded to blocks of {} threads, it is launched with {}",
                           expected.name, found->mostThreads, expected.mostThreads);
    }
  }

  void checkPlan(const ReadKernel &kernel) {
    const std::string fault = findFaultOnAnyGpu(kernel.plan);
    if (!fault.empty())
      return diagnostics_.error(kernel.place, "{}", fault);
    if (std::ranges::find(kernels_, kernel.plan.header().name, &KernelDeclaration::name) ==
        kernels_.end())
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
      kernels.back().kernel.text = text_->text();
      kernels.back().mayTouchAnything = true;
    }
    std::vector<std::string> lines;
    try {
      simt::KernelSuite suite(std::move(kernels), std::string(text_->text()));
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
          diagnostics_.warning(placeOfSite(plan.name, conflict.site), "{}: {}", plan.name,
                               conflict.message);
    }
    return fmt::format("{}: {} runs of {} of its {} blocks", plan.name, kRuns, blocks,
                       plan.launch.gridBlocks);
  }

  bool hasFaults(const KernelHeader &plan, const simt::KernelCheck &check) {
    for (const simt::KernelProblem &fault : check.faults)
      diagnostics_.error(placeOfSite(plan.name, fault.site), "{}: {}", plan.name, fault.message);
    return !check.faults.empty();
  }

  SourcePlace placeAt(unsigned line, unsigned column) const {
    if (line == 0)
      return {};
    size_t begin = 0;
    for (unsigned i = 1; i < line && begin != std::string_view::npos; ++i)
      begin = std::min(text_->text().find('\n', begin), text_->text().size() - 1) + 1;
    return place(std::min(begin + column - 1, text_->text().size()), 1);
  }

  SourcePlace place(size_t begin, size_t bytes) const {
    return {text_, {static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + bytes)}};
  }

  size_t definitionOf(const std::string &kernel) const { return text_->text().find(kernel + "("); }

  /// Where the kernel's text names the site first; the kernel where it does not.
  SourcePlace placeOfSite(const std::string &kernel, uint32_t site) const {
    const std::string_view text = text_->text();
    const size_t begin = definitionOf(kernel);
    const size_t end = std::min(text.find("__global__", begin), text.size());
    const std::string argument = fmt::format("({}, ", site);
    const size_t at = text.find(argument, begin);
    if (site == 0 || at >= end)
      return place(begin, kernel.size());
    return place(at + 1, argument.size() - 3);
  }

  std::shared_ptr<const SourceBuffer> text_;
  std::vector<KernelDeclaration> kernels_; ///< that the text defines
  Diagnostics &diagnostics_;
};

} // namespace

std::vector<std::string> checkText(std::shared_ptr<const SourceBuffer> text,
                                   Diagnostics &diagnostics) {
  return TextCheck(std::move(text), diagnostics).run();
}

} // namespace mpf
