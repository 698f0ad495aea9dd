#include "tools/mpfc/explain/facts/lane_facts.h"

#include "codegen/bundle/lanes/shared_tables.h"
#include "dsl/support/counts.h"
#include "dsl/support/query_traits.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace mpf {

namespace {

/// Multiply-adds of a lane that a core does in a microsecond, in F64 and in F32, and the time of a
/// case beside them: its codes, and each entry of its answers. Measured with `mpf-bench cases` over
/// alarm, child, hailfinder, insurance, sachs and win95pts on cores with AVX2.
constexpr double kCoreF64PerUs = 5000, kCoreF32PerUs = 9000, kCaseUs = 0.02, kAnswerUs = 0.006;
/// The same in numbers with exponents of their own, over a chain of 30 variables.
constexpr double kCoreWidePerUs = 24;
/// Instructions of a table-driven kernel for each operand of a term: its address, its entry, their
/// sum, and its share of the loop (codegen/emit/preamble/mpf_teams.cuh).
constexpr double kTeamInstructions = 4;

double multiplyAddsOf(const LaneOperation &operation) {
  const auto products = static_cast<double>(std::max<size_t>(operation.operands.size(), 2) - 1);
  return operation.addressesApproximately() * products;
}

FrontierTable frontierTable(const LaneProgram &program, const LaneGather &gather) {
  FrontierTable table;
  table.name = program.tables[gather.table].name;
  table.rowElems = program.tables[gather.message].sizeElems;
  table.rows = 1;
  for (const LaneCode &code : gather.codes) {
    const CaseVariable &digit = program.schema.observed[code.column];
    table.variables.push_back(program.variables[digit.variable.index()].name);
    table.rows *= digit.extent + 1.0;
  }
  return table;
}

void addGathers(const LaneProgram &program, LaneFacts &facts) {
  std::set<uint32_t> digits, alone;
  std::map<uint32_t, FrontierTable> frontier; // by table, which may be picked from twice
  for (const LaneStep &step : program.steps) {
    const auto *gather = std::get_if<LaneGather>(&step);
    if (gather == nullptr)
      continue;
    ++facts.gathers;
    const bool isCommon = program.tables[gather->table].kind == LaneTableKind::Common;
    for (const LaneCode &code : gather->codes)
      (isCommon ? digits : alone).insert(code.column);
    if (isCommon)
      frontier.emplace(gather->table, frontierTable(program, *gather));
  }
  facts.digits = digits.size();
  facts.pickedAlone = alone.size();
  for (auto &[number, table] : frontier)
    facts.frontier.push_back(std::move(table));
  std::ranges::stable_sort(facts.frontier, std::greater(), &FrontierTable::elems);
}

double answersOf(const LaneProgram &program) {
  double answers =
      traitsOf(program.kind).decoding ? static_cast<double>(program.variables.size()) : 0;
  for (const LaneOutput &output : program.outputs)
    answers += static_cast<double>(output.sizeElems());
  return answers;
}

double rowsOfCore(const LanePlan &plan, double multiplyAddsPerUs) {
  return 1e6 / (plan.laneCost / multiplyAddsPerUs + kCaseUs + kAnswerUs * answersOf(plan.program));
}

/// Of a GPU's memory, for what a case sets and its answers.
double rowUs(const LaneProgram &program, ElementType type, const Target &target) {
  const CaseSchema &schema = program.schema;
  const double entries = static_cast<double>(schema.weightCount()) + answersOf(program);
  const auto codes = static_cast<double>(schema.observed.size() * codeBytesFor(schema));
  return (codes + entries * static_cast<double>(elementBytes(type))) / target.copyBytesPerUs;
}

} // namespace

LaneFacts laneFacts(const LanePlan &plan) {
  const LaneProgram &program = plan.program;
  LaneFacts facts;
  facts.commonOperations = program.commonOperations.size();
  for (const LaneOperation &operation : program.commonOperations)
    facts.commonMultiplyAdds += multiplyAddsOf(operation);
  for (const uint32_t table : sharedTables(program)) {
    ++facts.sharedTables;
    facts.sharedElems = saturatingAdd(facts.sharedElems, program.tables[table].sizeElems);
  }
  facts.tableElems = plan.tableElems;
  addGathers(program, facts);
  facts.products = program.steps.size() - facts.gathers;
  for (const LaneStep &step : program.steps)
    if (const auto *operation = std::get_if<LaneOperation>(&step))
      facts.multiplyAdds += multiplyAddsOf(*operation);
  facts.laneElems = program.laneElems;
  facts.laneCost = plan.laneCost;
  return facts;
}

double laneRowsOnCpu(const LanePlan &plan, ElementType type, uint64_t threads) {
  const double rate = type == ElementType::F32 ? kCoreF32PerUs : kCoreF64PerUs;
  return static_cast<double>(threads) * rowsOfCore(plan, rate);
}

double laneRowsInWideNumbers(const LanePlan &plan, uint64_t threads) {
  return static_cast<double>(threads) * rowsOfCore(plan, kCoreWidePerUs);
}

/// LaneCosts counts in F32, whatever the type.
double laneRowsByThreads(const LanePlan &plan, ElementType type, const Target &target) {
  const double issueUs = plan.laneCost / (target.f32FlopsPerUs / 2);
  return 1e6 / std::max(issueUs, rowUs(plan.program, type, target));
}

double laneRowsByTeams(const LanePlan &plan, ElementType type, const Target &target,
                       bool isShared) {
  double entries = 0; // that are read or written
  for (const LaneStep &step : plan.program.steps)
    if (const auto *operation = std::get_if<LaneOperation>(&step))
      entries +=
          operation->addressesApproximately() * static_cast<double>(operation->operands.size()) +
          static_cast<double>(operation->keptAddresses());
    else
      entries +=
          static_cast<double>(plan.program.tables[std::get<LaneGather>(step).message].sizeElems);
  const double issueUs = kTeamInstructions * entries / (target.f32FlopsPerUs / 2);
  const double bytes = entries * static_cast<double>(elementBytes(type));
  return 1e6 / std::max({issueUs, isShared ? 0 : bytes / target.l2BytesPerUs,
                         rowUs(plan.program, type, target)});
}

} // namespace mpf
