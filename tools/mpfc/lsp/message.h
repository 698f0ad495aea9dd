// One message of a client: JSON-RPC 2.0 in the form of the Language Server Protocol 3.17. Only what
// the server uses is kept.
#pragma once

#include "dsl/support/json_text.h"
#include "tools/mpfc/lsp/positions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf::lsp {

/// Numbers of errors (JSON-RPC 2.0, section 5.1; LSP 3.17, "ErrorCodes").
enum class ErrorCode {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  RequestFailed = -32803,
  RequestCancelled = -32800
};

/// The answer to a message that the server cannot serve.
struct Refusal {
  ErrorCode code;
  std::string message;
};

struct TextChange {
  std::optional<PositionRange> range; ///< not set: the whole text
  std::string text;
};

struct Message {
  bool isRequest = false;     ///< it has an id and wants an answer; else it is a notification
  std::optional<JsonText> id; ///< not set: none, or one that is not valid
  std::string idKey;          ///< equal for equal ids, empty if `id` is not set
  std::string method;         ///< empty: an answer of the client, or a fault
  std::optional<Refusal> fault;

  std::optional<std::string> uri; ///< of the text document
  int64_t version = 0;
  std::string text; ///< of a document that is opened
  std::vector<TextChange> changes;
  std::optional<Position> position;
  std::optional<PositionRange> range;
  std::string newName;
  bool withDeclaration = false;
  std::vector<std::string> positionUnits; ///< that the client offers
  std::string cancelledKey;               ///< idKey of the request that $/cancelRequest names
  bool isCancelled = false;               ///< a later $/cancelRequest named this request
};

/// Reads the content of a message. Throws nothing: a text that is no message has a `fault`.
Message readMessage(std::string_view json);

} // namespace mpf::lsp
