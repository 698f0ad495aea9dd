#include "tools/mpfc/compile_queries.h"

#include "codegen/pipeline.h"
#include "dsl/support/error.h"
#include "tools/mpfc/load_model.h"
#include "tools/mpfc/plan_queries.h"

namespace mpf::driver {

std::vector<Program> compileQueries(const Options &options) {
  if (options.input.ends_with(".mpfb")) {
    if (options.evidence || options.task || !options.queryName.empty())
      fail(ErrorKind::Usage, "{}: a bundle's evidence and query were fixed when it was built",
           options.input);
    return {loadProgram(options.input)};
  }
  const Model model = loadModelOrFail(options);
  PipelineOptions pipeline;
  pipeline.plan.type = options.type;
  pipeline.forcedLog = options.forcedLog;
  std::vector<Program> programs;
  for (const TableProgram &program : planQueries(model, options))
    programs.emplace_back(std::make_shared<const Bundle>(compileProgram(model, program, pipeline)));
  return programs;
}

} // namespace mpf::driver
