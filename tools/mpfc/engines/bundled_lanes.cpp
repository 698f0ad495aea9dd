#include "tools/mpfc/engines/bundled_lanes.h"

#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/engines/column_map.h"
#include "tools/mpfc/engines/lane_engine.h"

#include <memory>
#include <utility>

namespace mpf::driver {

namespace {

/// The columns of a list -> those of the program.
ColumnMap columnsOf(const LaneProgram &program, const CaseSource &cases, const Options &options) {
  try {
    return ColumnMap(cases.schema(), program.schema);
  } catch (const MissingColumn &missing) {
    fail(ErrorKind::BadInput,
         "{}: variable {}: the bundle {} was built for cases that do not {} it", cases.name(),
         program.variables[missing.variable.index()].name, options.input,
         missing.isLikelihood ? "weigh the states of" : "observe");
  }
}

} // namespace

Model modelOfLanes(const LaneProgram &program) {
  Model model;
  model.name = program.name;
  for (const LaneVariable &variable : program.variables)
    model.variables.push_back({variable.name, variable.extent, variable.labels});
  std::vector<Observation> fixed;
  for (size_t v = 0; v < program.fixedStates.size(); ++v)
    if (program.fixedStates[v] != LaneProgram::kNoState)
      fixed.push_back({VarId{v}, program.fixedStates[v]});
  model.evidence.add(std::move(fixed));
  Query query;
  query.name = program.name;
  query.kind = program.kind;
  query.output = program.asked;
  query.reductions = {{program.semiring.reduce, {}}};
  query.combine = program.semiring.combine;
  query.type = program.type;
  model.queries = {std::move(query)};
  return model;
}

CaseEngine makeBundledLanes(LaneProgram program, const CaseSource &cases, const Options &given) {
  if (!program.schema.params.empty() || !program.schema.tables.empty())
    fail(
        ErrorKind::Unsupported,
        "{}: each case gives {} tables of its own, which a host program sets (runtime/api/cases.h)",
        given.input, program.schema.tables.size());
  const Options options = withMemoryBound(given, runFacts(program, given.threads));
  const ColumnMap columns = columnsOf(program, cases, options);
  CaseEngine engine = makeLaneEngine(std::move(program), options);
  if (columns.isIdentity())
    return engine;
  CaseEngine mapped = engine;
  mapped.answer = [columns, engine, mine = std::make_shared<CaseBlock>()](const CaseBlock &block,
                                                                          CaseAnswers &answers) {
    columns.fill(block, *mine);
    engine.answer(*mine, answers);
  };
  return mapped;
}

} // namespace mpf::driver
