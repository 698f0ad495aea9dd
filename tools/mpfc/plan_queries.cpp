#include "tools/mpfc/plan_queries.h"

#include "codegen/plan/program/print_program.h"
#include "codegen/plan/program/read_program.h"
#include "codegen/plan/program/slice_levels.h"
#include "codegen/simplify/print_simplified.h"
#include "codegen/specialise/device_costs.h"
#include "codegen/specialise/specialise_options.h"
#include "dsl/source/suggest.h"
#include "dsl/support/error.h"
#include "runtime/api/jit_gpu.h"
#include "tools/mpfc/load_model.h"
#include "tools/mpfc/memory_bound.h"
#include "tools/mpfc/output.h"
#include "tools/mpfc/select_query.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

namespace mpf::driver {

namespace {

/// Of the time limit of a run: the rest is for compiling and running.
constexpr double kPlanningShare = 0.5;

/// What a pass left: operations and input tables, without those that are the same as others.
std::string sizesOf(const TableProgram &program) {
  size_t operations = 0, inputs = 0, kept = 0;
  for (const ProgramTable &table : program.tables) {
    (table.isInput() ? inputs : operations) += !table.sameAs.valid();
    kept += table.kept;
  }
  return fmt::format("operations={} inputs={} kept={} addresses={:.6g}", operations, inputs, kept,
                     totalAddresses(program));
}

/// What --print-after, --print-changed and --time-passes say about one pass.
void showPass(const Options &options, ElementType type, const PassEvent &event) {
  const bool named = std::find(options.printAfter.begin(), options.printAfter.end(),
                               std::string(event.pass)) != options.printAfter.end();
  if (named || (options.printChanged && event.changed))
    say("# after {}\n{}", event.pass, printProgram(event.program, type));
  else if (options.printChanged)
    say("# after {}: unchanged\n", event.pass);
  if (options.timePasses)
    say("# {} time_us={:.0f} {}\n", event.pass, event.seconds * 1e6, sizesOf(event.program));
}

/// --time-passes, of what is no pass: the search for orders, and after it the trials of those
/// found, with slices where the memory bound asks for them.
class StepTimes {
public:
  /// Microseconds since the last call, or since this object was made.
  double lapUs() {
    const Clock::time_point now = Clock::now();
    const std::chrono::duration<double, std::micro> passed = now - last_;
    last_ = now;
    return passed.count();
  }

  bool inTrials = false; ///< the search is over, the passes of the plan have not begun

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

void showStep(const PassEvent &event, StepTimes &times) {
  const double timeUs = times.lapUs();
  if (std::exchange(times.inTrials, false))
    say("# plan-trials time_us={:.0f}\n", std::max(0.0, timeUs - event.seconds * 1e6));
}

/// A search that the clock or a signal ended can be repeated by its rounds.
void showSearch(const Options &options, const SearchEffort &effort, double timeUs) {
  if (options.timePasses)
    say("# order-search time_us={:.0f} rounds={} steps={} log2_cost={:.2f}\n", timeUs,
        effort.rounds, effort.steps, std::log2(effort.cost));
  if (effort.truncated)
    say("mpfc: note: the search for an order ended before its first greedy run\n");
  else if (effort.stopped)
    say("mpfc: note: the search for an order ended after {} rounds (--plan-rounds {} "
        "repeats it)\n",
        effort.rounds, effort.rounds);
}

/// A run ends with its process, and explain tells of runs: nothing can change any more. A graph is
/// written to be ordered for a run. Bundles and kernels serve sessions. A plan that is given is of
/// the model as it stands.
Simplification simplificationFor(const Options &options) {
  if (options.simplify)
    return *options.simplify;
  const bool runs = options.command == "run" || options.command == "explain" ||
                    options.emitStage == Stage::Simplified || options.emitStage == Stage::Graph;
  return runs && options.plan.empty() ? Simplification::All : Simplification::Off;
}

void checkPass(const char *option, const std::string &name, const Options &options,
               const std::vector<std::string_view> &passes) {
  if (std::find(passes.begin(), passes.end(), name) == passes.end()) {
    const std::string hint = suggestHint(name, passes);
    fail(ErrorKind::Usage, "{} {}: no such pass{}{}; there are {}", option, name,
         hint.empty() ? "" : ", ", hint, fmt::join(passes, ", "));
  }
  if (isSimplifyPass(name) && simplificationFor(options) == Simplification::Off)
    fail(ErrorKind::Usage, "{} {}: nothing is simplified here, --simplify says what may be", option,
         name);
}

/// --off-pass and --print-after, of the simplifier and of the planner alike. A plan that is given
/// has been through the planner.
void checkPassNames(const Options &options) {
  std::vector<std::string_view> passes;
  const bool plans = options.plan.empty();
  if (plans)
    for (const PlanPass &pass : planPasses())
      passes.push_back(pass.name);
  for (const SimplifyPass &pass : simplifyPasses())
    passes.push_back(pass.name);
  for (const std::string &name : options.offPasses)
    checkPass("--off-pass", name, options, passes);
  if (plans)
    passes.insert(passes.begin(), "initial-program");
  for (const std::string &name : options.printAfter) {
    checkPass("--print-after", name, options, passes);
    if (std::find(options.offPasses.begin(), options.offPasses.end(), name) !=
        options.offPasses.end())
      fail(ErrorKind::Usage, "--print-after {0}: --off-pass {0} leaves it out", name);
  }
}

void showSimplification(const Options &options, const SimplifyEvent &event) {
  const bool named = std::find(options.printAfter.begin(), options.printAfter.end(),
                               std::string(event.pass)) != options.printAfter.end();
  if ((named && (event.changed || event.round == 1)) || (options.printChanged && event.changed))
    say("# after {}, round {}\n{}", event.pass, event.round,
        printSimplified(problemToModel(event.problem)));
  if (options.timePasses)
    say("# {} round={} time_us={:.0f} variables={}->{} values={}->{} factors={}->{} "
        "entries={}->{}\n",
        event.pass, event.round, event.seconds * 1e6, event.before.variables, event.after.variables,
        event.before.values, event.after.values, event.before.factors, event.after.factors,
        event.before.entries, event.after.entries);
}

/// None: it is refused.
std::optional<Simplified> simplified(const Model &model, const Query &query, const Options &options,
                                     Refusals &refusals) {
  const SimplifyOptions how = simplifyOptionsFor(options, elementTypeOf(query, options.type));
  std::optional<Simplified> simple;
  refusals.attempt(query.name,
                   [&] { simple.emplace(simplify(model, query, how, simplifyHookFor(options))); });
  return simple;
}

std::optional<PlannedQuery> planned(const Model &model, const Query &query, const Options &options,
                                    Refusals &refusals) {
  const SearchInterrupt interrupt;
  std::optional<Simplified> simple = simplified(model, query, options, refusals);
  if (!simple)
    return std::nullopt;
  const ElementType type = elementTypeOf(simple->query, options.type);
  const std::unique_ptr<DeviceCosts> chains = deviceCostsFor(options, type);
  PlanOptions planOptions = planOptionsFor(options, type, interrupt, chains.get());
  planOptions.finalTables = simple->answer.has_value();
  std::optional<TableProgram> program;
  refusals.attempt(query.name, [&] {
    Diagnostics diagnostics;
    program.emplace(buildProgram(simple->model, simple->query, planOptions, diagnostics,
                                 planHooksFor(options, type)));
    printDiagnostics(diagnostics);
  });
  if (!program)
    return std::nullopt;
  return PlannedQuery{std::move(*simple), std::move(*program), type};
}

} // namespace

SimplifyOptions simplifyOptionsFor(const Options &options, ElementType type) {
  const Simplification level = simplificationFor(options);
  checkPassNames(options);
  SimplifyOptions simplify;
  simplify.finalTables = level != Simplification::Off;
  simplify.finalEvidence = level == Simplification::All;
  simplify.type = type;
  for (const std::string &name : options.offPasses)
    if (isSimplifyPass(name))
      simplify.offPasses.push_back(name);
  return simplify;
}

SimplifyHook simplifyHookFor(const Options &options) {
  if (options.printAfter.empty() && !options.printChanged && !options.timePasses)
    return {};
  return [&options](const SimplifyEvent &event) { showSimplification(options, event); };
}

PlanHooks planHooksFor(const Options &options, ElementType type) {
  checkPassNames(options);
  PlanHooks hooks;
  for (const std::string &name : options.offPasses)
    if (!isSimplifyPass(name))
      hooks.offPasses.push_back(name);
  hooks.compareText = options.printChanged;
  const auto times = std::make_shared<StepTimes>();
  if (!options.printAfter.empty() || options.printChanged || options.timePasses)
    hooks.after = [&options, type, times](const PassEvent &event) {
      if (options.timePasses)
        showStep(event, *times);
      showPass(options, type, event);
    };
  hooks.searched = [&options, times](const SearchEffort &effort) {
    showSearch(options, effort, times->lapUs());
    times->inTrials = true;
  };
  return hooks;
}

std::unique_ptr<DeviceCosts> deviceCostsFor(const Options &options, ElementType type) {
  if (options.target.empty() && (options.device == "cpu" || options.command == "build"))
    return nullptr;
  SpecialiseOptions gpu;
  gpu.target = targetNamed(options.target.empty() ? kReferenceTarget : options.target);
  gpu.expectedRuns = options.expectedRuns.value_or(gpu.expectedRuns);
  const bool runs = options.command == "run" || options.command == "explain";
  if (runs && options.target.empty() && options.device == "auto")
    gpu.hasGpu = plannerKnowsGpu;
  return makeDeviceCosts(gpu, type, options.forcedLog);
}

PlanOptions planOptionsFor(const Options &options, ElementType type,
                           const SearchInterrupt &interrupt, DeviceCosts *chains) {
  PlanOptions plan;
  plan.chains = chains;
  plan.order = options.order;
  plan.seed = options.seed;
  plan.type = type;
  plan.maxMemoryBytes = options.maxMemoryBytes.value_or(UINT64_MAX);
  plan.largerBound = options.largerMemory;
  const bool runsOnce = options.command == "run" || options.command == "explain";
  plan.keep = options.keep.value_or(runsOnce ? KeptMessages::None : KeptMessages::Constant);
  plan.search.seconds = options.planSeconds;
  plan.search.rounds = options.planRounds;
  plan.search.threads = options.threads;
  plan.search.stop = interrupt.flag();
  if (options.timeLimitSeconds != 0)
    plan.search.deadline = deadlineAfter(options.timeLimitSeconds * kPlanningShare);
  return plan;
}

void simplifyEach(const Model &model, const Options &options, Refusals &refusals,
                  const std::function<void(Simplified)> &take) {
  const std::vector<Query> queries = selectQueries(model, options);
  refusals.setQueries(namesOf(queries));
  for (const Query &query : queries)
    if (std::optional<Simplified> simple = simplified(model, query, options, refusals))
      take(std::move(*simple));
}

void planEach(const Model &model, const Options &options, Refusals &refusals,
              const std::function<void(PlannedQuery)> &take) {
  const std::vector<Query> queries = selectQueries(model, options);
  refusals.setQueries(namesOf(queries));
  // What is not simplified is planned with a copy of its model: of one query, not of 100,000.
  std::optional<Model> bare;
  if (queries.size() > 1)
    bare.emplace(model).queries.clear();
  for (const Query &query : queries)
    if (std::optional<PlannedQuery> plan = planned(bare ? *bare : model, query, options, refusals))
      take(std::move(*plan));
}

std::vector<ReadProgram> readPlans(const std::string &path) {
  Diagnostics diagnostics;
  std::optional<std::vector<ReadProgram>> programs = readPrograms(loadText(path), diagnostics);
  printDiagnostics(diagnostics);
  if (!programs)
    fail(ErrorKind::Internal, "{}: no plan and no error reported", path);
  return std::move(*programs);
}

ElementType typeOfPlan(const Options &options) { return options.type.value_or(ElementType::F64); }

std::vector<TypedProgram> programsFor(const Options &options, Refusals &refusals) {
  std::vector<TypedProgram> programs;
  if (options.startStage == Stage::Plan) {
    for (ReadProgram &read : readPlans(options.input))
      programs.push_back({std::move(read.program), typeOfPlan(options)});
    std::vector<std::string> names;
    for (const TypedProgram &typed : programs)
      names.push_back(typed.program.name);
    refusals.setQueries(std::move(names));
    return programs;
  }
  const Model model = loadModelOrFail(options);
  const bool bounded = options.emitStage && *options.emitStage >= Stage::Plan;
  planEach(model, bounded ? withMemoryBound(options, model) : options, refusals,
           [&programs](PlannedQuery planned) {
             programs.push_back({std::move(planned.program), planned.type});
           });
  return programs;
}

} // namespace mpf::driver
