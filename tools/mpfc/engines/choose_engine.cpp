#include "tools/mpfc/engines/choose_engine.h"

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

} // namespace

CaseEngine makeCaseEngine(const Model &model, const CaseSource &cases, const Query &query,
                          const Options &options) {
  std::vector<EngineAttempt> attempts;
  if (mayTakeLanes(options))
    attempts.emplace_back([&] { return makeLaneEngine(model, cases, query, options); });
  attempts.emplace_back([&] { return makeTableEngine(model, cases, query, options); });
  attempts.emplace_back([&] { return makeSingleEngine(model, cases, query, options); });
  ChosenEngine chosen = firstEngine(attempts);
  if (chosen.attempt + 1 == attempts.size() && chosen.wasTooLarge)
    say("mpfc: note: query {}: one case is answered after the other: the tables of several at once "
        "exceed the memory bound\n",
        query.name);
  return std::move(chosen.engine);
}

} // namespace mpf::driver
