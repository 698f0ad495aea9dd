// mpfc build: one query of a model as a bundle file, run later without parser and planner.
#include "codegen/bundle/write_bundle.h"
#include "dsl/support/error.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile/compile_queries.h"
#include "tools/mpfc/device_compiler.h"

namespace mpf::driver {

int runBuild(const Options &options) {
  Options forArchs = options;
  if (forArchs.target.empty() && !options.archs.empty())
    forArchs.target = options.archs.front();
  if (!forArchs.target.empty())
    noteUnusedCache();
  Refusals refusals;
  std::vector<Bundle> bundles = compileQueries(forArchs, refusals);
  if (refusals.queries() != 1)
    fail(ErrorKind::Usage, "a bundle holds one query, the model has {}: choose with --query-name",
         refusals.queries());
  if (bundles.empty())
    return refusals.exitCode();
  addCubins(bundles.front(), options.archs, options.dumpKernels);
  writeBundle(options.output, bundles.front());
  return 0;
}

} // namespace mpf::driver
