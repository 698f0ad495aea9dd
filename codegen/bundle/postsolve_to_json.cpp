#include "codegen/bundle/postsolve_json.h"

namespace mpf {

namespace {

using Json = JsonText;

Json variableJson(const PostsolveMap &answer, VarId id) {
  const HeadVariable &variable = answer.variables[id.index()];
  Json out{{"name", variable.name}, {"extent", variable.extent}};
  if (!variable.labels.empty())
    out["labels"] = variable.labels;
  if (const Finding *finding = answer.evidence.find(id)) {
    out["observed"] = *answer.evidence.state(id);
    out["fixed"] = finding->fixed;
  }
  return out;
}

Json stepJson(const AnswerStep &step) {
  Json out{{"variable", step.variable.value}, {"new_state", step.newState}};
  if (!step.share.empty())
    out["share"] = step.share;
  if (step.source) {
    out["source"] = step.source->value;
    out["state_of"] = step.stateOf;
  }
  if (step.table != nullptr) {
    out["scope"] = Json::array();
    for (const VarId id : step.scope)
      out["scope"].push_back(id.value);
    out["scope_extents"] = step.scopeExtents;
    out["table"] = *step.table;
  }
  return out;
}

} // namespace

JsonText answerToJson(const PostsolveMap &answer) {
  Json out{{"mantissa", answer.scale.factor.mantissa},
           {"exponent", answer.scale.factor.exponent},
           {"offset", answer.scale.offset},
           {"variables", Json::array()},
           {"steps", Json::array()}};
  for (size_t i = 0; i < answer.variables.size(); ++i)
    out["variables"].push_back(variableJson(answer, VarId{i}));
  for (const AnswerStep &step : answer.steps)
    out["steps"].push_back(stepJson(step));
  return out;
}

} // namespace mpf
