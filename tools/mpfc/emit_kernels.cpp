#include "tools/mpfc/emit_kernels.h"

#include "codegen/emit/emit_cuda.h"
#include "codegen/emit/nest/preambles.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/print_kernel.h"
#include "codegen/kernel/read_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/pipeline/program_kernels.h"
#include "codegen/plan/program/program_edit.h"
#include "dsl/formats/load_text.h"
#include "dsl/source/suggest.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "tools/mpfc/compile/plan_queries.h"
#include "tools/mpfc/device_compiler.h"
#include "tools/mpfc/process/output.h"

#include <set>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

std::string textOf(const KernelPlan &plan, const TableProgram *program, Stage stage,
                   const std::string &targetName) {
  if (stage == Stage::Kernel)
    return printKernel(plan, program);
  if (stage == Stage::Ptx)
    return compileToPtx(plan.header().name, cudaSource(plan), targetName, false);
  return emitCuda(plan).text;
}

std::vector<ReadKernel> readKernelPlans(const std::string &path, const Target &target) {
  Diagnostics diagnostics;
  std::optional<std::vector<ReadKernel>> kernels = readKernels(loadText(path), diagnostics);
  printDiagnostics(diagnostics);
  if (!kernels)
    fail(ErrorKind::Internal, "{}: no kernel plan and no error reported", path);
  for (const ReadKernel &kernel : *kernels) {
    const std::string fault = findFault(kernel.plan, target);
    if (!fault.empty())
      failAt(ErrorKind::BadInput, kernel.place, "{}", fault);
  }
  return std::move(*kernels);
}

/// Collects the kernels of one stage, each shape once.
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

  /// Each source has the preamble, so that it compiles alone; here it is printed once, before all
  /// kernels.
  std::string finish() const {
    return stage_ == Stage::Cuda ? cudaPreamble(plans_) + text_ : text_;
  }

private:
  const Stage stage_;
  const std::string targetName_;
  std::set<std::string> printed_;
  std::vector<KernelPlan> plans_;
  std::string text_;
};

/// Returns the operations that make the table of --operation. An operation that only shares another
/// table is not run, so it does not count.
std::vector<OpId> operationsMaking(const std::string &table, const TableProgram &program) {
  std::vector<OpId> operations;
  for (const OpId op : operationsRun(program))
    if (program.table(program.operation(op).result).name == table)
      operations.push_back(op);
  return operations;
}

void requireOperation(const std::string &table, const std::vector<TypedProgram> &programs) {
  Suggestion suggestion(table);
  for (const TypedProgram &typed : programs) {
    if (!operationsMaking(table, typed.program).empty())
      return;
    for (const OpId op : operationsRun(typed.program))
      suggestion.offer(typed.program.table(typed.program.operation(op).result).name);
  }
  fail(ErrorKind::Usage, "--operation {}: no operation that is run makes this table{}{}", table,
       suggestion.best().empty() ? "" : ", ", suggestion.hint());
}

} // namespace

namespace {

std::string textOfPrograms(const std::vector<TypedProgram> &programs, const Options &options,
                           KernelTexts &texts) {
  const bool chains = !options.tagDigits;
  if (!options.operation.empty())
    requireOperation(options.operation, programs);
  for (const auto &[program, type] : programs) {
    requireForm(type, options.forcedLog);
    const KernelOptions kernel = kernelOptionsFor(options, type);
    for (KernelPlan &plan :
         options.operation.empty()
             ? planProgramKernels(program, kernel, chains)
             : planOperationKernels(program, operationsMaking(options.operation, program), kernel))
      texts.add(std::move(plan), &program);
  }
  return texts.finish();
}

} // namespace

std::string emitKernels(const Model &model, const Options &options, Stage stage,
                        Refusals &refusals) {
  KernelTexts texts(stage, kernelOptionsFor(options, ElementType::F64).target.name);
  return textOfPrograms(programsFor(model, options, refusals), options, texts);
}

std::string emitKernels(const Options &options, Stage stage, Refusals &refusals) {
  const Target target = kernelOptionsFor(options, ElementType::F64).target;
  if (options.startStage == Stage::Cuda)
    return compileToPtx(options.input, std::string(loadText(options.input)->text()), target.name,
                        true);
  KernelTexts texts(stage, target.name);
  if (options.startStage != Stage::Kernel)
    return textOfPrograms(programsFor(options, refusals), options, texts);
  for (ReadKernel &read : readKernelPlans(options.input, target))
    texts.add(std::move(read.plan), nullptr);
  return texts.finish();
}

} // namespace mpf::driver
