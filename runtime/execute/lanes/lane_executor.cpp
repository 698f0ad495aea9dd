#include "runtime/execute/lanes/lane_executor.h"

namespace mpf {

void shapeAnswers(const LaneProgram &program, uint32_t count, CaseAnswers &answers) {
  answers.count = count;
  answers.tables.resize(program.outputs.size());
  for (size_t o = 0; o < program.outputs.size(); ++o) {
    const LaneOutput &output = program.outputs[o];
    CaseTable &table = answers.tables[o];
    if (table.name != output.name || table.extents != output.extents) {
      table.name = output.name;
      table.variables.clear();
      for (const VarId variable : output.scope)
        table.variables.push_back(program.variables[variable.index()].name);
      table.extents = output.extents;
      table.normalised = output.normalised;
      table.size = output.sizeElems();
    }
    table.entries.resize(table.size * count);
    table.exponents.resize(count);
    table.farApart.clear();
  }
  answers.variables = traitsOf(program.kind).decoding ? program.variables.size() : 0;
  answers.states.resize(answers.variables * count);
}

} // namespace mpf
