#include "tools/mpfc/cases/run_cases.h"

#include "dsl/support/check.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/engine/full_layout.h"
#include "runtime/execute/lanes/sent/part_size.h"
#include "runtime/execute/lanes/sent/sent_rows.h"
#include "tools/mpfc/cases/answer_job.h"
#include "tools/mpfc/cases/bad_row_report.h"
#include "tools/mpfc/cases/case_output.h"
#include "tools/mpfc/cases/case_progress.h"
#include "tools/mpfc/cases/negative_values.h"
#include "tools/mpfc/cases/refused_cases.h"
#include "tools/mpfc/cases/stream_memory.h"
#include "tools/mpfc/cases/totals_output.h"
#include "tools/mpfc/cases/zero_cases.h"
#include "tools/mpfc/options/output_names.h"
#include "tools/mpfc/process/attempts.h"
#include "tools/mpfc/process/output.h"
#include "tools/mpfc/process/signal_watch.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace mpf::driver {

namespace {

constexpr uint64_t kNumberTextBytes = 20;

/// The cases, the queries, and the engines that answer them.
struct CaseRun {
  CaseList list;
  std::vector<Query> queries;
  std::vector<CaseEngine> engines; ///< one per query
  std::vector<AnswerGroup> columns;
  BadRows refused = {};              ///< cases that some query has no answer to
  std::unique_ptr<RowFormat> format; ///< of rows that are written; null: none are
};

void makeEngines(CaseRun &run, const std::vector<Query> &queries, const EngineMaker &make,
                 Refusals &refusals) {
  size_t most = 0; // members of joined queries may be answered apart
  for (const Query &query : queries)
    most += std::max<size_t>(query.joined.size(), 1);
  std::vector<CaseAnswers> layouts;
  layouts.reserve(most);
  run.engines.reserve(most);
  run.queries.reserve(most);
  attemptJoined(queries, refusals, [&](const Query &query) {
    CaseEngine engine = withFullLayout(run.list.single, run.list.source->schema(), query,
                                       make(run.list.single, *run.list.source, query));
    CaseAnswers layout = engine.layout;
    Query asked = query;
    // A refused query, also for want of memory, is in none of the three: moves do not throw.
    run.engines.push_back(std::move(engine));
    run.queries.push_back(std::move(asked));
    layouts.push_back(std::move(layout));
  });
  run.columns = keptColumns(run.list.source->schema());
  const std::vector<AnswerGroup> swept =
      sweptColumns(run.list.source->schema(), run.list.swept, run.columns);
  run.columns.insert(run.columns.end(), swept.begin(), swept.end());
  const std::vector<AnswerGroup> answers =
      answerColumns(run.list.single, run.queries, layouts, run.columns, refusals.names());
  run.columns.insert(run.columns.end(), answers.begin(), answers.end());
}

/// Chooses the sizes of blocks. Blocks have the size that is best for the engine that wants the
/// smallest ones, which is the slowest. They are smaller if rows are long, but not so small that an
/// engine idles. Blocks for devices are smaller too if that lets all threads end at the same time.
/// The first blocks are as small as possible, so that a list that ends early has answers. Blocks
/// for devices have one size: they take hardly any time.
BlockSizes blockSizes(const CaseRun &run, const StreamMemory &memory) {
  const CaseSchema &schema = run.list.source->schema();
  const uint64_t rowBytes = schema.observed.size() * codeBytesFor(schema) +
                            (schema.weightCount() + schema.params.size()) * sizeof(double) +
                            columnCount(run.columns) * (sizeof(double) + kNumberTextBytes);
  uint64_t best = UINT32_MAX, least = 1;
  for (const CaseEngine &engine : run.engines) {
    best = std::min<uint64_t>(best, engine.bestBlockCases);
    least = std::max<uint64_t>(least, engine.leastBlockCases);
  }
  const uint64_t fitting = memory.mostJobBytes / std::max<uint64_t>(rowBytes, 1);
  least = std::max<uint64_t>(std::min({least, best, fitting}), 1);
  const auto good = static_cast<uint32_t>(
      std::clamp(memory.jobBytes / std::max<uint64_t>(rowBytes, 1), least, best));
  if (!canSend(run.engines))
    return {static_cast<uint32_t>(least), good};
  const std::optional<uint64_t> cases = run.list.source->caseCount();
  const uint32_t sent = cases ? evenPartCases(good, *cases, memory.threads) : good;
  return {sent, sent};
}

CaseStages stagesOf(CaseRun &run, const StreamMemory &memory, OnBadRow onBadRow) {
  CaseStages stages;
  if (canSend(run.engines)) {
    stages.send = [&run](CaseJob &job) { return sendJob(*run.list.source, run.engines, job); };
    stages.sendsRows = rowsToSend(*run.list.source) != nullptr;
  }
  stages.answer = [&run, onBadRow](CaseJob &job) {
    answerJob(*run.list.source, run.engines, job);
    if (run.format != nullptr)
      run.format->refuseCases(job);
    settleRefused(*run.list.source, run.queries, onBadRow, job);
  };
  stages.blocks = blockSizes(run, memory);
  stages.threads = stages.answerThreads = memory.threads;
  for (const CaseEngine &engine : run.engines)
    stages.answerThreads = std::min(stages.answerThreads, engine.callers);
  return stages;
}

/// Reports rows that were skipped, and rows that some query has no answer to. If each row makes
/// several cases, it reports cases.
void reportSkipped(const CaseList &list, const BadRows &refused) {
  const CaseSource &source = *list.source;
  sayRowSums(list);
  const bool areSwept = !list.swept.empty();
  BadRows all = source.badRows();
  const uint64_t skipped = all.count;
  all.add(refused);
  const std::string shown = showMessages(all);
  if (skipped != 0)
    say("mpfc: note: {} of {} skipped{}\n", countedRows(skipped, areSwept), source.name(), shown);
  if (refused.count != 0)
    say("mpfc: note: {} of {} without an answer{}\n", countedRows(refused.count, areSwept),
        source.name(), shown);
}

void reportLeftDevices(const CaseRun &run) {
  for (size_t q = 0; q < run.engines.size(); ++q)
    if (const auto &fault = run.engines[q].deviceFault; fault && !fault().empty())
      say("mpfc: warning: cases of query {} were answered on the CPU, for the GPU failed: {}\n",
          run.queries[q].name, fault());
}

/// Answers the list into `output`. Whatever ends the run early, the output so far is completed, and
/// a note says how much it is.
template <class Output>
void runInto(Output &output, CaseProgress &progress, CaseRun &run, const CaseStages &stages,
             CaseFinish &finish) {
  const auto finishEarly = [&output, &progress] {
    progress.end();
    output.finish();
    say("mpfc: note: {}\n", output.summary());
  };
  finish.set(finishEarly);
  SignalWatch watch(finishEarly);
  try {
    runCasePipeline(*run.list.source, stages);
  } catch (...) {
    finish.set({});
    try {
      finishEarly();
    } catch (const std::exception &problem) { // the first error is thrown below
      say("mpfc: note: {}\n", problem.what());
    }
    throw;
  }
  finish.set({});
  progress.end();
  output.finish();
}

/// Whether the answers are written as one array.
bool isArray(const Options &options) { return options.format == OutputFormat::Npy; }

void writeRows(CaseRun &run, CaseStages &stages, const Options &options, CaseFinish &finish) {
  run.format = !options.json.empty() ? jsonLinesFormat(run.columns)
               : isArray(options)    ? npyFormat(run.columns)
                                     : csvFormat(run.columns);
  CaseOutput output(options.json.empty() ? options.output : options.json, *run.format);
  CaseProgress progress(run.list.source->caseCount(),
                        mayShowProgress(options.progress, output.isStdout()));
  NegativeValues negative;
  ZeroCases zero(run.columns, run.queries);
  stages.format = [&](CaseJob &job) {
    job.text.clear();
    run.format->appendRows(job, job.text);
    negative.count(run.columns, job);
    zero.count(job);
  };
  stages.take = [&](const CaseJob &job) {
    output.append(job.text, job.block.count);
    run.refused.add(job.refused);
    progress.add(job.block.count);
  };
  runInto(output, progress, run, stages, finish);
  negative.report();
  zero.report(!run.list.swept.empty());
}

/// Throws Error(Usage) if two outputs are asked for: answers to cases are written once.
void requireOneForm(const Options &options) {
  if (options.format && *options.format != OutputFormat::Csv &&
      *options.format != OutputFormat::Npy && *options.format != OutputFormat::Json)
    fail(ErrorKind::Usage, "{} has a list of cases, whose answers are CSV, .npy or JSON",
         options.input);
  if (options.json.empty())
    return;
  if (options.totals)
    fail(ErrorKind::Usage, "--json is for rows of answers: --totals writes text");
  if (!options.output.empty())
    fail(
        ErrorKind::Usage,
        "-o and --json exclude each other: {} has a list of cases, whose answers are CSV (or .npy) "
        "or JSON",
        options.input);
}

/// Throws Error(Usage) for kept columns where the output is not text with a row for each case.
void requireText(const CaseSchema &schema, const Options &options) {
  if (schema.kept.empty())
    return;
  if (options.totals)
    fail(ErrorKind::Usage, "--keep-columns is for rows of answers: --totals writes none");
  if (isArray(options))
    fail(ErrorKind::Usage,
         "--keep-columns is for answers as CSV: {} is an array of numbers, which has neither room "
         "for text nor names that tell columns apart",
         options.output);
}

void writeTotals(CaseRun &run, CaseStages &stages, const Options &options, CaseFinish &finish) {
  TotalsOutput totals(options, run.columns);
  CaseProgress progress(run.list.source->caseCount(), mayShowProgress(options.progress, false));
  stages.format = [&](CaseJob &job) { totals.sumBlock(job); };
  stages.take = [&](const CaseJob &job) {
    totals.add(job);
    run.refused.add(job.refused);
    progress.add(job.block.count);
  };
  runInto(totals, progress, run, stages, finish);
}

} // namespace

void CaseFinish::set(std::function<void()> finish) {
  const std::lock_guard lock(mutex_);
  finish_ = std::move(finish);
}

bool CaseFinish::operator()() const {
  const std::lock_guard lock(mutex_);
  if (finish_)
    finish_();
  return static_cast<bool>(finish_);
}

int runCases(CaseList list, const std::vector<Query> &queries, const CaseAnswerers &answerers,
             const Options &options, Refusals &refusals, CaseFinish &finish) {
  for (const auto &[name, isGiven] :
       {std::pair("--plan", !options.plan.empty()), std::pair("--profile", options.profile)})
    if (isGiven)
      fail(ErrorKind::Usage, "{} is for single results: {} has a list of cases", name,
           options.input);
  requireOneForm(options);
  requireText(list.source->schema(), options);
  CaseRun run{std::move(list), {}, {}, {}, {}, {}};
  makeEngines(run, queries, answerers.make, refusals);
  addLodColumns(run.queries, answerers.references, run.columns);
  // If the remaining queries have nothing to sum, the refused queries are the error.
  if (run.engines.empty() || (options.totals && !refusals.all().empty() && !hasTotals(run.columns)))
    return refusals.exitCode();
  answerers.areMade();
  // If devices do the arithmetic, threads only handle jobs.
  const bool areAlone = run.list.source->hasPlaces() && canSend(run.engines);
  const StreamMemory memory =
      divideStream(threadCount(options.threads), options.streamedBytes,
                   areAlone ? StreamThreads::AllDoJobs : StreamThreads::SomeParseOrAnswer);
  run.list.source->begin({options.onBadRow, memory.parseThreads});
  CaseStages stages = stagesOf(run, memory, options.onBadRow);
  if (options.totals)
    writeTotals(run, stages, options, finish);
  else
    writeRows(run, stages, options, finish);
  reportSkipped(run.list, run.refused);
  reportLeftDevices(run);
  return refusals.exitCode();
}

} // namespace mpf::driver
