#include "runtime/choose/lane_facts.h"

#include "codegen/bundle/lanes/shared_tables.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace mpf {

namespace {

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
  std::map<uint32_t, FrontierTable> frontier; // by table: several gathers may pick from one
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

} // namespace mpf
