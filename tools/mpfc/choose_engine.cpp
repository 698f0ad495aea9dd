#include "tools/mpfc/choose_engine.h"

#include "dsl/source/text_error.h"
#include "tools/mpfc/lane_engine.h"
#include "tools/mpfc/table_engine.h"

#include <exception>

namespace mpf::driver {

namespace {

void requireSupport(const CaseSource &cases, const Query &query, const Options &options) {
  if (!cases.schema().params.empty())
    cases.failAtParam(0, ErrorKind::Unsupported, "lists of cases cannot set params yet");
  if (isIntegerType(elementTypeOf(query, options.type)))
    failAt(ErrorKind::Unsupported, query.place,
           "query {}: lists of cases (observe cases) are not supported in whole numbers yet",
           query.name);
}

/// Lanes take logarithms of nothing, and check nothing a second time.
bool mayTakeLanes(const Options &options) {
  return options.device != "gpu" && !options.forcedLog && !options.verify;
}

} // namespace

CaseEngine makeCaseEngine(const Model &model, const CaseSource &cases, const Query &query,
                          const Options &options) {
  requireSupport(cases, query, options);
  std::exception_ptr tooLarge; // for lanes
  if (mayTakeLanes(options))
    try {
      return makeLaneEngine(model, cases, query, options);
    } catch (const Error &refusal) {
      if (refusal.kind() == ErrorKind::MemoryBound)
        tooLarge = std::current_exception();
      else if (refusal.kind() != ErrorKind::Unsupported)
        throw;
    }
  try {
    return makeTableEngine(model, cases, query, options);
  } catch (const Error &refusal) {
    // Then lanes would answer it if they were given the memory.
    if (tooLarge && refusal.kind() == ErrorKind::Unsupported)
      std::rethrow_exception(tooLarge);
    throw;
  }
}

} // namespace mpf::driver
