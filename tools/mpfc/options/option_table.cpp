#include "tools/mpfc/options/option_table.h"

#include <algorithm>
#include <iterator>

namespace mpf::driver {

namespace {

using enum ByPlan;
using enum Stage;

constexpr Effect kAlways{"", Result, Source, Result};
constexpr Effect kParams{"the params of a model source", Source, Model, Result};
constexpr Effect kTextOnly{"the text of a model file", Source, Model, Result};
constexpr Effect kEvidence{"reading the model", Model, Model, Result};
constexpr Effect kChoosing{"choosing the query", Model, Simplified, Result,
                           SkippedUnlessSimplifying};
constexpr Effect kAsking{"choosing the query", Model, Model, Model};
constexpr Effect kSimplifying{"simplifying", Model, Simplified, Result};
constexpr Effect kPasses{"planning", Model, Simplified, Result, SkippedUnlessSimplifying};
constexpr Effect kPlanning{"planning", Model, Plan, Result, Skipped};
constexpr Effect kRunningPasses{"running passes", Plan, Simplified, Result};
constexpr Effect kOnPlan{"running a pass of the planner", Plan, Plan, Ptx, Needed, true};
constexpr Effect kTables{"the tables of a plan", Plan, Plan, Result};
constexpr Effect kKernels{"making kernels", Kernel, Kernel, Result};
constexpr Effect kForms{"making kernels", Plan, Kernel, Result};
constexpr Effect kKernelText{"printing kernels", Plan, Kernel, Ptx};
constexpr Effect kCompilingText{"compiling CUDA text", Cuda, Ptx, Ptx};
constexpr Effect kBundling{"making bundles", Model, Bundle, Result};
constexpr Effect kCompiling{"compiling GPU kernels", Bundle, Bundle, Result};
constexpr Effect kScheduling{"scheduling", Bundle, Schedule, Result};
constexpr Effect kReporting{"reports", Plan, Kernel, Kernel};
constexpr Effect kExplaining{"predicting", Model, Kernel, Kernel, Needed, false, "explain"};
constexpr Effect kRunning{"running", Bundle, Result, Result};

constexpr OptionRow kOptions[] = {
    {"--help", {&kAlways}},
    {"--emit", {&kAlways}},
    {"-x", {&kAlways}},
    {"-o", {&kAlways}},
    {"-i", {&kAlways}},
    {"--check", {&kAlways}},
    {"--verify-diagnostics", {&kAlways}},
    {"-D", {&kParams}},
    {"--normalise", {&kTextOnly}},
    {"--uai-tables", {&kTextOnly}},
    {"--evidence", {&kEvidence}},
    {"--observe", {&kEvidence}},
    {"--unobserve", {&kEvidence}},
    {"--virtual-evid", {&kEvidence}},
    {"--cases", {&kEvidence, &kRunning}},
    {"--ignore-columns", {&kEvidence, &kRunning}},
    {"--keep-columns", {&kEvidence, &kRunning}},
    {"--missing", {&kEvidence, &kRunning}},
    {"--states", {&kEvidence, &kRunning}},
    {"--on-error", {&kEvidence, &kRunning}},
    {"--engine", {&kEvidence}},
    {"--totals", {&kRunning}},
    {"--task", {&kChoosing}},
    {"--query", {&kChoosing, &kAsking}},
    {"--uai-query", {&kChoosing}},
    {"--simplify", {&kSimplifying}},
    {"--run-pass", {&kRunningPasses}},
    {"--order", {&kPlanning, &kOnPlan}},
    {"--order-file", {&kPlanning}},
    {"--seed", {&kPlanning, &kOnPlan}},
    {"--plan-time", {&kPlanning, &kOnPlan}},
    {"--plan-rounds", {&kPlanning, &kOnPlan}},
    {"--max-memory", {&kPlanning, &kRunning, &kOnPlan}},
    {"--keep", {&kPlanning, &kOnPlan}},
    {"--off-pass", {&kPasses}},
    {"--print-after", {&kPasses, &kOnPlan}},
    {"--print-changed", {&kPasses, &kOnPlan}},
    {"--time-passes", {&kPasses, &kOnPlan}},
    {"--plan", {&kBundling}},
    {"--type", {&kTables}},
    {"--arithmetic", {&kForms}},
    {"--target", {&kKernels, &kPlanning, &kCompilingText, &kOnPlan}},
    {"--operation", {&kKernelText}},
    {"--tag-digits", {&kKernelText}},
    {"--pages-per-block", {&kKernelText}},
    {"--arch", {&kAlways}},
    {"--folder", {&kAlways}},
    {"--expected-runs", {&kBundling, &kReporting, &kPlanning, &kRunning, &kOnPlan}},
    {"--autotune", {&kBundling}},
    {"--dump-kernels", {&kCompiling}},
    {"--override-kernels", {&kCompiling}},
    {"--trust", {&kCompiling}},
    {"--device", {&kScheduling, &kPlanning, &kOnPlan}},
    {"--schedule", {&kScheduling, &kExplaining}},
    {"--launches", {&kScheduling}},
    {"--resident", {&kScheduling, &kRunning}},
    {"--forbid-compiling", {&kRunning}},
    {"--threads", {&kRunning, &kScheduling, &kExplaining}},
    {"--time-limit", {&kRunning}},
    {"--yes", {&kRunning}},
    {"--verify", {&kScheduling, &kRunning}},
    {"--profile", {&kRunning}},
    {"--html", {&kReporting}},
    {"--json", {&kRunning, &kReporting}},
};

constexpr OptionConflict kConflicts[] = {
    {"--task", "--query", "each chooses the query"},
    {"--query", "--uai-query", "each chooses the query"},
    {"--run-pass", "--off-pass", "each says which passes run"},
    {"--order", "--order-file", "each says what the elimination order is"},
    {"--plan-time", "--plan-rounds", "each says how long the search is"},
    {"--autotune", "--override-kernels", "each says which kernels run"},
    {"-i", "-o", "each says where the text goes"},
    {"--check", "-i", "a check writes nothing"},
    {"--check", "-o", "a check writes nothing"},
};

} // namespace

const OptionRow *findOption(std::string_view name) {
  const auto *row = std::find_if(std::begin(kOptions), std::end(kOptions),
                                 [name](const OptionRow &option) { return option.name == name; });
  return row == std::end(kOptions) ? nullptr : row;
}

std::span<const OptionConflict> optionConflicts() { return kConflicts; }

} // namespace mpf::driver
