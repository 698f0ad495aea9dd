#include "tools/mpfc/emit_kernels.h"

#include "codegen/emit/emit_cpp.h"
#include "codegen/emit/emit_cuda.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/kernel/print_kernel.h"
#include "codegen/kernel/read_kernel.h"
#include "codegen/kernel/verify_kernel.h"
#include "codegen/plan/program_edit.h"
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
    return compileToPtx(plan.name, cudaSource(plan), targetName, false);
  return stage == Stage::Cuda ? emitCuda(plan).text : emitCpp(plan);
}

std::vector<ReadKernel> readKernelPlans(const std::string &path, const Target &target) {
  Diagnostics diagnostics;
  std::optional<std::vector<ReadKernel>> kernels = readKernels(loadText(path), diagnostics);
  printDiagnostics(diagnostics);
  if (!kernels)
    fail(ErrorKind::Internal, "{}: no kernel plan and no error reported", path);
  for (const ReadKernel &kernel : *kernels)
    if (const std::string fault = findFault(kernel.plan, target); !fault.empty())
      failAt(ErrorKind::BadInput, kernel.place, "{}", fault);
  return std::move(*kernels);
}

} // namespace

std::string emitKernels(const Options &options, Stage stage) {
  // Sources compile by themselves: the preamble stands once, in front of all kernels.
  const auto withPreamble = [&](const std::vector<KernelPlan> &plans, const std::string &text) {
    return stage == Stage::Cuda  ? cudaPreamble(plans) + text
           : stage == Stage::Cpp ? std::string(kCppPreamble) + text
                                 : text;
  };
  KernelOptions kernel;
  kernel.target = targetNamed(options.target.empty() ? "sm_90" : options.target);
  if (options.startStage == Stage::Cuda)
    return compileToPtx(options.input, std::string(loadText(options.input)->text()),
                        kernel.target.name, true);
  if (options.startStage == Stage::Kernel) {
    std::vector<KernelPlan> plans;
    std::string text;
    for (ReadKernel &read : readKernelPlans(options.input, kernel.target)) {
      text += textOf(read.plan, nullptr, stage, kernel.target.name);
      plans.push_back(std::move(read.plan));
    }
    return withPreamble(plans, text);
  }

  kernel.valueForm = options.forcedLog ? ValueForm::Log : ValueForm::Linear;
  kernel.tagDigits = options.tagDigits;
  kernel.pagesPerBlock = options.pagesPerBlock;
  kernel.mergeDigits = !options.tagDigits; // the papers count variables
  std::set<std::string> printed;
  std::vector<KernelPlan> plans;
  std::string text;
  for (const auto &[program, type] : programsFor(options)) {
    kernel.type = type;
    for (const OpId op : operationsRun(program)) {
      KernelPlan plan = buildKernel(program, op, kernel);
      if (!printed.insert(plan.name).second)
        continue;
      text += textOf(plan, &program, stage, kernel.target.name);
      plans.push_back(std::move(plan));
    }
  }
  return withPreamble(plans, text);
}

} // namespace mpf::driver
