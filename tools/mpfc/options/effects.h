// The parts of the pipeline that options act on. check_options.h rejects options that would act on
// no part.
#pragma once

#include "tools/mpfc/options/stages.h"

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
  Stage since = Stage::Source;   ///< the earliest stage of a MODEL that has this part
};

namespace effect {

inline constexpr Effect kAlways{"", Stage::Result, Stage::Source, Stage::Result};
inline constexpr Effect kParams{"the params of a model source", Stage::Source, Stage::Model,
                                Stage::Result};
inline constexpr Effect kTextOnly{"the text of a model file", Stage::Source, Stage::Model,
                                  Stage::Result};
inline constexpr Effect kEvidence{"reading the model", Stage::Model, Stage::Model, Stage::Result};
inline constexpr Effect kChoosing{"choosing the query", Stage::Model, Stage::Simplified,
                                  Stage::Result, ByPlan::SkippedUnlessSimplifying};
inline constexpr Effect kAsking{"choosing the query", Stage::Model, Stage::Model, Stage::Model};
inline constexpr Effect kSimplifying{"simplifying", Stage::Model, Stage::Simplified, Stage::Result};
inline constexpr Effect kPasses{"planning", Stage::Model, Stage::Simplified, Stage::Result,
                                ByPlan::SkippedUnlessSimplifying};
inline constexpr Effect kPlanning{"planning", Stage::Model, Stage::Plan, Stage::Result,
                                  ByPlan::Skipped};
inline constexpr Effect kRunningPasses{"running passes", Stage::Plan, Stage::Simplified,
                                       Stage::Result};
inline constexpr Effect kOnPlan{
    "running a pass of the planner", Stage::Plan, Stage::Plan, Stage::Ptx, ByPlan::Needed, true};
inline constexpr Effect kTables{"the tables of a plan", Stage::Plan, Stage::Plan, Stage::Result};
inline constexpr Effect kKernels{"making kernels", Stage::Kernel, Stage::Kernel, Stage::Result};
inline constexpr Effect kForms{"making kernels", Stage::Plan, Stage::Kernel, Stage::Result};
inline constexpr Effect kKernelText{"printing kernels", Stage::Plan, Stage::Kernel, Stage::Ptx};
inline constexpr Effect kCompilingText{"compiling CUDA text", Stage::Cuda, Stage::Ptx, Stage::Ptx};
inline constexpr Effect kBundling{"making bundles", Stage::Model, Stage::Bundle, Stage::Result};
inline constexpr Effect kCompiling{"compiling GPU kernels", Stage::Bundle, Stage::Bundle,
                                   Stage::Result};
inline constexpr Effect kScheduling{"scheduling", Stage::Bundle, Stage::Schedule, Stage::Result};
inline constexpr Effect kReporting{"reports", Stage::Plan, Stage::Kernel, Stage::Kernel};
inline constexpr Effect kExplaining{"predicting",   Stage::Model, Stage::Kernel, Stage::Kernel,
                                    ByPlan::Needed, false,        "explain"};
inline constexpr Effect kLoaded{"what a bundle can change",
                                Stage::Bundle,
                                Stage::Result,
                                Stage::Result,
                                ByPlan::Needed,
                                false,
                                "run",
                                Stage::Bundle};
inline constexpr Effect kRunning{"running", Stage::Bundle, Stage::Result, Stage::Result};

} // namespace effect

} // namespace mpf::driver
