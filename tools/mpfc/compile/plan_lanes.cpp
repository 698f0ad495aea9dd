#include "tools/mpfc/compile/plan_lanes.h"

#include "codegen/pipeline/model_pipeline.h"

#include <utility>

namespace mpf::driver {

LanePlan planLanesOf(const Model &model, const Query &query, const CaseSchema &schema,
                     const Options &options, SearchNote note) {
  Refusals none; // every error is thrown
  QueryPolicy policy = queryPolicyFor(options, none, std::move(note));
  policy.report = {};
  return planLanes(model, query, schema, policy);
}

} // namespace mpf::driver
