// How a query is simplified and planned.
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

namespace mpf::driver {

namespace {

using enum OptionGroup;

constexpr ValueWord<Simplification> kSimplifications[] = {
    {"off", Simplification::Off}, {"tables", Simplification::Tables}, {"all", Simplification::All}};
constexpr ValueWord<OrderMethod> kOrderMethods[] = {{"auto", OrderMethod::Auto},
                                                    {"min-fill", OrderMethod::MinFill},
                                                    {"min-weight", OrderMethod::MinWeight},
                                                    {"sweep", OrderMethod::Sweep}};

constexpr OptionRow kPlanningRows[] = {
    {.name = "--order",
     .commands = kOnQueries,
     .group = Planning,
     .metavar = "METHOD",
     .brief = "how the elimination order is found",
     .text = "auto searches over a portfolio.",
     .preset = "auto",
     .value = wordIn<kOrderMethods, &Options::order>(),
     .effects = {&effect::kPlanning, &effect::kOnPlan}},
    {.name = "--order-file",
     .commands = kOnQueries,
     .group = Planning,
     .metavar = "FILE",
     .brief = "the elimination order: toulbar2 .order, or PACE .td",
     .value = textIn<&Options::orderFile>(Completion::File),
     .effects = {&effect::kPlanning}},
    {.name = "--plan-time",
     .commands = kOnQueries,
     .group = Planning,
     .metavar = "SECONDS",
     .brief = "time to search for the order",
     .text = "Ctrl-C ends the search with the best order so far. If the plan needs slices, a short "
             "search may find bad ones, or none.",
     .preset = "a share of the predicted run",
     .value = positiveIn<&Options::planSeconds>(),
     .effects = {&effect::kPlanning, &effect::kOnPlan}},
    {.name = "--expected-runs",
     .commands = kOnQueries,
     .group = Planning,
     .metavar = "RUNS",
     .brief = "how often this will run",
     .text = "mpfc compiles a kernel, plans longer and opens a GPU where that saves time over so "
             "many runs. Default: 100 for compiling on a GPU, else 1; with a list of cases its "
             "rows (of a pipe 10000). inf: every operation has a kernel on a GPU.",
     .value = positiveIn<&Options::expectedRuns>(),
     .effects = {&effect::kBundling, &effect::kReporting, &effect::kPlanning, &effect::kRunning,
                 &effect::kOnPlan}},
    {.name = "--simplify",
     .commands = kOnQueries,
     .group = Planning,
     .metavar = "WHAT",
     .brief = "what is final, so that it may be simplified away",
     .text = "off: nothing. tables: the values. all: the evidence too. Default: all for run, "
             "explain, --emit=simplified and --emit=tw; else off, and with --plan.",
     .value = wordIn<kSimplifications, &Options::simplify>(),
     .effects = {&effect::kSimplifying}},
};

} // namespace

std::span<const OptionRow> planningRows() { return kPlanningRows; }

} // namespace mpf::driver
