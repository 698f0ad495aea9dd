#include "tools/mpfc/compile/case_settings_for.h"

#include "runtime/execute/lanes/sent/sent_rows.h"
#include "tools/mpfc/compile/compile_query.h"
#include "tools/mpfc/compile/plan_lanes.h"
#include "tools/mpfc/compile/session_options.h"

namespace mpf::driver {

namespace {

Options withSettings(Options options, const CompileSettings &settings) {
  static_cast<CompileSettings &>(options) = settings;
  return options;
}

} // namespace

CaseSettings caseSettingsFor(const Options &options) {
  CaseSettings settings;
  settings.compile = options;
  settings.session = sessionOptionsFor(options);
  settings.streamedBytes = options.streamedBytes;
  settings.engine = options.caseEngine;
  const SearchNote note = noteFirstSearch();
  settings.compileQuery = [options, note](const Model &model, const Query &query,
                                          const CompileSettings &compile) {
    return compileQuery(model, query, withSettings(options, compile), note);
  };
  settings.planLanes = [options, note](const Model &model, const Query &query,
                                       const CaseSchema &schema, const CompileSettings &compile) {
    return planLanesOf(model, query, schema, withSettings(options, compile), note);
  };
  return settings;
}

CaseProblem caseProblemFor(const Model &model, const CaseSource &cases, const Query &query,
                           const Options &options, const std::optional<Target> &gpu) {
  return {model,
          cases.schema(),
          query,
          caseSettingsFor(options),
          cases.likelyCount(),
          gpu,
          sentCodeBits(rowsToSend(cases))};
}

} // namespace mpf::driver
