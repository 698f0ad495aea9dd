// The table of what every option acts on. check_options.h uses it to reject options that would have
// no effect.
#pragma once

#include "tools/mpfc/options/stages.h"

#include <array>
#include <span>
#include <string_view>

namespace mpf::driver {

/// Whether a part of the pipeline still runs with --plan. The model is still simplified for the
/// query if the options ask for that.
enum class ByPlan { Needed, SkippedUnlessSimplifying, Skipped };

/// A part of the pipeline that an option acts on. A command runs this part if its MODEL is `from`
/// or an earlier stage, and the last stage that it makes lies in `first`..`last`.
struct Effect {
  std::string_view what; ///< "planning", for messages
  Stage from, first, last;
  ByPlan byPlan = ByPlan::Needed;
  bool ofRunPass = false;        ///< only if --run-pass is given
  std::string_view command = {}; ///< the only command that runs this part; empty: any command
};

/// An option acts on one to five parts; it has an effect if the command runs any of them. Messages
/// name the first.
struct OptionRow {
  std::string_view name;
  std::array<const Effect *, 5> effects;
};

/// Two options that contradict each other: one of them would be ignored.
struct OptionConflict {
  std::string_view name, other;
  std::string_view why;
};

/// The row of an option of any command; null for names without a row.
const OptionRow *findOption(std::string_view name);
std::span<const OptionConflict> optionConflicts();

} // namespace mpf::driver
