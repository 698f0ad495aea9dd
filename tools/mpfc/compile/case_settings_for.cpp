#include "tools/mpfc/compile/case_settings_for.h"

#include "runtime/execute/lanes/sent/sent_rows.h"
#include "tools/mpfc/cases/stream_memory.h"
#include "tools/mpfc/compile/compile_query.h"
#include "tools/mpfc/compile/session_options.h"

#include <utility>

namespace mpf::driver {

CaseSettings caseSettingsFor(const Options &options) {
  Refusals none; // every error is thrown
  QueryPolicy policy = queryPolicyFor(options, none, noteFirstSearch());
  CaseSettings settings;
  settings.compile = options;
  settings.hooks = std::move(policy.hooks);
  settings.stop = std::move(policy.stop);
  settings.autotune = autotuneOptionsFor(options);
  settings.session = sessionOptionsFor(options);
  settings.streamedBytes = options.streamedBytes;
  settings.streamThreads = options.streamedBytes != 0 ? kSureStreamThreads : 0;
  settings.engine = options.caseEngine;
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
