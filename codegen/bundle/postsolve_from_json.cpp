#include "codegen/bundle/postsolve_json.h"
#include "dsl/support/error.h"

#include <nlohmann/json.hpp>

namespace mpf {

namespace {

using Json = nlohmann::json;

[[noreturn]] void reject(const char *key, const char *what) {
  fail(ErrorKind::BadInput, "bundle metadata: answer: '{}' {}", key, what);
}

const Json &field(const Json &object, const char *key) {
  if (!object.is_object() || !object.contains(key))
    reject(key, "is missing");
  return object[key];
}

uint32_t count(const Json &value, const char *key) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > UINT32_MAX)
    reject(key, "is no 32-bit count");
  return value.get<uint32_t>();
}

double real(const Json &value, const char *key) {
  if (!value.is_number())
    reject(key, "is no number");
  return value.get<double>();
}

std::string text(const Json &value, const char *key) {
  if (!value.is_string())
    reject(key, "is no text");
  return value.get<std::string>();
}

template <class T>
std::vector<T> listOf(const Json &object, const char *key, T (*item)(const Json &, const char *)) {
  const Json &list = field(object, key);
  if (!list.is_array())
    reject(key, "is no list");
  std::vector<T> out;
  for (const Json &json : list)
    out.push_back(item(json, key));
  return out;
}

VarId variableId(const Json &value, const char *key) {
  return VarId{static_cast<size_t>(count(value, key))};
}

AnswerVariable variable(const Json &json, const char *) {
  AnswerVariable out;
  out.name = text(field(json, "name"), "name");
  out.extent = count(field(json, "extent"), "extent");
  if (json.contains("labels"))
    out.labels = listOf(json, "labels", text);
  if (json.contains("observed")) {
    out.observed = count(json["observed"], "observed");
    const Json &fixed = field(json, "fixed");
    if (!fixed.is_boolean())
      reject("fixed", "is neither true nor false");
    out.fixed = fixed.get<bool>();
  }
  return out;
}

AnswerStep step(const Json &json, const char *) {
  AnswerStep out;
  out.variable = variableId(field(json, "variable"), "variable");
  out.newState = listOf(json, "new_state", count);
  if (json.contains("share"))
    out.share = listOf(json, "share", real);
  if (json.contains("source")) {
    out.source = variableId(json["source"], "source");
    out.stateOf = listOf(json, "state_of", count);
  }
  if (json.contains("table")) {
    out.scope = listOf(json, "scope", variableId);
    out.scopeExtents = listOf(json, "scope_extents", count);
    out.table = std::make_shared<const std::vector<double>>(listOf(json, "table", real));
  }
  return out;
}

} // namespace

PostsolveMap answerFromJson(std::string_view json) {
  const Json root = Json::parse(json, nullptr, false);
  PostsolveMap answer;
  answer.scale.factor.mantissa = real(field(root, "mantissa"), "mantissa");
  const Json &exponent = field(root, "exponent");
  if (!exponent.is_number_integer())
    reject("exponent", "is no integer");
  answer.scale.factor.exponent = exponent.get<int64_t>();
  answer.scale.offset = real(field(root, "offset"), "offset");
  answer.variables = listOf(root, "variables", variable);
  answer.steps = listOf(root, "steps", step);
  return answer;
}

} // namespace mpf
