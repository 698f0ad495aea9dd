#include "tools/mpfc/compile/query_policy.h"

#include "codegen/pipeline/pass_names.h"
#include "codegen/pipeline/pass_report.h"
#include "tools/mpfc/process/long_planning.h"
#include "tools/mpfc/process/output.h"
#include "tools/mpfc/process/search_interrupt.h"

#include <memory>
#include <utility>

namespace mpf::driver {

void noteSearch(const SearchEffort &effort) {
  if (effort.truncated)
    say("mpfc: note: the search for an order ended before its first greedy run (--plan-time "
        "searches longer)\n");
  else if (effort.stopped)
    say("mpfc: note: the search for an order ended after {} rounds (--plan-rounds {} "
        "repeats it, --plan-time searches longer; answers are exact with any order)\n",
        effort.rounds, effort.rounds);
}

SearchNote noteFirstSearch() {
  return [wasEnded = std::make_shared<bool>(false)](const SearchEffort &effort) {
    if (!std::exchange(*wasEnded, *wasEnded || effort.truncated || effort.stopped))
      noteSearch(effort);
  };
}

namespace {

PipelineHooks hooksFor(const Options &options, SearchNote note) {
  PipelineHooks notes;
  notes.searched = std::move(note);
  return bothHooks(reportHooks({options.printAfter, options.printChanged, options.timePasses,
                                [](const std::string &text) { say("{}", text); }}),
                   std::move(notes));
}

} // namespace

QueryPolicy queryPolicyFor(const Options &options, Refusals &refusals, SearchNote note) {
  checkPassNames(options, options.printAfter);
  checkRunPasses(options, options.startStage == Stage::Plan);
  QueryPolicy policy;
  policy.settings = options;
  policy.hooks = hooksFor(options, std::move(note));
  policy.refusals = refusals.policy();
  policy.stop = [] {
    struct Planning {
      LongPlanning announced;
      SearchInterrupt interrupt;
    };
    const auto planning = std::make_shared<Planning>();
    return std::shared_ptr<const std::atomic<bool>>(planning, planning->interrupt.flag());
  };
  policy.report = printDiagnostics;
  return policy;
}

} // namespace mpf::driver
