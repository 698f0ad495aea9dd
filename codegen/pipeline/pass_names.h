// Names the passes of the simplifier and of the planner, for options that name one.
#pragma once

#include "codegen/pipeline/compile_settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// Returns the passes that compiling with these settings runs: none of the planner if a plan is
/// given.
std::vector<std::string_view> passNames(const CompileSettings &settings);

/// Throws Error(Usage) that starts with `asker` ("--off-pass") when `name` is not among `names`,
/// with a suggestion, or when it simplifies where nothing is simplified.
void requirePass(std::string_view asker, const std::string &name,
                 const std::vector<std::string_view> &names, const CompileSettings &settings);

/// Applies requirePass to settings.offPasses (--off-pass) and to `printAfter` (--print-after),
/// which may also name "initial-program", but no pass that is off.
void checkPassNames(const CompileSettings &settings, const std::vector<std::string> &printAfter);

/// Applies requirePass to settings.runPasses (--run-pass). `onPlan`: they run on a plan's text, so
/// they are the planner's; else the simplifier's.
void checkRunPasses(const CompileSettings &settings, bool onPlan);

} // namespace mpf
