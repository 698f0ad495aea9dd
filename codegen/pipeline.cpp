#include "codegen/pipeline.h"

#include "codegen/bundle/build_bundle.h"

namespace mpf {

Bundle compileQuery(const Model &model, const Query &query, const PipelineOptions &options,
                    Diagnostics &diagnostics) {
  const TableProgram program = buildProgram(model, query, options.plan, diagnostics, options.hooks);
  return compileProgram(model, program, options);
}

Bundle compileProgram(const Model &model, const TableProgram &program,
                      const PipelineOptions &options) {
  return buildBundle(model, program, {options.plan.type, options.forcedLog});
}

} // namespace mpf
