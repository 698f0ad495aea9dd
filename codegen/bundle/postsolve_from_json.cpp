#include "codegen/bundle/json_value.h"
#include "codegen/bundle/postsolve_json.h"
#include "dsl/support/check.h"

namespace mpf {

namespace {

using Json = JsonValue;

[[noreturn]] void reject(const char *key, const char *what) {
  fail(ErrorKind::BadInput, "bundle metadata: answer: '{}' {}", key, what);
}

Json field(const Json &object, const char *key) {
  const std::optional<Json> value = object.member(key);
  if (!value)
    reject(key, "is missing");
  return *value;
}

uint32_t count(const Json &value, const char *key) {
  const std::optional<uint64_t> count = value.count();
  if (!count || *count > UINT32_MAX)
    reject(key, "is no 32-bit count");
  return static_cast<uint32_t>(*count);
}

double real(const Json &value, const char *key) {
  const std::optional<double> number = value.number();
  if (!number)
    reject(key, "is no number");
  return *number;
}

std::string text(const Json &value, const char *key) {
  const std::optional<std::string_view> text = value.text();
  if (!text)
    reject(key, "is no text");
  return std::string(*text);
}

template <class T>
std::vector<T> listOf(const Json &object, const char *key, T (*item)(const Json &, const char *)) {
  const Json list = field(object, key);
  if (!list.isList())
    reject(key, "is no list");
  std::vector<T> out;
  list.forItems([&](const Json &json) { out.push_back(item(json, key)); });
  return out;
}

VarId variableId(const Json &value, const char *key) {
  return VarId{static_cast<size_t>(count(value, key))};
}

HeadVariable variable(const Json &json) {
  HeadVariable out;
  out.name = text(field(json, "name"), "name");
  out.extent = count(field(json, "extent"), "extent");
  if (json.has("labels"))
    out.labels = listOf(json, "labels", text);
  return out;
}

void readVariables(const JsonValue &root, PostsolveMap &answer) {
  const Json list = field(root, "variables");
  if (!list.isList())
    reject("variables", "is no list");
  Evidence &evidence = answer.evidence;
  list.forItems([&](const Json &json) {
    if (json.has("observed")) {
      const std::optional<bool> fixed = field(json, "fixed").truth();
      if (!fixed)
        reject("fixed", "is neither true nor false");
      evidence.findings.push_back({VarId{answer.variables.size()}, *fixed});
      evidence.states.push_back(count(field(json, "observed"), "observed"));
    }
    answer.variables.push_back(variable(json));
  });
}

AnswerStep step(const Json &json, const char *) {
  AnswerStep out;
  out.variable = variableId(field(json, "variable"), "variable");
  out.newState = listOf(json, "new_state", count);
  if (json.has("share"))
    out.share = listOf(json, "share", real);
  if (json.has("source")) {
    out.source = variableId(field(json, "source"), "source");
    out.stateOf = listOf(json, "state_of", count);
  }
  if (json.has("table")) {
    out.scope = listOf(json, "scope", variableId);
    out.scopeExtents = listOf(json, "scope_extents", count);
    out.table = std::make_shared<const std::vector<double>>(listOf(json, "table", real));
  }
  return out;
}

} // namespace

PostsolveMap answerFromJson(const JsonValue &root) {
  PostsolveMap answer;
  answer.scale.factor.mantissa = real(field(root, "mantissa"), "mantissa");
  const std::optional<int64_t> exponent = field(root, "exponent").integer();
  if (!exponent)
    reject("exponent", "is no integer");
  answer.scale.factor.exponent = *exponent;
  answer.scale.offset = real(field(root, "offset"), "offset");
  readVariables(root, answer);
  answer.steps = listOf(root, "steps", step);
  return answer;
}

} // namespace mpf
