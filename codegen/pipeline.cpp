#include "codegen/pipeline.h"

#include "codegen/bundle/build_bundle.h"
#include "codegen/bundle/verify_bundle.h"

namespace mpf {

Bundle compileQuery(const Model &model, const Query &query, const PipelineOptions &options,
                    Diagnostics &diagnostics) {
  const TableProgram program = buildProgram(model, query, options.plan, diagnostics, options.hooks);
  return compileProgram(model, program, options);
}

Bundle compileProgram(const Model &model, const TableProgram &program,
                      const PipelineOptions &options) {
  Bundle bundle = buildBundle(model, program, {options.plan.type, options.forcedLog});
  if (const auto gpu = options.gpu ? options.gpu(bundle) : std::nullopt)
    addGpuKernels(bundle, program, *gpu);
  verifyBundle(bundle);
  return bundle;
}

} // namespace mpf
