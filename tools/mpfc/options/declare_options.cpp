#include "tools/mpfc/options/declare_options.h"

#include "dsl/formats/model_formats.h"
#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/schedule/placement/placement.h"
#include "tools/mpfc/options/declare_case_options.h"
#include "tools/mpfc/options/declare_model_options.h"
#include "tools/mpfc/options/option_values.h"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

namespace mpf::driver {

namespace {

void addPlanning(CLI::App &command, Options &options) {
  addWord<std::optional<Simplification>>(
      command, "--simplify", options.simplify,
      {{"off", Simplification::Off},
       {"tables", Simplification::Tables},
       {"all", Simplification::All}},
      "what is final and may be simplified away; tables: values, not evidence (default: all "
      "for run, explain, --emit=simplified and --emit=tw; off for the others and with --plan)");
  addWord<OrderMethod>(command, "--order", options.order,
                       {{"auto", OrderMethod::Auto},
                        {"min-fill", OrderMethod::MinFill},
                        {"min-weight", OrderMethod::MinWeight},
                        {"sweep", OrderMethod::Sweep}},
                       "how the elimination order is found");
  command.add_option("--order-file", options.orderFile,
                     "the elimination order: toulbar2 .order or PACE tree decomposition .td");
  addCount(command, "--seed", "of the search for the order (default 0)", 0, UINT64_MAX,
           [&options](uint64_t seed) { options.seed = seed; });
  command.add_option_function<std::string>(
      "--plan-time",
      [&options](const std::string &text) {
        options.planSeconds = positiveNumber("--plan-time", "seconds", text);
      },
      "seconds to search for the order (default: a share of the predicted run)");
  addCount(command, "--plan-rounds",
           "exactly so many rounds of search: repeats the plan that says rounds=N", 0, UINT64_MAX,
           [&options](uint64_t rounds) { options.planRounds = rounds; });
  addWord<std::optional<ElementType>>(command, "--type", options.type,
                                      {{"f64", ElementType::F64},
                                       {"f32", ElementType::F32},
                                       {"u64", ElementType::U64},
                                       {"u128", ElementType::U128}},
                                      "entries of the tables, u64 and u128 for exact counts "
                                      "(default: as the query says, else f64)");
  addWord<bool>(command, "--arithmetic", options.forcedLog, {{"auto", false}, {"log", true}},
                "auto (default): linear where it is exact, else logs; log: logs throughout");
  command.add_option_function<std::string>(
      "--max-memory",
      [&options](const std::string &text) {
        const std::optional<uint64_t> bytes = parseBytes(text);
        if (!bytes)
          fail(ErrorKind::Usage, "--max-memory {}: expected a size such as 512M or 4GiB", text);
        options.maxMemoryBytes = *bytes;
      },
      "such as 4GiB: plans whose tables need more are sliced, and refused if that does not help "
      "(default: the memory that the host, or with --device gpu the GPU, has free; with auto the "
      "GPU's for a plan beyond the host's)");
  addWord<std::optional<KeptMessages>>(command, "--keep", options.keep,
                                       {{"none", KeptMessages::None},
                                        {"constant", KeptMessages::Constant},
                                        {"all", KeptMessages::All}},
                                       "messages that later runs of a session find computed, if "
                                       "memory allows (default: none for run and explain, which "
                                       "run once, else constant)");
}

void addPasses(CLI::App &command, Options &options) {
  command.add_option("--print-after", options.printAfter, "print the plan after this pass")
      ->allow_extra_args(false);
  command.add_flag("--print-changed", options.printChanged, "print it after each that changed it");
  command.add_option("--off-pass", options.offPasses, "leave this pass out")
      ->allow_extra_args(false);
  command.add_flag("--time-passes", options.timePasses, "print how long each pass took");
}

/// Options that run one pass alone on the input, as LLVM's `opt` does.
void addSinglePasses(CLI::App &command, Options &options) {
  command
      .add_option(
          "--run-pass", options.runPasses,
          "only this pass, once (again: more of them, in this order): of the simplifier, or "
          "with -x plan of the planner")
      ->allow_extra_args(false);
  command.add_option("--operation", options.operation,
                     "only the kernel of the operation that makes this table");
}

void addExpectedRuns(CLI::App &command, Options &options) {
  command.add_option_function<std::string>(
      "--expected-runs",
      [&options](const std::string &text) {
        options.expectedRuns = positiveNumber("--expected-runs", "runs", text);
      },
      "runs over which compiling a kernel must pay (default 100 on a GPU, 1 on the CPU). Of a list "
      "of cases: rows, over which bringing up the GPU must pay too (default: those of the file, by "
      "its size; of a pipe 10000)");
}

/// Declares a flag whose value may only follow `=`: the next word may be MODEL.
void addAutotune(CLI::App &command, Options &options) {
  command.add_flag("--autotune{8}")
      ->description("measure so many candidates of each GPU kernel where that can pay, take the "
                    "fastest and remember it; =0: take none that is remembered either")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw)
      ->each([&options](const std::string &text) {
        constexpr uint64_t kMost = 64;
        const std::optional<uint64_t> candidates = parseUnsigned(text);
        if (!candidates || *candidates == 1 || *candidates > kMost)
          fail(ErrorKind::Usage, "--autotune={}: expected 0, or 2 to {} kernels to measure", text,
               kMost);
        options.autotune = static_cast<uint32_t>(*candidates);
      });
}

void addPlanFile(CLI::App &command, Options &options) {
  command.add_option("--plan", options.plan,
                     "instead of planning: this plan (text of --emit=plan) of the model");
}

void addDumpKernels(CLI::App &command, Options &options) {
  command.add_option("--dump-kernels", options.dumpKernels,
                     "write sources and compiler logs of GPU kernels to this folder");
}

void addTrust(CLI::App &command, Options &options) {
  command.add_flag("--trust", options.trust,
                   "MODEL is a bundle whose GPU kernels, machine code too, are taken as they are: "
                   "its writer may do what you may");
}

void addResident(CLI::App &command, Options &options) {
  addWord<std::string>(command, "--resident", options.resident,
                       {{"auto", "auto"}, {"off", "off"}, {"on", "on"}},
                       "GPU: launches whose blocks wait for each other in place of several "
                       "(default: auto, where that is predicted to pay)");
}

void addTarget(CLI::App &command, Options &options) {
  addWord<std::string>(command, "--device", options.device, {{"cpu", "cpu"}, {"gpu", "gpu"}},
                       "that is scheduled for (default: cpu)");
  command.add_option("--launches", options.launches,
                     "instead of the launches that the schedule leads to: these (text of "
                     "--emit=schedule --device gpu), checked and printed");
  command.add_flag("--verify", options.verify, "launches of mpfc run --verify");
  addResident(command, options);
  command.add_option("--target", options.target, "device to plan kernels for (default sm_90)");
}

void addDevice(CLI::App &command, Options &options, const std::string &what) {
  addWord<std::string>(command, "--device", options.device,
                       {{"auto", "auto"}, {"cpu", "cpu"}, {"gpu", "gpu"}}, what);
}

void addThreads(CLI::App &command, Options &options) {
  addCount(command, "--threads", "CPU threads, kernel compilations too (default: one per core)", 1,
           kMostThreads,
           [&options](uint64_t count) { options.threads = static_cast<unsigned>(count); });
}

void addSchedule(CLI::App &command, Options &options) {
  std::map<std::string, std::string> methods;
  for (const PlacementMethodName &method : placementMethods())
    methods.emplace(method.name, method.name);
  addWord<std::string>(command, "--schedule", options.schedule, methods,
                       "how operations are spread over CPU and GPU: each where it alone is faster, "
                       "the acceleration schedule of the Gems chapter, or what is predicted to "
                       "take the least time (default: auto)");
}

void addKernelScheme(CLI::App &command, Options &options) {
  CLI::Option *tag = addCount(
      command, "--tag-digits",
      "kernels in the scheme of the ICS'08 paper, with so many least significant digits in the "
      "cache tag",
      0, 64, [&options](uint64_t digits) { options.tagDigits = static_cast<uint32_t>(digits); });
  addCount(command, "--pages-per-block", "cache pages a block visits", 1, uint64_t{1} << 40,
           [&options](uint64_t pages) { options.pagesPerBlock = pages; })
      ->needs(tag);
}

void addTimeLimit(CLI::App &command, Options &options, const std::string &what) {
  command.add_option_function<std::string>(
      "--time-limit",
      [&options](const std::string &text) {
        options.timeLimitSeconds = positiveNumber("--time-limit", "seconds", text);
      },
      what);
}

void addOutput(CLI::App &command, Options &options) {
  command.add_option("-o", options.output, "result file (default: stdout)");
}

} // namespace

void declareCheckOptions(CLI::App &command, Options &options) {
  addInput(command, options);
  addAsked(command, options);
  addCasesFile(command, options);
  command.add_flag("--verify-diagnostics", options.verifyDiagnostics,
                   "compare what is reported with the expected-error comments of MODEL");
}

void declareCheckKernelOptions(CLI::App &command, Options &options) {
  command
      .add_option("FILE", options.input,
                  "CUDA text that --emit=cuda or --dump-kernels wrote, and somebody edited; -: "
                  "standard input")
      ->required();
  addTimeLimit(command, options, "seconds of wall-clock time (default 120); then exit code 4");
}

void declareEmitOptions(CLI::App &command, Options &options) {
  addInput(command, options);
  addCasesFile(command, options);
  addCaseEngine(command, options);
  addQuery(command, options);
  addPlanning(command, options);
  addPasses(command, options);
  addSinglePasses(command, options);
  addPlanFile(command, options);
  addTarget(command, options);
  addSchedule(command, options);
  addThreads(command, options);
  addExpectedRuns(command, options);
  addKernelScheme(command, options);
  addOutput(command, options);
  command
      .add_option_function<std::string>(
          "--emit", [&options](const std::string &name) { options.emitStage = emittedStage(name); },
          "the stage: " + emittedStageNames())
      ->required();
}

void declareExplainOptions(CLI::App &command, Options &options) {
  addInput(command, options);
  addCasesFile(command, options);
  addCaseEngine(command, options);
  addQuery(command, options);
  addPlanning(command, options);
  addPasses(command, options);
  command.add_option("--target", options.target, "GPU to predict times for (default sm_90)");
  addDevice(command, options,
            "the run that is explained: auto (default) and cpu are bounded by the host's memory, "
            "gpu by the GPU's");
  addSchedule(command, options);
  addThreads(command, options);
  addExpectedRuns(command, options);
  command.add_option("--html", options.html, "a page for the browser to this file");
  command.add_option("--json", options.json, "every figure as JSON to this file (-: stdout)");
  addOutput(command, options);
}

void declareImportOptions(CLI::App &command, Options &options) {
  addInput(command, options);
  const std::string written =
      modelEndings(" or ", [](const ModelFormat &format) { return format.write != nullptr; });
  command.add_option("-o", options.output,
                     fmt::format("result file, by its ending {} (default: {} to stdout)", written,
                                 defaultModelFormat().endings[0]));
}

void declareFmtOptions(CLI::App &command, Options &options) {
  command.add_option("MODEL", options.input, "the .mpf source")->required();
  addOutput(command, options);
  command.add_flag("-i", options.inPlace, "rewrite MODEL");
  command.add_flag("--check", options.checkOnly, "only say whether MODEL is in canonical form");
}

void declareBuildOptions(CLI::App &command, Options &options) {
  addInput(command, options);
  addCasesFile(command, options);
  addQuery(command, options);
  addPlanning(command, options);
  addPasses(command, options);
  addPlanFile(command, options);
  command.add_option("--target", options.target, "GPU to plan kernels for, such as sm_90");
  addExpectedRuns(command, options);
  addAutotune(command, options);
  command.add_option("--arch", options.archs, "put machine code for this GPU into the bundle")
      ->allow_extra_args(false);
  addDumpKernels(command, options);
  addTrust(command, options);
  command.add_option("-o", options.output, "the bundle to write (.mpfb)")->required();
}

void declareRunOptions(CLI::App &command, Options &options) {
  addInput(command, options);
  addQuery(command, options);
  addPlanning(command, options);
  addPasses(command, options);
  addPlanFile(command, options);
  addDevice(command, options, "what runs the query (default: auto)");
  addSchedule(command, options);
  addExpectedRuns(command, options);
  addAutotune(command, options);
  command.add_flag("--forbid-compiling", options.forbidCompiling,
                   "a kernel that is not in the cache is an error");
  addDumpKernels(command, options);
  command.add_option(
      "--override-kernels", options.overrideKernels,
      "compile NAME.cu of this folder instead of kernel NAME; those that were edited "
      "are checked first (mpfc check-kernel)");
  addTrust(command, options);
  addThreads(command, options);
  addTimeLimit(command, options, "seconds of wall-clock time; then exit code 4");
  command.add_flag(
      "--yes", options.acceptsLongRuns,
      "run what is predicted to take more than a day, which is refused without --yes or "
      "--time-limit; queries of one run, and cases of a list, count together");
  addResident(command, options);
  command.add_flag("--verify", options.verify, "recompute sampled entries of every operation");
  command.add_flag("--profile", options.profile, "print times of phases and operations");
  addCasesFile(command, options);
  addCaseEngine(command, options);
  addWord<OnBadRow>(command, "--on-error", options.onBadRow,
                    {{"stop", OnBadRow::Stop}, {"skip", OnBadRow::Skip}},
                    "what a row of cases does that cannot be understood: stop (default) ends the "
                    "list there, skip leaves its row of answers empty");
  command.add_flag("--totals", options.totals,
                   "of cases: instead of rows their number and the sum of their logarithms");
  command.add_option("-o", options.output,
                     "result of one query in the UAI competitions' format, or the answers to all "
                     "cases, a row each: .npy by its name, else CSV (-: stdout)");
  command.add_option("--json", options.json,
                     "complete results as a JSON list to this file (-: stdout); of cases a line "
                     "with an object for each row");
}

void declareCalibrateOptions(CLI::App &command, Options &options) {
  addDevice(command, options, "what is measured (default: auto, both)");
  addThreads(command, options);
}

void declareCacheOptions(CLI::App &command, Options &options) {
  options.cacheAction = "info";
  addWord<std::string>(command, "ACTION", options.cacheAction,
                       {{"info", "info"}, {"list", "list"}, {"clear", "clear"}, {"fill", "fill"}},
                       "what to do (default: info); fill: compile the kernels that run any model");
  command.add_option("--arch", options.archs, "fill: for this GPU (default: the machine's)");
  command.add_option("--folder", options.cacheFolder, "another folder than the user's cache");
}

} // namespace mpf::driver
