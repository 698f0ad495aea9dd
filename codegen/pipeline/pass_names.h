// The passes of the simplifier and of the planner by name, for options that name one.
#pragma once

#include "codegen/pipeline/compile_settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// The passes that compiling with these settings runs: none of the planner where a plan is given.
std::vector<std::string_view> passNames(const CompileSettings &settings);

/// Throws Error(Usage) that starts with `asker` ("--off-pass") when `name` is not among `names`,
/// with a suggestion, or when it simplifies where nothing is simplified.
void requirePass(std::string_view asker, const std::string &name,
                 const std::vector<std::string_view> &names, const CompileSettings &settings);

/// requirePass for settings.offPasses (--off-pass) and for `printAfter` (--print-after), which may
/// name "initial-program" too and no pass that is off.
void checkPassNames(const CompileSettings &settings, const std::vector<std::string> &printAfter);

/// requirePass for settings.runPasses (--run-pass). `onPlan`: they are run on a plan's text, so
/// they are the planner's; else the simplifier's.
void checkRunPasses(const CompileSettings &settings, bool onPlan);

} // namespace mpf
