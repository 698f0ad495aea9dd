#include "codegen/pipeline/program_kernels.h"

#include "codegen/kernel/build/build_chain.h"
#include "codegen/plan/program/program_edit.h"
#include "codegen/specialise/form_shape.h"
#include "codegen/specialise/kernel_choice.h"

#include <set>
#include <string>
#include <utility>

namespace mpf {

namespace {

void addChains(const TableProgram &program, const KernelOptions &options,
               std::vector<AnyKernelPlan> &plans) {
  const ChainOptions chainOptions = chainOptionsFor(options);
  for (const ProgramChain &chain : program.chains)
    if (const auto form = findChainForm(program, chain.message, chain.operations()))
      if (auto plan = buildChain(*form, chainOptions))
        plans.emplace_back(std::move(*plan));
}

} // namespace

std::vector<AnyKernelPlan> planOperationKernels(const TableProgram &program,
                                                std::span<const OpId> operations,
                                                const KernelOptions &options) {
  std::vector<DigitForm> forms;
  std::set<std::string> shapes;
  for (const OpId op : operations) {
    DigitForm form = kernelForm(program, op, options.mergeDigits);
    if (shapes.insert(shapeOf(form)).second)
      forms.push_back(std::move(form));
  }
  std::vector<AnyKernelPlan> plans;
  for (KernelPlan &plan : planKernels(forms, options))
    plans.emplace_back(std::move(plan));
  return plans;
}

std::vector<AnyKernelPlan> planProgramKernels(const TableProgram &program,
                                              const KernelOptions &options, bool chains) {
  std::vector<AnyKernelPlan> plans = planOperationKernels(program, operationsRun(program), options);
  if (chains && !isIntegerType(options.type))
    addChains(program, options, plans);
  return plans;
}

} // namespace mpf
