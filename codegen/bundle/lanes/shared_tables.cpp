#include "codegen/bundle/lanes/shared_tables.h"

#include <set>

namespace mpf {

std::vector<uint32_t> sharedTables(const LaneProgram &program) {
  std::set<uint32_t> read;
  const auto add = [&](uint32_t table) {
    const LaneTableKind kind = program.tables[table].kind;
    if (kind == LaneTableKind::Values || kind == LaneTableKind::Common)
      read.insert(table);
  };
  for (const LaneStep &step : program.steps) {
    if (const auto *gather = std::get_if<LaneGather>(&step))
      add(gather->table);
    else
      for (const LaneAccess &operand : std::get<LaneOperation>(step).operands)
        add(operand.table);
  }
  for (const LaneTraceback &step : program.traceback)
    for (const LaneTraceback::Table &table : step.tables)
      add(table.access.table);
  return {read.begin(), read.end()};
}

} // namespace mpf
