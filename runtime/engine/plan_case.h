// Plans the queries that engines ask in place of the query of a case. A refusal (refusal.h) that
// planning throws excludes the engine; other errors are final.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/lanes/build_lane_program.h"
#include "dsl/model/model.h"
#include "dsl/support/cases/case_schema.h"
#include "runtime/engine/case_settings.h"

namespace mpf {

/// Compiles `query` with the settings `compile`, which an engine derived from settings.compile.
/// Throws as compileOne and chooseKernels; reports no warnings.
Bundle compileCase(const CaseSettings &settings, const Model &model, const Query &query,
                   CompileSettings compile);

/// Plans `query` in lanes likewise, or returns the given plan if it is for the device. Throws as
/// planLanes.
LanePlan planCaseLanes(const CaseSettings &settings, const Model &model, const Query &query,
                       const CaseSchema &schema, CompileSettings compile);

} // namespace mpf
