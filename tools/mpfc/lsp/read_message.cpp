#include "tools/mpfc/lsp/message.h"

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <nlohmann/json.hpp>

namespace mpf::lsp {

namespace {

using Json = nlohmann::json;

/// Returns the member of an object; null: there is none.
const Json *memberOf(const Json &value, const char *key) {
  const auto found = value.is_object() ? value.find(key) : value.end();
  return found == value.end() ? nullptr : &*found;
}

/// Reads a whole number from 0. Greater ones than 2^32 - 1 are that.
uint32_t readCount(const Json &value) {
  const auto count = value.get_ref<const Json::number_unsigned_t &>();
  return static_cast<uint32_t>(std::min<uint64_t>(count, UINT32_MAX));
}

Position readPosition(const Json &value) {
  return {readCount(value.at("line")), readCount(value.at("character"))};
}

PositionRange readRange(const Json &value) {
  return {readPosition(value.at("start")), readPosition(value.at("end"))};
}

/// Returns a key for an id, a string or a whole number; empty for other values.
std::string keyOf(const Json &id) {
  if (id.is_string())
    return "s" + id.get_ref<const std::string &>();
  return id.is_number_unsigned()  ? fmt::format("{}", id.get<uint64_t>())
         : id.is_number_integer() ? fmt::format("{}", id.get<int64_t>())
                                  : std::string();
}

void readId(const Json &id, Message &message) {
  message.isRequest = true;
  message.idKey = keyOf(id);
  if (id.is_string())
    message.id = JsonText(id.get<std::string>());
  else if (id.is_number_unsigned())
    message.id = JsonText(id.get<uint64_t>());
  else if (id.is_number_integer())
    message.id = JsonText(id.get<int64_t>());
  else
    message.fault = {{ErrorCode::InvalidRequest, "the id is no whole number and no string"}};
}

void readDocument(const Json &document, Message &message) {
  message.uri = document.at("uri").get<std::string>();
  if (const Json *version = memberOf(document, "version"); version && version->is_number_integer())
    message.version = version->get<int64_t>();
  if (const Json *text = memberOf(document, "text"))
    message.text = text->get<std::string>();
}

void readParams(const Json &params, Message &message) {
  if (const Json *document = memberOf(params, "textDocument"))
    readDocument(*document, message);
  if (const Json *position = memberOf(params, "position"))
    message.position = readPosition(*position);
  if (const Json *range = memberOf(params, "range"))
    message.range = readRange(*range);
  if (const Json *name = memberOf(params, "newName"))
    message.newName = name->get<std::string>();
  if (const Json *changes = memberOf(params, "contentChanges"))
    for (const Json &change : *changes) {
      const Json *range = memberOf(change, "range");
      message.changes.push_back({range ? std::optional(readRange(*range)) : std::nullopt,
                                 change.at("text").get<std::string>()});
    }
  if (const Json *context = memberOf(params, "context"))
    if (const Json *with = memberOf(*context, "includeDeclaration"))
      message.withDeclaration = with->get<bool>();
  if (const Json *capabilities = memberOf(params, "capabilities"))
    if (const Json *general = memberOf(*capabilities, "general"))
      if (const Json *units = memberOf(*general, "positionEncodings"))
        message.positionUnits = units->get<std::vector<std::string>>();
  if (const Json *id = memberOf(params, "id"))
    message.cancelledKey = keyOf(*id);
}

void readObject(const Json &value, Message &message) {
  const Json *method = memberOf(value, "method");
  if (method == nullptr) { // an answer of the client: the server asks nothing
    if (memberOf(value, "result") == nullptr && memberOf(value, "error") == nullptr)
      message.fault = {{ErrorCode::InvalidRequest, "a message has a method"}};
    return;
  }
  if (const Json *id = memberOf(value, "id"))
    readId(*id, message);
  message.method = method->get<std::string>();
  if (const Json *params = memberOf(value, "params"))
    readParams(*params, message);
}

} // namespace

Message readMessage(std::string_view json) {
  Message message;
  bool isParsed = false;
  try {
    const Json value = Json::parse(json);
    isParsed = true;
    if (value.is_object())
      readObject(value, message);
    else
      message.fault = {{ErrorCode::InvalidRequest, "a message is one JSON object"}};
  } catch (const Json::exception &problem) {
    message.fault = {{isParsed ? ErrorCode::InvalidParams : ErrorCode::ParseError, problem.what()}};
  } catch (const std::bad_alloc &) {
    message.fault = {{ErrorCode::InternalError, "not enough memory"}};
  }
  return message;
}

} // namespace mpf::lsp
