// KERNEL FAMILY: the type of the rows of the table of families (kernel_plan.h). A family has a plan
// type, derived from KernelHeader. Its member `form` describes the work of a kernel: one operation
// (DigitForm) or a chain of operations (ChainForm).
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

/// An entry that no row may leave out. It has no default constructor, so the compiler reports a row
/// that lacks it.
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

/// The first word of most plans' texts. The next line of the text names the family.
inline constexpr std::string_view kKernelKeyword = "kernel";

template <class Plan> using WorkOf = decltype(Plan::form);

/// Entry `variant` for families that have no variant with more resident blocks.
template <class Plan>
std::optional<OccupancyVariant<Plan>> noVariant(const Plan &, const Target &) {
  return std::nullopt;
}

template <class Plan> struct KernelFamily {
  using Work = WorkOf<Plan>;

  /// The names of its plans in texts, kernels' names and options: one, or several where the family
  /// has several kinds of kernels ("stream" and "tile").
  Required<FamilyNames> names;
  Required<std::string_view (*)(const Plan &)> nameOf; ///< which of `names` a plan has
  /// The first word of its plans' texts (plan_head.h): kKernelKeyword, or its name.
  Required<std::string_view> keyword;

  /// The kind of a plan among those for the same work (PlanKind in kernel_header.h).
  Required<PlanKind (*)(const Plan &)> kind;

  /// The whole computation of a kernel as one operation; operands in the order of its arguments.
  Required<DigitForm (*)(const Plan &)> operation;

  /// The plans for a piece of work that are worth considering (plan_offers.h); may be empty.
  Required<PlanOffers<Plan> (*)(const Work &, const KernelOptions &, const PlanWish &)> offers;
  /// The plan with more resident blocks, with its name; none where there is no such plan.
  Required<std::optional<OccupancyVariant<Plan>> (*)(const Plan &, const Target &)> variant;
  /// Gives a plan its name (name_kernel.h).
  Required<void (*)(Plan &)> setName;
  /// Sets costTerms, predictedUs and floorUs of a complete plan.
  Required<void (*)(Plan &, const Target &)> modelCost;

  /// Returns the fault of a plan that may come from a file, in one sentence; an empty string if it
  /// is sound.
  Required<std::string (*)(const Plan &, const Target &)> findFault;
  /// Whether the names that become identifiers in the emitted text have the form of planned_name.h.
  Required<bool (*)(const Plan &)> hasPlannedNames;

  /// A plan's text; reading it and printing it again gives the same text. With a `program` (may be
  /// null), comments name tables and variables.
  Required<std::string (*)(const Plan &, const TableProgram *program)> print;
  /// Reads the text of a plan behind its head; none when something was reported.
  Required<std::optional<Plan> (*)(const PlanHead &, LineReader &)> read;
};

} // namespace mpf
