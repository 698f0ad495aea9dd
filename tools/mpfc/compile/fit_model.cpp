#include "tools/mpfc/compile/fit_model.h"

#include "codegen/bundle/bundle.h"
#include "runtime/library/jit_fit.h"
#include "runtime/machine/process_memory.h"
#include "runtime/session/verified_program.h"
#include "tools/mpfc/compile/announce_work.h"
#include "tools/mpfc/compile/compile_query.h"
#include "tools/mpfc/compile/own_runs.h"
#include "tools/mpfc/compile/session_options.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace mpf::driver {

namespace {

FitRuns fitRunsFor(const Options &given) {
  const Options options = forOwnRuns(given);
  FitRuns runs;
  runs.session = sessionOptionsFor(options);
  runs.mostTableBytes = std::min(options.maxMemoryBytes.value_or(UINT64_MAX), hostBytes());
  runs.compile = [options](const Model &model, const Query &query) {
    return VerifiedPrograms::of(
        std::make_shared<const Bundle>(compileQuery(model, query, options)));
  };
  runs.expect = [given, options, isSaid = false](double seconds,
                                                 std::span<const Program> programs) mutable {
    WorkAhead fit;
    for (const Program &program : programs)
      fit.add(workOf(program, options));
    fit.what = programs.size() == 1
                   ? "fitting " + programs.front().bundle().name
                   : fmt::format("fitting {} posteriors together", programs.size());
    fit.seconds = seconds;
    fit.isExplained = false;
    if (!isSaid || seconds > kAgreedSeconds)
      announceWork(fit, given);
    isSaid |= seconds >= kSaidSeconds;
  };
  return runs;
}

} // namespace

Model fittedModel(Model model, const Options &options) {
  if (!hasTargets(model))
    return model;
  uint32_t rounds = 0;
  model = fitted(std::move(model), fitRunsFor(options), &rounds);
  say("mpfc: note: likelihoods that give the posteriors observed were fitted in {}{}\n",
      counted(rounds, "round", "rounds"),
      options.command == "build" ? "; evidence and values that are bound later do not change them"
                                 : "");
  return model;
}

} // namespace mpf::driver
