#include "codegen/specialise/match_kernel.h"

#include "codegen/bundle/chain_tables.h"
#include "codegen/kernel/build_kernel.h"
#include "codegen/specialise/kernel_suitability.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <vector>

namespace mpf {

namespace {

/// Compares the arithmetic of a kernel for an operation of this semiring, or for a chain that
/// begins with one.
std::string findValueMismatch(ElementType type, ValueForm form, Semiring semiring,
                              const Bundle &bundle) {
  const ValueForm wanted = valueFormOf(semiringOfNumbers(semiring),
                                       bundle.forcedLog ? ValueForm::Log : ValueForm::Linear);
  if (type != bundle.type || form != wanted)
    return fmt::format("it computes {} {}, the program has {} {}",
                       form == ValueForm::Log ? "log" : "linear", elementTypeName(type),
                       wanted == ValueForm::Log ? "log" : "linear", elementTypeName(bundle.type));
  if (bundle.forcedLog && bundle.signedValues)
    return "it keeps no signs of logarithms, which the program has";
  return {};
}

/// Returns the places of an access, contiguous ones merged: equal lists read equal entries.
template <class Digits>
std::vector<StridedPlace> mergedPlaces(const Digits &digits, const std::vector<uint64_t> &strides) {
  std::vector<StridedPlace> merged;
  for (const StridedPlace &place : placesOf(digits, strides))
    if (!merged.empty() &&
        place.stride == saturatingMul(merged.back().stride, merged.back().extent))
      merged.back().extent = saturatingMul(merged.back().extent, place.extent);
    else
      merged.push_back(place);
  return merged;
}

/// An access of the bundle, and the operation over whose digits its strides are.
struct OperationAccess {
  const BundleOperation *operation;
  const BundleAccess *access;
};

/// Returns the accesses of a chain in the order of chainOperands, then the result.
std::vector<OperationAccess> accessesOf(const Bundle &bundle, const BundleChain &chain) {
  std::vector<OperationAccess> list;
  for (const BundleAccess *access : chainOperands(bundle, chain))
    for (uint32_t step = 0; step < chain.count; ++step) {
      const BundleOperation &operation = bundle.operations[chain.first + step];
      const auto *first = operation.operands.data();
      if (access >= first && access < first + operation.operands.size())
        list.push_back({&operation, access});
    }
  list.push_back({&bundle.operations[chain.first + chain.count - 1], &chainResult(bundle, chain)});
  return list;
}

bool operandsAreAligned(const BundleOperation &operation, ElementType type) {
  return std::ranges::all_of(operation.operands, [type](const BundleAccess &access) {
    return slicesAreAligned(access.sliceStridesElems, type);
  });
}

std::string findStepMismatch(const ChainForm &form, size_t number,
                             const BundleOperation &operation) {
  const ChainStep &step = form.steps[number];
  if (semiringOfNumbers(operation.semiring) != form.semiring)
    return fmt::format("step {} computes in another semiring than operation {}", number,
                       operation.name);
  uint64_t reduced = 1;
  for (const DigitId digit : step.reduced)
    reduced = saturatingMul(reduced, form.digits[digit.index()].extent);
  if (step.factorCount + 1 != operation.operands.size() ||
      reduced != operation.reducedAddresses() ||
      messageElems(form, number + 1) != operation.keptAddresses())
    return fmt::format("step {} has {} factors, {} results of {} terms, operation {} has {}, {} of "
                       "{}",
                       number, step.factorCount, messageElems(form, number + 1), reduced,
                       operation.name, operation.operands.size() - 1, operation.keptAddresses(),
                       operation.reducedAddresses());
  return {};
}

std::string findWorkMismatch(const KernelHeader &plan, const DigitForm &form, const Bundle &bundle,
                             const BundleOperation &operation) {
  if (std::string fault = findValueMismatch(plan.type, plan.valueForm, operation.semiring, bundle);
      !fault.empty())
    return fault;
  if (form.semiring != semiringOfNumbers(operation.semiring))
    return fmt::format("it computes in the semiring {}", semiringName(form.semiring));
  if (form.digits.size() != operation.digits.size() ||
      form.operands.size() != operation.operands.size())
    return fmt::format("it has {} digits and {} operands, the operation {} and {}",
                       form.digits.size(), form.operands.size(), operation.digits.size(),
                       operation.operands.size());
  for (size_t d = 0; d < form.digits.size(); ++d)
    if (form.digits[d].extent != operation.digits[d].extent ||
        form.digits[d].reduced != operation.digits[d].reduced)
      return fmt::format(
          "its digit {} has {} values, the operation's {}, or is not kept as that is", d,
          form.digits[d].extent, operation.digits[d].extent);
  for (size_t i = 0; i <= form.operands.size(); ++i) {
    const bool isResult = i == form.operands.size();
    const DigitAccess &planned = isResult ? form.result : form.operands[i];
    const BundleAccess &access = isResult ? operation.result : operation.operands[i];
    const BundleBuffer &buffer = bundle.buffer(access.buffer);
    if (planned.stridesElems != access.stridesElems || planned.sizeElems > buffer.sizeElems ||
        planned.packed != buffer.packed)
      return fmt::format("it has another table than {} as {} {}", buffer.name,
                         isResult ? "result" : "operand", i);
  }
  if (!operandsAreAligned(operation, bundle.type))
    return "its wide loads begin where no slice does";
  return {};
}

std::string findWorkMismatch(const KernelHeader &plan, const ChainForm &form, const Bundle &bundle,
                             const BundleChain &chain) {
  if (std::string fault = findValueMismatch(plan.type, plan.valueForm,
                                            bundle.operations[chain.first].semiring, bundle);
      !fault.empty())
    return fault;
  if (form.steps.size() != chain.count)
    return fmt::format("it has {} steps, the chain {} operations", form.steps.size(), chain.count);
  for (size_t step = 0; step < form.steps.size(); ++step) {
    const BundleOperation &operation = bundle.operations[chain.first + step];
    if (std::string fault = findStepMismatch(form, step, operation); !fault.empty())
      return fault;
    if (!operandsAreAligned(operation, bundle.type))
      return "its wide loads begin where no slice does";
  }
  std::vector<const DigitAccess *> planned{&form.message};
  for (const DigitAccess &factor : form.factors)
    planned.push_back(&factor);
  planned.push_back(&form.result);
  const std::vector<OperationAccess> accesses = accessesOf(bundle, chain);
  if (planned.size() != accesses.size())
    return fmt::format("it has {} tables, the chain {}", planned.size(), accesses.size());
  for (size_t i = 0; i < planned.size(); ++i) {
    const auto &[operation, access] = accesses[i];
    const BundleBuffer &buffer = bundle.buffer(access->buffer);
    if (mergedPlaces(form.digits, planned[i]->stridesElems) !=
            mergedPlaces(operation->digits, access->stridesElems) ||
        planned[i]->sizeElems > buffer.sizeElems || planned[i]->packed != buffer.packed)
      return fmt::format("it has another table than {} as number {}", buffer.name, i);
  }
  return {};
}

std::string findWorkMismatch(const KernelHeader &, const DigitForm &, const Bundle &,
                             const BundleChain &) {
  return "it is of one operation";
}

std::string findWorkMismatch(const KernelHeader &, const ChainForm &, const Bundle &,
                             const BundleOperation &) {
  return "it is of a chain";
}

} // namespace

std::string findMismatch(const KernelPlan &plan, const Bundle &bundle,
                         const BundleOperation &operation) {
  return std::visit(
      [&](const auto &any) { return findWorkMismatch(any, any.form, bundle, operation); }, plan);
}

std::string findMismatch(const KernelPlan &plan, const Bundle &bundle, const BundleChain &chain) {
  return std::visit([&](const auto &any) { return findWorkMismatch(any, any.form, bundle, chain); },
                    plan);
}

bool isOfChain(const KernelPlan &plan) {
  return std::visit(
      []<class Plan>(const Plan &) { return std::is_same_v<WorkOf<Plan>, ChainForm>; }, plan);
}

} // namespace mpf
