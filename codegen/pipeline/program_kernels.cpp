#include "codegen/pipeline/program_kernels.h"

#include "codegen/plan/program/program_edit.h"
#include "codegen/specialise/kernel_choice.h"
#include "codegen/specialise/planned_kernels.h"

#include <set>
#include <string>
#include <utility>

namespace mpf {

namespace {

void addChains(const TableProgram &program, const KernelOptions &options,
               std::vector<KernelPlan> &plans) {
  for (const ProgramChain &chain : program.chains)
    if (const auto form = findChainForm(program, chain.message, chain.operations()))
      for (KernelPlan &plan : buildKernels(*form, options, 1))
        plans.push_back(std::move(plan));
}

} // namespace

std::vector<KernelPlan> planOperationKernels(const TableProgram &program,
                                             std::span<const OpId> operations,
                                             const KernelOptions &options) {
  std::vector<DigitForm> forms;
  std::set<std::string> shapes;
  for (const OpId op : operations) {
    DigitForm form = kernelForm(program, op, options.mergeDigits);
    if (shapes.insert(shapeOf(form)).second)
      forms.push_back(std::move(form));
  }
  return planKernels(forms, options);
}

std::vector<KernelPlan> planProgramKernels(const TableProgram &program,
                                           const KernelOptions &options, bool chains) {
  std::vector<KernelPlan> plans = planOperationKernels(program, operationsRun(program), options);
  if (chains)
    addChains(program, options, plans);
  return plans;
}

} // namespace mpf
