#include "tools/mpfc/compile/own_runs.h"

#include "tools/mpfc/compile/search_end.h"

#include <utility>

namespace mpf::driver {

Options forOwnRuns(Options options) {
  options.purpose = Purpose::Sessions;
  options.planIsGiven = false;
  options.simplify = options.simplify.value_or(Simplification::All);
  options.runPasses.clear();
  options.type = ElementType::F64;
  if (options.command != "run")
    options.devices = DeviceRequest::cpu();
  options.target.clear();
  options.archs.clear();
  options.gpuExpected = {};
  options.tagDigits.reset();
  options.pagesPerBlock.reset();

  options.task.reset();
  options.queryFile.clear();
  options.printAfter.clear();
  options.printChanged = options.timePasses = false;
  options.plan.clear();
  options.autotune.reset();
  options.dumpKernels.clear();
  options.overrideKernels.clear();
  options.profile = false;
  options.emitStage.reset();
  return withOneSearchEnd(std::move(options));
}

} // namespace mpf::driver
