// KERNEL FAMILY: the row that every family of kernels has in the table of kernel_plan.h. A family
// is a plan type, derived from KernelHeader, with a member `form`: the work that its kernels do,
// one operation (DigitForm) or a chain of them (ChainForm).
#pragma once

#include "codegen/kernel/build/kernel_options.h"
#include "codegen/kernel/build/plan_offers.h"
#include "codegen/kernel/form/target.h"
#include "codegen/kernel/text/plan_head.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace mpf {

/// An entry that no row may leave out: it has no default, so that the compiler names what is
/// missing.
template <class Entry> class Required {
public:
  // NOLINTNEXTLINE(google-explicit-constructor): rows are written as lists of functions.
  constexpr Required(Entry entry) : entry_(entry) {}
  constexpr operator Entry() const { return entry_; }
  template <class... Arguments> constexpr auto operator()(Arguments &&...arguments) const {
    return entry_(std::forward<Arguments>(arguments)...);
  }

private:
  Entry entry_;
};

using FamilyNames = std::span<const std::string_view>;

/// Families that share it are told apart by the line behind it.
inline constexpr std::string_view kKernelKeyword = "kernel";

template <class Plan> using WorkOf = decltype(Plan::form);

/// For the row of a family whose kernels have no other number of resident blocks.
template <class Plan>
std::optional<OccupancyVariant<Plan>> noVariant(const Plan &, const Target &) {
  return std::nullopt;
}

template <class Plan> struct KernelFamily {
  using Work = WorkOf<Plan>;

  /// What its plans are called: in texts, kernels' names and options. One, or more where the family
  /// has several kinds of kernels.
  Required<FamilyNames> names;
  Required<std::string_view (*)(const Plan &)> nameOf;
  /// The first word of its plans' texts (plan_head.h): kKernelKeyword, or its name.
  Required<std::string_view> keyword;

  /// What sets kernels of this family for the same work apart (kernel_header.h).
  Required<PlanKind (*)(const Plan &)> kind;

  /// The operation that a kernel performs as a whole; operands in the order of its arguments.
  Required<DigitForm (*)(const Plan &)> operation;

  /// Plans for a piece of work: all that are worth a choice, none where the family has none.
  Required<PlanOffers<Plan> (*)(const Work &, const KernelOptions &, const PlanWish &)> offers;
  /// The plan with more blocks resident, named; none where there is no such plan.
  Required<std::optional<OccupancyVariant<Plan>> (*)(const Plan &, const Target &)> variant;
  /// Gives a plan its name (name_kernel.h).
  Required<void (*)(Plan &)> setName;
  /// Fills costTerms, predictedUs and floorUs of a complete plan.
  Required<void (*)(Plan &, const Target &)> modelCost;

  /// What is wrong with a plan that may come from a file, in one sentence; empty when it is sound.
  Required<std::string (*)(const Plan &, const Target &)> findFault;
  /// Whether what becomes an identifier in the emitted text is named as the planner names it.
  Required<bool (*)(const Plan &)> hasPlannedNames;

  /// Reading what was printed and printing it again gives the same text. `program`, if there is
  /// one, gives names in comments.
  Required<std::string (*)(const Plan &, const TableProgram *program)> print;
  Required<std::optional<Plan> (*)(const PlanHead &, LineReader &)> read;
};

} // namespace mpf
