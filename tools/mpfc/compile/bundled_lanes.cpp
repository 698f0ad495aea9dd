#include "tools/mpfc/compile/bundled_lanes.h"

#include "runtime/cases/choose_engine.h"
#include "runtime/cases/spares.h"
#include "tools/mpfc/compile/case_settings_for.h"
#include "tools/mpfc/compile/column_map.h"
#include "tools/mpfc/compile/memory_bound.h"

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

CaseEngine makeBundledLanes(LaneProgram program, const CaseSource &cases, const Options &given) {
  if (const size_t own = givenSchema(program).tables.size(); own != 0)
    fail(
        ErrorKind::Unsupported,
        "{}: each case gives {} tables of its own, which a host program sets (runtime/api/cases.h)",
        given.input, own);
  const Options options = withMemoryBound(given, runFacts(program, given.threads));
  const ColumnMap columns = columnsOf(program, cases, options);
  const CaseLoad load{cases.likelyCount(), options.expectedRuns};
  CaseEngine engine = openGivenLanes(std::make_shared<const LaneProgram>(std::move(program)),
                                     caseSettingsFor(options), load)
                          .engine;
  if (columns.isIdentity())
    return engine;
  CaseEngine mapped = engine;
  mapped.answer = [columns, engine, blocks = std::make_shared<Spares<CaseBlock>>()](
                      const CaseBlock &block, CaseAnswers &answers) {
    blocks->with([&](CaseBlock &mine) {
      columns.fill(block, mine);
      engine.answer(mine, answers);
    });
  };
  return mapped;
}

} // namespace mpf::driver
