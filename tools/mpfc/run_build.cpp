// mpfc build: a query compiled to a .mpfb file, which runs without parser and planner.
#include "dsl/support/error.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile_queries.h"

namespace mpf::driver {

int runBuild(const Options &options) {
  const std::vector<Program> programs = compileQueries(options);
  if (programs.size() != 1)
    fail(ErrorKind::Usage,
         "the model has {} queries and a bundle holds one: choose with "
         "--query-name or --task",
         programs.size());
  if (options.output.empty() || options.output == "-")
    fail(ErrorKind::Usage, "build writes a binary file: name it with -o FILE.mpfb");
  programs.front().save(options.output);
  return 0;
}

} // namespace mpf::driver
