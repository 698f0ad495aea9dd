#include "codegen/pipeline.h"

#include "codegen/bundle/verify_bundle.h"
#include "codegen/specialise/build_bundle.h"
#include "codegen/specialise/specialise.h"
#include "dsl/support/error.h"

namespace mpf {

Bundle compileQuery(const Model &model, const Query &query, const PipelineOptions &options,
                    Diagnostics &diagnostics) {
  Simplified simple = simplify(model, query, options.simplify, options.afterSimplify);
  PlanOptions plan = options.plan;
  plan.finalTables = simple.answer.has_value();
  const TableProgram program =
      buildProgram(simple.model, simple.query, plan, diagnostics, options.hooks);
  return compileProgram(simple.model, program, options, std::move(simple.answer));
}

void requireForm(ElementType type, bool forcedLog) {
  if (forcedLog && isIntegerType(type))
    fail(ErrorKind::Usage, "{} holds whole numbers, it has no log arithmetic",
         elementTypeName(type));
}

namespace {

Bundle soundBundle(const Model &model, const TableProgram &program, const PipelineOptions &options,
                   std::optional<PostsolveMap> answer) {
  Bundle bundle = buildBundle(model, program, {options.plan.type, options.forcedLog});
  bundle.answer = std::move(answer);
  if (const auto gpu = options.gpu ? options.gpu(bundle) : std::nullopt)
    addGpuKernels(bundle, program, *gpu);
  verifyBundle(bundle);
  return bundle;
}

} // namespace

Bundle compileProgram(const Model &model, const TableProgram &program,
                      const PipelineOptions &options, std::optional<PostsolveMap> answer,
                      ProgramOrigin origin) {
  requireForm(options.plan.type, options.forcedLog);
  try {
    return soundBundle(model, program, options, std::move(answer));
  } catch (const Error &error) {
    if (origin == ProgramOrigin::Text || error.kind() != ErrorKind::BadInput)
      throw;
    fail(ErrorKind::Internal, "query {}: {}", program.name, error.what());
  }
}

} // namespace mpf
