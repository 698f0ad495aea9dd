#include "tools/mpfc/explain/explain_query.h"

#include "codegen/plan/program/program_memory.h"
#include "codegen/plan/program/program_statistics.h"
#include "dsl/model/print/print_model.h"
#include "dsl/support/counts.h"
#include "dsl/support/error.h"
#include "tools/mpfc/explain/facts/advice.h"
#include "tools/mpfc/explain/facts/bucket_facts.h"
#include "tools/mpfc/explain/facts/compiled_facts.h"
#include "tools/mpfc/explain/facts/costliest_facts.h"
#include "tools/mpfc/explain/facts/find_warnings.h"
#include "tools/mpfc/explain/facts/launch_facts.h"
#include "tools/mpfc/explain/facts/memory_facts.h"
#include "tools/mpfc/explain/facts/network_facts.h"
#include "tools/mpfc/explain/facts/network_picture.h"
#include "tools/mpfc/explain/facts/pass_records.h"
#include "tools/mpfc/explain/facts/placement_facts.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace mpf {

namespace {

QueryExplanation start(const Query &query, const ExplainOptions &options) {
  QueryExplanation explanation;
  explanation.query = query.name;
  explanation.kind = queryKindName(query.kind);
  for (const JoinedQuery &member : query.joined)
    explanation.joined.push_back(member.name);
  explanation.target = options.cost.kernel.target.name;
  explanation.element = elementTypeName(options.pipeline.plan.type);
  explanation.speedOrigin = options.cost.speedOrigin;
  explanation.memory.boundBytes = options.boundBytes;
  explanation.memory.boundSource = options.boundSource;
  explanation.memory.deviceBytes = options.cost.kernel.target.memoryBytes;
  explanation.asksGpu = options.asksGpu;
  return explanation;
}

void addPlan(const TableProgram &program, bool signedValues, const ExplainOptions &options,
             QueryExplanation &explanation) {
  explanation.planned = true;
  if (!program.operations.empty())
    explanation.semiring = semiringName(program.operations.front().semiring);
  for (auto it = program.order.rbegin(); it != program.order.rend(); ++it)
    explanation.order.push_back(program.variables[it->index()].name);
  const ProgramStatistics statistics = programStatistics(program, options.pipeline.plan.type);
  for (const VarId id : program.order)
    if (program.variables[id.index()].sliced && !program.variables[id.index()].copyOf.valid())
      explanation.sliced.push_back(program.variables[id.index()].name);
  explanation.slices = statistics.sliceCount;
  explanation.inducedWidth = statistics.inducedWidth;
  explanation.log2LargestClique = statistics.log2LargestAddressCount;
  explanation.laidOutTables = statistics.laidOutTables;
  explanation.packedTables = statistics.packedTables;
  explanation.packedElems = statistics.packedElems;
  explanation.log2LargestMessage = statistics.log2LargestTableElems;
  explanation.log2Ops = statistics.log2TotalOps;
  explanation.buckets = bucketFacts(program);
  MemoryFacts memory = memoryFacts(program, options.pipeline.plan.type, signedValues);
  memory.boundBytes = explanation.memory.boundBytes;
  memory.boundSource = explanation.memory.boundSource;
  memory.deviceBytes = explanation.memory.deviceBytes;
  explanation.memory = std::move(memory);
  addCosts(program, options.cost, explanation);
}

/// Adds the costliest buckets and warnings; call it after the buckets were placed, if they are.
void addFindings(const TableProgram &program, const CostOptions &options,
                 QueryExplanation &explanation) {
  addCostliest(program, options, explanation);
  warnOfPlan(options.kernel.target, explanation);
}

/// Memory besides the tables, measured over the published networks
/// (tests/networks/memory_promise.py), with room to spare. The first is for code, libraries,
/// threads and their packing buffers. The second is for an entry as text, in the model and in the
/// bundle. The third is for a bucket in plan, bundle, schedule and executor.
constexpr uint64_t kProgramBytes = uint64_t{48} << 20;
constexpr uint64_t kBytesPerEntry = 48;
constexpr uint64_t kBytesPerBucket = 8192;

void addProcess(QueryExplanation &explanation) {
  const uint64_t values = saturatingMul(explanation.network->entries, kBytesPerEntry);
  const uint64_t plan = saturatingMul(explanation.buckets.size(), kBytesPerBucket);
  explanation.memory.processBytes =
      saturatingAdd(explanation.memory.peakBytes, saturatingAdd(values, plan + kProgramBytes));
}

/// Takes the sizes of the arenas, which may have room for slices side by side.
void takeArenas(const Bundle &bundle, MemoryFacts &memory) {
  memory.workBytes = bundle.workArenaBytes;
  memory.peakBytes = bundle.inputArenaBytes + bundle.workArenaBytes;
}

/// Returns the message without its place and without the line of the caret, which only a terminal
/// can show.
std::string messageOf(const Error &error) {
  const std::string_view text = error.what();
  const std::string_view line = text.substr(0, text.find('\n'));
  constexpr std::string_view kMark = ": error: ";
  const size_t mark = line.find(kMark);
  return std::string(mark == std::string_view::npos ? line : line.substr(mark + kMark.size()));
}

/// Returns the plan within the bound. If it is refused, adds a warning with the reason and returns
/// the best plan without the bound, if there is one.
std::optional<TableProgram> planOrRefuse(const Simplified &simple, PipelineOptions options,
                                         Diagnostics &diagnostics, QueryExplanation &explanation) {
  const uint64_t boundBytes = options.plan.maxMemoryBytes;
  if (options.plan.largerBound)
    options.plan.largerBound = [&, ask = std::move(options.plan.largerBound)] {
      const std::optional<MemoryBound> more = ask();
      if (more && more->bytes > boundBytes) {
        explanation.memory.boundBytes = more->bytes;
        explanation.memory.boundSource = more->source;
      }
      return more;
    };
  for (const bool bounded : {true, false}) {
    diagnostics = Diagnostics(); // keep one attempt: both report the same about the model
    try {
      return Pipeline(options).plan(simple, diagnostics);
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::MemoryBound)
        throw;
      if (bounded)
        explanation.warnings.push_back({WarningKind::Refused, messageOf(error)});
    }
    if (boundBytes == UINT64_MAX)
      break;
    options.plan.maxMemoryBytes = UINT64_MAX;
    options.plan.largerBound = nullptr;
  }
  return std::nullopt;
}

/// Explains the query without a memory bound; nothing if it is refused.
std::optional<QueryExplanation> explainUnbounded(const Model &model, const Query &query,
                                                 ExplainOptions options) {
  options.boundBytes.reset();
  options.pipeline.plan.maxMemoryBytes = UINT64_MAX;
  options.pipeline.plan.largerBound = nullptr;
  options.pipeline.hooks = {};
  options.cost.planned = nullptr;
  try {
    return explainQuery(model, query, options);
  } catch (const Error &) {
    return std::nullopt;
  }
}

NetworkPicture pictureOf(const Model &model, const Query &query, const Simplified &simple) {
  if (!simple.answer)
    return networkPicture(model, query, nullptr);
  std::vector<const Factor *> left;
  for (const FactorId id : simple.query.factors)
    left.push_back(&simple.model.factor(id));
  return networkPicture(model, query, &left);
}

} // namespace

QueryExplanation explainQuery(const Model &model, const Query &query,
                              const ExplainOptions &options) {
  return *explainJoined(model, query, options, {});
}

std::optional<QueryExplanation> explainJoined(const Model &model, const Query &query,
                                              const ExplainOptions &given,
                                              const JoiningPays &pays) {
  ExplainOptions options = given;
  const auto planned = std::make_shared<PlannedKernels>(); // plans each once, and counts all
  options.pipeline.planned = options.cost.planned = planned;
  QueryExplanation explanation = start(query, options);
  const ElementType type = options.pipeline.plan.type;
  explanation.network = networkFacts(model, query, type);
  SimplifyPassRecord removed;
  PlanPassRecord record(type);
  PipelineOptions stages = options.pipeline;
  stages.hooks = bothHooks(bothHooks(removed.hooks(), record.hooks()), stages.hooks);
  const Pipeline pipeline(stages);
  const Simplified simple = pipeline.simplify(model, query);
  if (simple.answer)
    explanation.passes.push_back(removed.table());
  explanation.picture = pictureOf(model, query, simple);
  Diagnostics diagnostics;
  const std::optional<TableProgram> program =
      planOrRefuse(simple, stages, diagnostics, explanation);
  const bool isBounded = program && explanation.warnings.empty();
  if (pays && !(isBounded && pays(*program, type)))
    return std::nullopt;
  explanation.passes.push_back(record.table());
  const size_t askedKernels = planned->count();
  if (program) {
    const bool isSigned = hasSignedProducts(*program, simple.model, type);
    addPlan(*program, isSigned, options, explanation);
    const size_t chosenKernels = planned->count();
    std::optional<Bundle> bundle;
    if (!program->operations.empty() && explanation.memory.peakBytes != UINT64_MAX)
      bundle = pipeline.bundle(simple.model, *program);
    if (bundle)
      takeArenas(*bundle, explanation.memory);
    if (bundle)
      addPlacement(*bundle, options.cost, explanation);
    addFindings(*program, options.cost, explanation);
    if (bundle) {
      addLaunches(*program, *bundle, options.cost, explanation);
      addCompiledKernels(*bundle, options.cost.expectedCpuRuns, explanation);
      warnOfRange(*bundle, explanation);
    }
    addProcess(explanation);
    // A run that stays on the CPU chooses no kernels.
    addPlanningPhase(record.effort(), explanation.staysOnCpu() ? askedKernels : chosenKernels,
                     options.cost, explanation);
    adviseMemory([&] { return explainUnbounded(model, query, given); }, explanation);
    if (bundle)
      adviseRepeatedRuns(*bundle, options.cost.expectedCpuRuns, explanation);
  }
  for (const Diagnostic &diagnostic : diagnostics.all())
    explanation.warnings.push_back({WarningKind::Planner, diagnostic.message});
  return explanation;
}

QueryExplanation explainQuery(const Model &model, const Query &query, const ExplainOptions &options,
                              CaseFacts cases) {
  QueryExplanation explanation = start(query, options);
  explanation.network = networkFacts(model, query, options.pipeline.plan.type);
  explanation.picture = networkPicture(model, query, nullptr);
  explanation.askedDevice = options.cost.devices.devicesWord();
  explanation.autoDevice = cases.chosen().device;
  explanation.cases = std::move(cases);
  return explanation;
}

QueryExplanation explainProgram(const TableProgram &program, const ExplainOptions &options) {
  Query query;
  query.name = program.name;
  query.kind = program.kind;
  QueryExplanation explanation = start(query, options);
  addPlan(program, false, options, explanation);
  addFindings(program, options.cost, explanation);
  return explanation;
}

} // namespace mpf
