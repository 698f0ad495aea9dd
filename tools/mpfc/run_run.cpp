// mpfc run: prints the answers for people on stdout, or writes those for programs.
#include "codegen/bundle/head/answered_queries.h"
#include "codegen/plan/program/search_stop.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_output.h"
#include "runtime/api/session.h"
#include "runtime/compile/cpp_compiler.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/stored_speed.h"
#include "runtime/predict/place_program.h"
#include "runtime/result/separate_results.h"
#include "runtime/session/verified_program.h"
#include "tools/mpfc/announced_list.h"
#include "tools/mpfc/announced_runs.h"
#include "tools/mpfc/answer_files.h"
#include "tools/mpfc/cases/case_totals.h"
#include "tools/mpfc/cases/run_cases.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile/bundle_changes.h"
#include "tools/mpfc/compile/bundled_lanes.h"
#include "tools/mpfc/compile/case_settings_for.h"
#include "tools/mpfc/compile/compile_queries.h"
#include "tools/mpfc/compile/find_conflict.h"
#include "tools/mpfc/compile/given_values.h"
#include "tools/mpfc/compile/joined_queries.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/compile/search_end.h"
#include "tools/mpfc/compile/select_query.h"
#include "tools/mpfc/compile/session_options.h"
#include "tools/mpfc/compile/verify_results.h"
#include "tools/mpfc/kernel_checker.h"
#include "tools/mpfc/options/check_options.h"
#include "tools/mpfc/print_answers.h"
#include "tools/mpfc/process/attempts.h"
#include "tools/mpfc/process/output.h"
#include "tools/mpfc/process/start_times.h"
#include "tools/mpfc/process/time_limit.h"

#include <algorithm>
#include <chrono>
#include <fmt/ranges.h>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

/// The most unanswered queries that are named one by one.
constexpr size_t kMostTold = 20;

/// Returns the format of what -o, or --format, writes in place of text for people. None: nothing.
/// JSON has its own member of Options.
std::optional<OutputFormat> answerFormat(const Options &options) {
  if (options.format && *options.format != OutputFormat::Json)
    return options.format == OutputFormat::Text ? std::nullopt : options.format;
  return options.output.empty() ? std::nullopt : std::optional(OutputFormat::Uai);
}

/// Runs the query; adds its name to the error about a count that is too large for its type. The
/// session only knows operations of the plan.
Result runNamed(Session &session, const std::string &query) {
  try {
    return session.run();
  } catch (const Error &error) {
    if (error.kind() != ErrorKind::Overflow)
      throw;
    fail(ErrorKind::Overflow, "query {}: {}", query, error.what());
  }
}

Result runQuery(const Program &program, const Options &options, const BundleChanges &changes) {
  const auto opened = std::chrono::steady_clock::now();
  Session session(program, sessionOptionsFor(options));
  const std::chrono::duration<double, std::micro> openUs =
      std::chrono::steady_clock::now() - opened;
  changes.apply(session);
  Result result = runNamed(session, program.bundle().name);
  result.timings.insert(result.timings.begin(), {"open", openUs.count()});
  if (!result.deviceFault.empty())
    say("mpfc: warning: query {} ran on the CPU, for the GPU failed: {}\n", result.query,
        result.deviceFault);
  const bool aboutKernels = !options.dumpKernels.empty() || !options.overrideKernels.empty();
  if (aboutKernels && result.device.starts_with("cpu"))
    say("mpfc: note: query {} ran on the CPU: no GPU kernels to {}\n", result.query,
        options.dumpKernels.empty() ? "override" : "dump");
  return result;
}

/// The state of a run; the thread of the time limit reads it while the run goes on.
struct Answering {
  std::mutex mutex; ///< guards the results
  std::vector<Result> results;
  Refusals refusals;
  double mostUs = 0;      ///< generous estimate of the time of all runs
  bool isWritten = false; ///< the answers are being written
  GivenValues given;      ///< complete before the first result
  CaseFinish cases;       ///< finishes the rows of a list of cases
};

void requireSingle(size_t queries) {
  if (queries != 1)
    fail(ErrorKind::Usage,
         "-o holds one result, there are {} queries: choose with --task or --query, or write "
         ".json or .npz",
         queries);
}

/// Throws Error(Usage) if the file that is written cannot hold the answers, before anything is
/// planned. Bundles and plans show it later.
void requireHeldAnswers(const CompileInput &input, const Options &options) {
  const std::optional<OutputFormat> format = answerFormat(options);
  const auto *model = std::get_if<Model>(&input);
  if (!format || model == nullptr || holdsManyAnswers(*format) || !options.plan.empty())
    return;
  const std::vector<Query> queries = selectQueries(*model, options);
  requireSingle(queries.size());
  requireHolds(*format, *model, queries.front());
}

void runAll(CompileInput &input, const Options &options, Answering &answering) {
  Refusals &refusals = answering.refusals;
  requireHeldAnswers(input, options);
  const auto checkSingle = [&] {
    if (answerFormat(options) && !holdsManyAnswers(*answerFormat(options)))
      requireSingle(refusals.queries());
  };
  const bool isCompiled = std::holds_alternative<Model>(input); // and verified; else it is a file
  BundleChanges changes;                                        // of a file
  const auto run = [&](const Program &program) {
    answering.mostUs += mostRunUs(program.bundle());
    std::vector<Result> results = separateResults(runQuery(program, options, changes));
    if (const auto *model = std::get_if<Model>(&input); model != nullptr && options.verify)
      verifyResults(*model, options, results);
    if (!isCompiled)
      std::erase_if(results, [&](const Result &result) { return !changes.answers(result.query); });
    const std::lock_guard lock(answering.mutex);
    std::ranges::move(results, std::back_inserter(answering.results));
  };
  const auto *const model = std::get_if<Model>(&input);
  std::unordered_set<std::string> apart; // queries whose common run failed: each is run alone
  AnnouncedRuns runs(options, refusals, [&](const Program &program) {
    if (!isJoined(program.bundle()))
      return run(program);
    const std::optional<Error> why = refusalOf(program.bundle().name, [&] { run(program); });
    if (!why)
      return;
    const std::vector<std::string> queries = answeredQueries(program.bundle());
    if (model != nullptr)
      apart.insert(queries.begin(), queries.end());
    else
      refuseTogether(queries, *why, refusals);
  });
  const auto answer = [&](Bundle bundle) {
    auto shared = std::make_shared<const Bundle>(std::move(bundle));
    const Program program = isCompiled ? VerifiedPrograms::of(shared) : Program(shared);
    if (!isCompiled) {
      changes = bundleChanges(program, options);
      refusals.setQueries(changes.queries);
    }
    checkSingle();
    refusals.attempt(shared->name, [&] {
      changes.requireValues(*shared);
      runs.add(program);
    });
  };
  // A profile tells the time of each query.
  compileEach(std::move(input), options, refusals, answer,
              options.profile ? Joining::Never : Joining::WhereItPays);
  checkSingle();
  runs.finish();
  if (!apart.empty()) {
    compileApart(*model, apart, options, refusals, answer);
    runs.finish();
  }
  const std::lock_guard lock(answering.mutex);
  sortAsAsked(refusals.names(), answering.results);
}

/// Whether the answer says that the evidence has probability zero.
bool isImpossible(const Result &result) {
  return result.zeroProbability || (result.kind == QueryKind::Evidence && !result.tables.empty() &&
                                    result.tables.front().at(0).mantissa == 0);
}

/// Adds the conflicting findings if the evidence has probability zero.
void addConflict(const CompileInput &input, const Options &options, Answering &answering) {
  const auto *model = std::get_if<Model>(&input);
  if (model == nullptr || std::ranges::none_of(answering.results, isImpossible))
    return;
  uint64_t peakBytes = 0;
  for (const Result &result : answering.results)
    peakBytes = std::max(peakBytes, result.peakBytes);
  const Conflict conflict = findConflict(
      *model, options, ConflictBounds::ofRuns(answering.mostUs / kUsPerSecond, peakBytes));
  if (!conflict.message.empty())
    say("mpfc: note: {}\n", conflict.message);
  const std::lock_guard lock(answering.mutex);
  for (Result &result : answering.results)
    if (isImpossible(result))
      result.conflict = conflict.variables;
}

/// Throws Error(BadInput) behind the last file if one lacks a table (answer_files.h).
void writeAnswers(const Options &options, const Answers &answers) {
  std::vector<std::string> leftOut;
  if (const std::optional<OutputFormat> format = answerFormat(options)) {
    if (!std::ranges::all_of(answers.results, lacksAnswer)) {
      AnswerFile file = answersIn(*format, answers);
      writeText(options.output, file.bytes);
      leftOut = std::move(file.leftOut);
    }
  }
  if (!options.json.empty())
    writeText(options.json, jsonOf(answers));
  // Stdout holds one kind of text, and none beside the file of -o.
  const bool isTold = !isGiven(options, "-o") && !answerFormat(options) && options.json != "-";
  if (isTold || (isGiven(options, "-o") && options.format == OutputFormat::Text))
    writeText(options.output, textOf(answers, options.profile, goesToTerminal(options.output)));
  if (!leftOut.empty())
    fail(ErrorKind::BadInput, "{} is not in the file: {}",
         counted(leftOut.size(), "table", "tables"), fmt::join(leftOut, "; "));
}

/// Writes the answers so far when the time is over, and names the missing ones.
void writeSoFar(const Options &options, Answering &answering) {
  if (answering.cases())
    return say("mpfc: error: the time limit was reached before the end of the cases\n");
  leaveSoon();
  const std::lock_guard lock(answering.mutex);
  if (answering.isWritten)
    return say("mpfc: error: the time limit was reached while the answers were written\n");
  std::vector<std::string> answered;
  for (const Result &result : answering.results)
    answered.push_back(result.query);
  const std::vector<Refusal> missing = answering.refusals.withUnanswered(answered);
  if (answered.empty())
    return say("mpfc: error: the time limit was reached before a result\n");
  size_t late = 0; // the other refusals were printed when they occurred
  for (const Refusal &refusal : missing)
    if (refusal.exitCode == exitCode(ErrorKind::TimeLimit) && ++late <= kMostTold)
      say("mpfc: error: {}\n", refusal.message);
  if (late > kMostTold)
    say("mpfc: note: and {} more\n", counted(late - kMostTold, "query", "queries"));
  writeAnswers(options,
               {answering.results, missing, answering.refusals.queries(), answering.given});
}

/// Adds a refusal for each result that does not exist because the evidence has probability zero:
/// posteriors and a best explanation. The evidence query has an answer then: 0.
void addNonexistent(const std::vector<Result> &results, Refusals &refusals) {
  for (const Result &result : results)
    if (lacksAnswer(result))
      refusals.add(result.query,
                   Error(ErrorKind::BadInput, fmt::format("query {}: {}: there {}", result.query,
                                                          traitsOf(result.kind).isExpression()
                                                              ? "the result is zero everywhere"
                                                              : "the evidence has probability zero",
                                                          traitsOf(result.kind).ifImpossible)));
}

/// Answers the queries with the params of --lod, which set all that are swept.
std::vector<LodReference> lodReferences(const Options &given) {
  if (given.lod.empty())
    return {};
  if (given.totals)
    fail(ErrorKind::Usage, "--lod is for rows of answers: --totals writes none");
  Options options = given;
  options.lod = {};
  for (const auto &[name, value] : given.lod.values)
    options.params.values.insert_or_assign(name, value);
  for (std::string *file : {&options.output, &options.json})
    file->clear();
  options.format.reset();
  const MessagePause pause; // reading the model told them before
  Answering answering;
  CompileInput input = loadInput(options, &answering.refusals);
  const auto &model = std::get<Model>(input);
  if (hasManyCases(model))
    fail(ErrorKind::Usage, "--lod sets all params that are swept: {}",
         model.sweeps.empty() ? "there is a list of cases too"
                              : model.sweeps.front().name + " has no value");
  runAll(input, options, answering);
  std::vector<LodReference> references;
  for (const Result &result : answering.results)
    if ((result.kind == QueryKind::Evidence || traitsOf(result.kind).isExpression()) &&
        result.tables.size() == 1 && result.tables.front().entries.size() == 1)
      references.push_back({result.query, result.tables.front().at(0).ln()});
  return references;
}

int runCaseList(const Model &model, const Options &given, Answering &answering) {
  const Options options = withStreamMemory(given);
  const std::vector<Query> queries = selectQueries(model, options);
  answering.refusals.setQueries(namesOf(queries));
  if (options.totals)
    requireTotals(queries, options.type);
  AnnouncedList list(options);
  const auto makeEngine = [&](const Model &single, const CaseSource &cases, const Query &query) {
    const Options bounded = withMemoryBound(withOneSearchEnd(options), single);
    CaseProblem problem =
        caseProblemFor(single, cases, query, bounded, gpuForCases(bounded.devices));
    problem.settings.opening = list.openingOf(query.name, cases);
    OpenedEngine opened = openCaseEngine(problem);
    if (opened.wasTooLarge)
      say("mpfc: note: query {}: one case is answered after the other: the tables of several at "
          "once exceed the memory bound\n",
          query.name);
    return std::move(opened.engine);
  };
  CaseList cases = caseListOf(model, queries, options);
  const std::vector<Query> asked = joinedForList(cases, queries, options);
  return runCases(std::move(cases), asked,
                  {lodReferences(given), makeEngine, [&] { list.begin(); }}, options,
                  answering.refusals, answering.cases);
}

/// Runs a loaded program for the list of --cases, for its sweeps, or for both.
int runBundledCases(StoredProgram program, const Options &given, Answering &answering) {
  checkListOptions(given);
  const Options options = withStreamMemory(given);
  const auto question = loadedQuestion(std::move(program), options.input);
  const Model model = modelOfBundle(*question, options);
  answering.refusals.setQueries({question->query.name});
  CaseList list = caseListOf(model, question->lanes.plan->program.formulas);
  AnnouncedList announced(options);
  const auto makeEngine = [&](const Model &, const CaseSource &cases, const Query &query) {
    return makeBundledLanes(*question, cases, options, announced.openingOf(query.name, cases));
  };
  return runCases(std::move(list), model.queries, {{}, makeEngine, [&] { announced.begin(); }},
                  options, answering.refusals, answering.cases);
}

/// Answers the list of cases if options.input has one, and returns the exit code; else nothing.
std::optional<int> runIfCases(CompileInput &input, const Options &options, Answering &answering) {
  if (auto *program = std::get_if<StoredProgram>(&input); program && answersLists(*program))
    return runBundledCases(std::move(*program), options, answering);
  if (const auto *model = std::get_if<Model>(&input); model != nullptr && hasManyCases(*model))
    return runCaseList(*model, options, answering);
  for (const char *name : {"--on-error", "--totals", "--cases", "--engine", "--lod"})
    if (std::ranges::find(options.given, name) != options.given.end())
      fail(ErrorKind::Usage, "{} is for lists of cases: {} has none{}", name, options.input,
           name == std::string_view("--lod") ? " (-D 'PARAM in [VALUE]' makes a list of one case)"
                                             : "");
  return std::nullopt;
}

} // namespace

int runRun(const Options &given) {
  Options options = given;
  options.gpuExpected = [] { startGpuBackend(); };
  noteUnusedCache();
  if (const std::string note = unusedCompiler(); !note.empty())
    say("mpfc: note: {}\n", note);
  lookOnce();
  const StartTimes times(options.profile);
  if (options.devices.prefersGpu()) // else it starts when a plan expects it (gpuExpected)
    startGpuBackend(options.devices.gpuNumber());
  Answering answering;
  if (options.timeLimitSeconds != 0) {
    options.ends = deadlineAfter(options.timeLimitSeconds);
    options.searchTime = {options.ends, kOneAnswerShare};
  }
  TimeLimit limit(options.timeLimitSeconds, [&] { writeSoFar(options, answering); });
  if (!options.overrideKernels.empty())
    checkOverridingKernels(options.overrideKernels);
  CompileInput input = loadInput(options, &answering.refusals);
  if (const std::optional<int> code = runIfCases(input, options, answering)) {
    limit.end();
    noteUnusedEntry();
    return *code;
  }
  answering.given = givenValues(input, options);
  runAll(input, options, answering);
  addConflict(input, options, answering);
  {
    const std::lock_guard lock(answering.mutex);
    answering.isWritten = true;
  }
  const std::vector<Result> &results = answering.results;
  Refusals &refusals = answering.refusals;
  if (results.empty())
    return refusals.exitCode();
  writeAnswers(options, {results, refusals.all(), refusals.queries(), answering.given});
  limit.end();
  noteUnusedEntry();
  addNonexistent(results, refusals);
  return refusals.exitCode();
}

} // namespace mpf::driver
