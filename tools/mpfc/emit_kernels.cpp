#include "tools/mpfc/emit_kernels.h"

#include "codegen/emit/emit_cpp.h"
#include "codegen/emit/emit_cuda.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "codegen/kernel/print_kernel.h"
#include "codegen/kernel/read_kernel.h"
#include "codegen/pipeline.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/specialise/form_shape.h"
#include "codegen/specialise/kernel_choice.h"
#include "dsl/source/text_error.h"
#include "tools/mpfc/device_compiler.h"
#include "tools/mpfc/load_model.h"
#include "tools/mpfc/output.h"
#include "tools/mpfc/plan_queries.h"

#include <set>

namespace mpf::driver {

namespace {

std::string textOf(const KernelPlan &plan, const TableProgram *program, Stage stage,
                   const std::string &targetName) {
  if (stage == Stage::Kernel)
    return printKernel(plan, program);
  if (stage == Stage::Ptx)
    return compileToPtx(plan.header().name, cudaSource(plan), targetName, false);
  return stage == Stage::Cuda ? emitCuda(plan).text : emitCpp(plan);
}

std::vector<ReadKernel> readKernelPlans(const std::string &path, Stage stage,
                                        const Target &target) {
  Diagnostics diagnostics;
  std::optional<std::vector<ReadKernel>> kernels = readKernels(loadText(path), diagnostics);
  printDiagnostics(diagnostics);
  if (!kernels)
    fail(ErrorKind::Internal, "{}: no kernel plan and no error reported", path);
  for (const ReadKernel &kernel : *kernels) {
    const std::string fault = findFault(kernel.plan, target);
    if (!fault.empty())
      failAt(ErrorKind::BadInput, kernel.place, "{}", fault);
    if (stage == Stage::Cpp && !hasCppText(kernel.plan))
      failAt(ErrorKind::BadInput, kernel.place,
             "a chain has no C++ text: on a CPU its operations run one by one");
  }
  return std::move(*kernels);
}

/// Kernels of one stage, each shape once.
class KernelTexts {
public:
  KernelTexts(Stage stage, std::string targetName)
      : stage_(stage), targetName_(std::move(targetName)) {}

  void add(KernelPlan plan, const TableProgram *program) {
    if (!printed_.insert(plan.header().name).second)
      return;
    text_ += textOf(plan, program, stage_, targetName_);
    plans_.push_back(std::move(plan));
  }

  /// Sources compile by themselves: the preamble stands once, in front of all kernels.
  std::string finish() const {
    return stage_ == Stage::Cuda  ? cudaPreamble(plans_) + text_
           : stage_ == Stage::Cpp ? cppPreamble(plans_) + text_
                                  : text_;
  }

private:
  const Stage stage_;
  const std::string targetName_;
  std::set<std::string> printed_;
  std::vector<KernelPlan> plans_;
  std::string text_;
};

/// Those that fit the target. Chains are for GPUs: they have no C++ text.
void addChains(const TableProgram &program, const KernelOptions &kernel, KernelTexts &texts) {
  if (isIntegerType(kernel.type))
    return;
  const ChainOptions options = chainOptionsFor(kernel);
  for (const ProgramChain &chain : program.chains)
    if (const auto form = findChainForm(program, chain.message, chain.operations()))
      if (auto plan = buildChain(*form, options))
        texts.add(std::move(*plan), &program);
}

} // namespace

std::string emitKernels(const Options &options, Stage stage, Refusals &refusals) {
  KernelOptions kernel;
  kernel.target = targetNamed(options.target.empty() ? kReferenceTarget : options.target);
  if (options.startStage == Stage::Cuda)
    return compileToPtx(options.input, std::string(loadText(options.input)->text()),
                        kernel.target.name, true);
  KernelTexts texts(stage, kernel.target.name);
  if (options.startStage == Stage::Kernel) {
    for (ReadKernel &read : readKernelPlans(options.input, stage, kernel.target))
      texts.add(std::move(read.plan), nullptr);
    return texts.finish();
  }

  kernel.valueForm = options.forcedLog ? ValueForm::Log : ValueForm::Linear;
  kernel.tagDigits = options.tagDigits;
  kernel.pagesPerBlock = options.pagesPerBlock;
  kernel.mergeDigits = !options.tagDigits; // the papers count variables
  for (const auto &[program, type] : programsFor(options, refusals)) {
    kernel.type = type;
    requireForm(type, options.forcedLog);
    std::vector<DigitForm> forms;
    std::set<std::string> shapes;
    for (const OpId op : operationsRun(program)) {
      DigitForm form = kernelForm(program, op, kernel.mergeDigits);
      if (shapes.insert(shapeOf(form)).second)
        forms.push_back(std::move(form));
    }
    for (KernelPlan &plan : planKernels(forms, kernel))
      texts.add(std::move(plan), &program);
    if (stage != Stage::Cpp && !options.tagDigits)
      addChains(program, kernel, texts);
  }
  return texts.finish();
}

} // namespace mpf::driver
