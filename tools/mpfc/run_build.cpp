// mpfc build: one query of a model as a bundle file, run later without parser and planner.
#include "codegen/bundle/write_bundle.h"
#include "dsl/support/error.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile_queries.h"

namespace mpf::driver {

int runBuild(const Options &options) {
  const std::vector<Bundle> bundles = compileQueries(options);
  if (bundles.size() != 1)
    fail(ErrorKind::Usage, "a bundle holds one query, the model has {}: choose with --query-name",
         bundles.size());
  writeBundle(options.output, bundles.front());
  return 0;
}

} // namespace mpf::driver
