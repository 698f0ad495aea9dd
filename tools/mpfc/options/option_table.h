// What every option acts on, as data: an option that would have no effect is an error, not a shrug.
#pragma once

#include "tools/mpfc/options/stages.h"

#include <array>
#include <span>
#include <string_view>

namespace mpf::driver {

/// What --plan does to a part. The numbers of the model are still to be simplified for the query,
/// if the options say so.
enum class ByPlan { Needed, SkippedUnlessSimplifying, Skipped };

/// The part of the pipeline that an option acts on. A command does it when its MODEL is `from` or
/// an earlier stage, and when the last stage that it makes lies in `first`..`last`.
struct Effect {
  std::string_view what; ///< "planning", for messages
  Stage from, first, last;
  ByPlan byPlan = ByPlan::Needed;
  bool ofRunPass = false; ///< only where --run-pass is given
};

/// An option acts on one part, some on up to five: on any of them is enough. Messages name the
/// first.
struct OptionRow {
  std::string_view name;
  std::array<const Effect *, 5> effects;
};

/// Two options of which one would be ignored.
struct OptionConflict {
  std::string_view name, other;
  std::string_view why;
};

/// Every option of every command; null for names without a row.
const OptionRow *findOption(std::string_view name);
std::span<const OptionConflict> optionConflicts();

} // namespace mpf::driver
