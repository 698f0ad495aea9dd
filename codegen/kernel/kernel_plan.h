// KERNEL PLAN: how one operation of the table program, or a chain of them, runs on a device. A plan
// contains every choice, made with one cost model (cost_model.h); emitters print the plan and
// decide nothing.
//
// A plan is of one of several families. Each family has a plan type, derived from KernelHeader
// (kernel_header.h). This file holds the table of families: code that differs by family goes
// through their rows (kernel_family.h), so that the compiler reports what a new family lacks. To
// add one, write its files, list them in codegen/kernel_families.cmake, add its type and its row
// here, and its row in codegen/emit/kernel_emitters.h.
#pragma once

#include "codegen/kernel/build/build_chain.h"
#include "codegen/kernel/build/build_matrix.h"
#include "codegen/kernel/build/build_nest.h"
#include "codegen/kernel/build/higher_occupancy_variant.h"
#include "codegen/kernel/cost/chain_cost.h"
#include "codegen/kernel/cost/cost_matrix.h"
#include "codegen/kernel/cost/cost_model.h"
#include "codegen/kernel/kernel_family.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/verify_chain.h"
#include "codegen/kernel/plan/verify_matrix.h"
#include "codegen/kernel/plan/verify_nest.h"
#include "codegen/kernel/text/print_chain.h"
#include "codegen/kernel/text/print_matrix.h"
#include "codegen/kernel/text/print_nest.h"
#include "codegen/kernel/text/read_chain.h"
#include "codegen/kernel/text/read_matrix.h"
#include "codegen/kernel/text/read_nest.h"

#include <variant>
#include <vector>

namespace mpf {

/// The families, in the order in which build_kernel.h asks for their plans. Families that are quick
/// to build come first: others may leave out plans that are slower than theirs (PlanWish::bestUs).
using AnyPlan = std::variant<MatrixPlan, NestPlan, ChainPlan>;

/// `FamilyOf<Plan>::row` is the row of a family; undefined for types that are no plan type.
template <class Plan> struct FamilyOf;

template <> struct FamilyOf<NestPlan> {
  static constexpr std::string_view kNames[] = {"stream", "tile"};
  static constexpr KernelFamily<NestPlan> row{
      .names = FamilyNames(kNames),
      .nameOf = +[](const NestPlan &plan) { return kindName(plan.kind); },
      .keyword = kKernelKeyword,
      .kind = +[](const NestPlan &plan) { return kindOf(plan); },
      .operation = +[](const NestPlan &plan) { return plan.form; },
      .offers = nestPlans,
      .variant = +[](const NestPlan &plan,
                     const Target &target) { return higherOccupancyVariant(plan, target); },
      .setName = +[](NestPlan &plan) { nameKernel(plan); },
      .modelCost =
          +[](NestPlan &plan, const Target &target) { modelCost(plan, target, Paddings::Chosen); },
      .findFault =
          +[](const NestPlan &plan, const Target &target) { return findFault(plan, target); },
      .hasPlannedNames = +[](const NestPlan &plan) { return hasPlannedNames(plan); },
      .print = printNest,
      .read = readNest,
  };
};

template <> struct FamilyOf<MatrixPlan> {
  static constexpr std::string_view kNames[] = {MatrixPlan::family};
  static constexpr KernelFamily<MatrixPlan> row{
      .names = FamilyNames(kNames),
      .nameOf = +[](const MatrixPlan &) { return MatrixPlan::family; },
      .keyword = kKernelKeyword,
      .kind = +[](const MatrixPlan &plan) { return kindOf(plan); },
      .operation = +[](const MatrixPlan &plan) { return plan.form; },
      .offers = matrixOffers,
      .variant = +[](const MatrixPlan &plan,
                     const Target &target) { return higherOccupancyVariant(plan, target); },
      .setName = +[](MatrixPlan &plan) { nameKernel(plan); },
      .modelCost = +[](MatrixPlan &plan, const Target &target) { modelCost(plan, target); },
      .findFault =
          +[](const MatrixPlan &plan, const Target &target) { return findFault(plan, target); },
      .hasPlannedNames = +[](const MatrixPlan &) { return true; }, // the plan has no names
      .print = printMatrix,
      .read = readMatrix,
  };
};

template <> struct FamilyOf<ChainPlan> {
  static constexpr std::string_view kNames[] = {ChainPlan::family};
  static constexpr KernelFamily<ChainPlan> row{
      .names = FamilyNames(kNames),
      .nameOf = +[](const ChainPlan &) { return ChainPlan::family; },
      .keyword = ChainPlan::family,
      .kind = +[](const ChainPlan &plan) { return kindOf(plan); },
      .operation = +[](const ChainPlan &plan) { return wholeOperation(plan.form); },
      .offers = chainPlans,
      .variant = noVariant<ChainPlan>,
      .setName = +[](ChainPlan &plan) { nameKernel(plan); },
      .modelCost = +[](ChainPlan &plan, const Target &target) { modelCost(plan, target, true); },
      .findFault =
          +[](const ChainPlan &plan, const Target &target) { return findFault(plan, target); },
      .hasPlannedNames = +[](const ChainPlan &plan) { return hasPlannedNames(plan); },
      .print = printChain,
      .read = readChain,
  };
};

/// The row of the family of a plan of known type.
template <class Plan> constexpr const KernelFamily<Plan> &familyOf(const Plan &) {
  return FamilyOf<Plan>::row;
}

struct KernelPlan : AnyPlan {
  using AnyPlan::AnyPlan;

  const KernelHeader &header() const;
  KernelHeader &header();
  std::string_view family() const; ///< "stream", "tile", "mma", "chain"
  /// The whole computation of the kernel as one operation; operands in the order of its arguments.
  /// Chains may have more than kMaxOperands operands.
  DigitForm operation() const;
};

inline const KernelHeader &headerOf(const KernelPlan &plan) { return plan.header(); }
/// The kind of a plan; plans of different families have different kinds.
PlanKind kindOf(const KernelPlan &plan);

/// Calls visit(row) for each family, in the order of AnyPlan.
template <class Visit> void forEachFamily(const Visit &visit) {
  [&]<class... Plans>(std::variant<Plans...> *) {
    (visit(FamilyOf<Plans>::row), ...);
  }(static_cast<AnyPlan *>(nullptr));
}

/// The names of all families, in the order of AnyPlan.
std::vector<std::string_view> familyNames();

} // namespace mpf
