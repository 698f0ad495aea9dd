// How a query is simplified and planned.
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

#include <filesystem>

namespace mpf::driver {

namespace {

using enum OptionGroup;

constexpr ValueWord<Simplification> kSimplifications[] = {{"none", Simplification::Off},
                                                          {"values", Simplification::Tables},
                                                          {"all", Simplification::All}};
constexpr ValueWord<OrderMethod> kOrderMethods[] = {{"auto", OrderMethod::Auto},
                                                    {"min-fill", OrderMethod::MinFill},
                                                    {"min-weight", OrderMethod::MinWeight},
                                                    {"sweep", OrderMethod::Sweep}};

/// A method, or a file: what exists, has a dot or a slash in it, or is the standard input.
void readOrder(Options &options, const OptionRow &row, const std::string &text) {
  std::error_code ignored;
  const bool isFile = text == "-" || text.find_first_of("./") != std::string::npos ||
                      std::filesystem::exists(text, ignored);
  const auto isMethod = [&](const auto &known) { return known.word == lowerCase(text); };
  if (isFile && std::ranges::none_of(kOrderMethods, isMethod))
    options.orderFile = text;
  else
    options.order = valueOfWord<kOrderMethods>(row, text);
}

constexpr OptionRow kPlanningRows[] = {
    {.name = "--order",
     .commands = kOnQueries,
     .group = Planning,
     .metavar = "METHOD-OR-FILE",
     .brief = "how the elimination order is found, or a file that gives it",
     .text = "auto searches over a portfolio. A file is an order of toulbar2 (.order) or a tree "
             "decomposition of PACE (.td); one that is called like a method is ./sweep.",
     .preset = "auto",
     .value = {readOrder, Completion::FileOrChoices, wordsOf<kOrderMethods>},
     .effects = {&effect::kPlanning, &effect::kOnPlan}},
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
    {.name = "--runs",
     .commands = kOnQueries,
     .group = Planning,
     .metavar = "RUNS",
     .brief = "how often this will run",
     .text =
         "For many runs mpfc spends more time on planning, on compiling a kernel and on opening "
         "a GPU. Default: 100 for compiling on a GPU, else 1; with a list of cases its "
         "rows (of a pipe 10000). inf: every operation has a kernel on a GPU.",
     .value = positiveIn<&Options::expectedRuns>(),
     .effects = {&effect::kBundling, &effect::kReporting, &effect::kPlanning, &effect::kRunning,
                 &effect::kOnPlan}},
    {.name = "--simplify",
     .commands = kOnQueries,
     .group = Planning,
     .metavar = "WHAT",
     .brief = "what never changes later, so that mpfc may remove it",
     .text = "none: nothing. values: the values. all: the evidence too. Default: all for run, "
             "explain, --emit=simplified and --emit=tw; else none, and with --plan.",
     .value = wordIn<kSimplifications, &Options::simplify>(),
     .effects = {&effect::kSimplifying}},
};

} // namespace

std::span<const OptionRow> planningRows() { return kPlanningRows; }

} // namespace mpf::driver
