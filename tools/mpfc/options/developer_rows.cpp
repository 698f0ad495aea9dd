// Options for people who work on the stages: mpfc help developers prints them.
#include "codegen/machine/placement_method.h"
#include "tools/mpfc/options/option_rows.h"
#include "tools/mpfc/options/value_readers.h"

namespace mpf::driver {

namespace {

using enum OptionGroup;

constexpr ValueWord<KeptMessages> kKept[] = {
    {"none", KeptMessages::None}, {"constant", KeptMessages::Constant}, {"all", KeptMessages::All}};
constexpr ValueWord<std::string_view> kResident[] = {
    {"auto", "auto"}, {"off", "off"}, {"on", "on"}};

std::vector<std::string_view> placements() {
  std::vector<std::string_view> names;
  for (const PlacementMethodName &method : placementMethods())
    names.emplace_back(method.name);
  return names;
}

void readSchedule(Options &options, const OptionRow &row, const std::string &text) {
  const std::string word = lowerCase(text);
  const auto found = std::ranges::find(placementMethods(), word, &PlacementMethodName::name);
  if (found == placementMethods().end())
    failUnknownWord(row, text, placements());
  options.devices.spread = found->method;
}

void readStart(Options &options, const OptionRow &, const std::string &text) {
  options.startStage = startingStage(text);
}

void readEmitted(Options &options, const OptionRow &, const std::string &text) {
  options.emitStage = emittedStage(text);
}

constexpr OptionRow kDeveloperRows[] = {
    {.name = "-x",
     .commands = kOnModels,
     .group = Developers,
     .metavar = "STAGE",
     .brief = "MODEL is the printed text of this stage",
     .value = {readStart, Completion::Choices, startingStageNames}},
    {.name = "--emit",
     .commands = {Command::Emit},
     .group = Developers,
     .metavar = "STAGE",
     .brief = "the stage that is printed",
     .value = {readEmitted, Completion::Choices, emittedStageNames},
     .count = OptionCount::Required},
    {.name = "--plan",
     .commands = {Command::Run, Command::Build, Command::Emit},
     .group = Developers,
     .metavar = "FILE",
     .brief = "a plan of the model (text of --emit=plan), instead of planning",
     .value = textIn<&Options::plan>(Completion::File),
     .effects = {&effect::kBundling}},
    {.name = "--launches",
     .commands = {Command::Emit},
     .group = Developers,
     .metavar = "FILE",
     .brief = "launches (text of --emit=schedule --device gpu) to check",
     .value = textIn<&Options::launches>(Completion::File),
     .effects = {&effect::kScheduling}},
    {.name = "--seed",
     .commands = kOnQueries,
     .group = Developers,
     .metavar = "N",
     .brief = "seed of the search for the order",
     .preset = "0",
     .value = countIn<&Options::seed, 0, UINT64_MAX>(),
     .effects = {&effect::kPlanning, &effect::kOnPlan}},
    {.name = "--plan-rounds",
     .commands = kOnQueries,
     .group = Developers,
     .metavar = "N",
     .brief = "exactly so many rounds of search",
     .text = "It repeats the plan that says rounds=N.",
     .value = countIn<&Options::planRounds, 0, UINT64_MAX>(),
     .effects = {&effect::kPlanning, &effect::kOnPlan}},
    {.name = "--keep",
     .commands = kOnQueries,
     .group = Developers,
     .metavar = "WHICH",
     .brief = "messages that later runs of a session find computed",
     .text = "The memory bound holds. Default: none for run and explain, which run once, else "
             "constant.",
     .value = wordIn<kKept, &Options::keep>(),
     .effects = {&effect::kPlanning, &effect::kOnPlan}},
    {.name = "--schedule",
     .commands = {Command::Run, Command::Explain, Command::Emit},
     .group = Developers,
     .metavar = "METHOD",
     .brief = "how operations are spread over CPU and GPU",
     .text = "greedy: each where it alone is faster. acceleration: by the acceleration schedule of "
             "Silberstein, Schuster and Owens (2011). auto: by the least predicted time.",
     .preset = "auto",
     .value = {readSchedule, Completion::Choices, placements},
     .effects = {&effect::kScheduling, &effect::kExplaining}},
    {.name = "--resident",
     .commands = {Command::Run, Command::Emit},
     .group = Developers,
     .metavar = "WHEN",
     .brief = "GPU: launches whose blocks wait for each other",
     .text = "One such launch takes the place of several. auto: where that is predicted to pay.",
     .preset = "auto",
     .value = wordIn<kResident, &Options::resident>(),
     .effects = {&effect::kScheduling, &effect::kRunning}},
    {.name = "--forbid-compiling",
     .commands = {Command::Run},
     .group = Developers,
     .brief = "a kernel that is not in the cache is an error",
     .value = flagIn<&Options::forbidCompiling>(),
     .effects = {&effect::kRunning}},
    {.name = "--dump-kernels",
     .commands = {Command::Run, Command::Build},
     .group = Developers,
     .metavar = "DIR",
     .brief = "write sources and compiler logs of GPU kernels to this folder",
     .value = textIn<&Options::dumpKernels>(Completion::Folder),
     .effects = {&effect::kCompiling}},
    {.name = "--override-kernels",
     .commands = {Command::Run},
     .group = Developers,
     .metavar = "DIR",
     .brief = "compile NAME.cu of this folder instead of kernel NAME",
     .text = "Those that were edited are checked first (mpfc check-kernel).",
     .value = textIn<&Options::overrideKernels>(Completion::Folder),
     .effects = {&effect::kCompiling}},
    {.name = "--off-pass",
     .commands = kOnQueries,
     .group = Developers,
     .metavar = "PASS",
     .brief = "leave this pass of the simplifier or planner out",
     .value = textsIn<&Options::offPasses>(),
     .count = OptionCount::Any,
     .effects = {&effect::kPasses}},
    {.name = "--run-pass",
     .commands = {Command::Emit},
     .group = Developers,
     .metavar = "PASS",
     .brief = "only this pass, once; again: more of them, in this order",
     .text = "A pass of the simplifier, or with -x plan of the planner.",
     .value = textsIn<&Options::runPasses>(),
     .count = OptionCount::Any,
     .effects = {&effect::kRunningPasses}},
    {.name = "--print-after",
     .commands = kOnQueries,
     .group = Developers,
     .metavar = "PASS",
     .brief = "print the plan after this pass",
     .value = textsIn<&Options::printAfter>(),
     .count = OptionCount::Any,
     .effects = {&effect::kPasses, &effect::kOnPlan}},
    {.name = "--print-changed",
     .commands = kOnQueries,
     .group = Developers,
     .brief = "print the plan after each pass that changed it",
     .value = flagIn<&Options::printChanged>(),
     .effects = {&effect::kPasses, &effect::kOnPlan}},
    {.name = "--time-passes",
     .commands = kOnQueries,
     .group = Developers,
     .brief = "print how long each pass took",
     .value = flagIn<&Options::timePasses>(),
     .effects = {&effect::kPasses, &effect::kOnPlan}},
    {.name = "--machine",
     .commands = {Command::Emit},
     .group = Developers,
     .metavar = "FILE",
     .brief = "plan as a run on the machine that this file describes",
     .text = "mpfc calibrate --show prints such a file. The memory bound and the threads are still "
             "those of this machine.",
     .value = textIn<&Options::machineFile>(Completion::File),
     .effects = {&effect::kPlanning, &effect::kScheduling}},
    {.name = "--operation",
     .commands = {Command::Emit},
     .group = Developers,
     .metavar = "TABLE",
     .brief = "only the kernel of the operation that makes this table",
     .value = textIn<&Options::operation>(),
     .effects = {&effect::kKernelText}},
    {.name = "--tag-digits",
     .commands = {Command::Emit},
     .group = Developers,
     .metavar = "N",
     .brief = "kernels in the scheme of the ICS'08 paper",
     .text = "N is the number of least significant digits in the cache tag.",
     .value = countIn<&Options::tagDigits, 0, 64>(),
     .effects = {&effect::kKernelText}},
    {.name = "--pages-per-block",
     .commands = {Command::Emit},
     .group = Developers,
     .metavar = "N",
     .brief = "cache pages a block visits, with --tag-digits",
     .value = countIn<&Options::pagesPerBlock, 1, uint64_t{1} << 40>(),
     .effects = {&effect::kKernelText}},
    {.name = "--verify-diagnostics",
     .commands = {Command::Check},
     .group = Developers,
     .brief = "compare reports with the expected-error comments of MODEL",
     .value = flagIn<&Options::verifyDiagnostics>()},
};

} // namespace

std::span<const OptionRow> developerRows() { return kDeveloperRows; }

} // namespace mpf::driver
