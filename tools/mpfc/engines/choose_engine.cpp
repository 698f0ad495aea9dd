#include "tools/mpfc/engines/choose_engine.h"

#include "dsl/support/check.h"
#include "tools/mpfc/cases/first_engine.h"
#include "tools/mpfc/engines/lane_engine.h"
#include "tools/mpfc/engines/single_engine.h"
#include "tools/mpfc/engines/table_engine.h"
#include "tools/mpfc/process/output.h"

#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

/// Lanes take logarithms of nothing, and check nothing a second time.
bool mayTakeLanes(const Options &options) { return !options.forcedLog && !options.verify; }

using MakeEngine = CaseEngine (*)(const Model &, const CaseSource &, const Query &,
                                  const Options &);

MakeEngine makerOf(CaseEngineKind kind) {
  switch (kind) {
  case CaseEngineKind::Lanes:
    return makeLaneEngine;
  case CaseEngineKind::Tables:
    return makeTableEngine;
  case CaseEngineKind::Single:
    return makeSingleEngine;
  }
  MPF_UNREACHABLE("engine {}", static_cast<int>(kind));
}

} // namespace

std::vector<CaseEngineKind> enginesFor(const Options &options) {
  if (!mayTakeLanes(options))
    return {CaseEngineKind::Tables, CaseEngineKind::Single};
  return {CaseEngineKind::Lanes, CaseEngineKind::Tables, CaseEngineKind::Single};
}

std::string_view engineName(CaseEngineKind kind) {
  switch (kind) {
  case CaseEngineKind::Lanes:
    return "lanes";
  case CaseEngineKind::Tables:
    return "tables";
  case CaseEngineKind::Single:
    return "single runs";
  }
  MPF_UNREACHABLE("engine {}", static_cast<int>(kind));
}

CaseEngine makeCaseEngine(const Model &model, const CaseSource &cases, const Query &query,
                          const Options &options) {
  std::vector<EngineAttempt> attempts;
  for (const CaseEngineKind kind : enginesFor(options))
    attempts.emplace_back([&, make = makerOf(kind)] { return make(model, cases, query, options); });
  ChosenEngine chosen = firstEngine(attempts);
  if (chosen.attempt + 1 == attempts.size() && chosen.wasTooLarge)
    say("mpfc: note: query {}: one case is answered after the other: the tables of several at once "
        "exceed the memory bound\n",
        query.name);
  return std::move(chosen.engine);
}

} // namespace mpf::driver
