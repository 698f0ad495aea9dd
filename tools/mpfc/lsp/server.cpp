#include "tools/mpfc/lsp/server.h"

#include "tools/mpfc/lsp/complete.h"
#include "tools/mpfc/lsp/diagnostics.h"
#include "tools/mpfc/lsp/format.h"
#include "tools/mpfc/lsp/hover.h"
#include "tools/mpfc/lsp/message_source.h"
#include "tools/mpfc/lsp/navigate.h"
#include "tools/mpfc/lsp/rename.h"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <utility>

namespace mpf::lsp {

namespace {

/// The parameters that a request must have.
enum class Needs { Nothing, Document, Position, Range };

/// A request about an open text.
struct Feature {
  std::string_view method;
  Needs needs;
  JsonText (*answer)(Session &, const Document &, const Message &);
};

constexpr Feature kFeatures[] = {
    {"textDocument/hover", Needs::Position,
     [](Session &session, const Document &document, const Message &asked) {
       return hover(session, document, *asked.position);
     }},
    {"textDocument/definition", Needs::Position,
     [](Session &session, const Document &document, const Message &asked) {
       return definition(session, document, *asked.position);
     }},
    {"textDocument/references", Needs::Position,
     [](Session &session, const Document &document, const Message &asked) {
       return references(session, document, *asked.position, asked.withDeclaration);
     }},
    {"textDocument/documentHighlight", Needs::Position,
     [](Session &session, const Document &document, const Message &asked) {
       return highlights(session, document, *asked.position);
     }},
    {"textDocument/prepareRename", Needs::Position,
     [](Session &session, const Document &document, const Message &asked) {
       return prepareRename(session, document, *asked.position);
     }},
    {"textDocument/rename", Needs::Position,
     [](Session &session, const Document &document, const Message &asked) {
       return rename(session, document, *asked.position, asked.newName);
     }},
    {"textDocument/completion", Needs::Position,
     [](Session &session, const Document &document, const Message &asked) {
       return complete(session, document, *asked.position);
     }},
    {"textDocument/documentSymbol", Needs::Document,
     [](Session &session, const Document &document, const Message &) {
       return symbols(session, document);
     }},
    {"textDocument/documentLink", Needs::Document,
     [](Session &session, const Document &document, const Message &) {
       return links(session, document);
     }},
    {"textDocument/formatting", Needs::Document,
     [](Session &session, const Document &document, const Message &) {
       return format(session, document);
     }},
    {"textDocument/codeAction", Needs::Range,
     [](Session &session, const Document &document, const Message &asked) {
       return codeActions(session, document, *asked.range);
     }},
    {"textDocument/semanticTokens/full", Needs::Document,
     [](Session &session, const Document &document, const Message &) {
       return tokens(session, document);
     }},
};

JsonText capabilities(PositionUnit unit) {
  constexpr int kIncremental = 2;
  JsonText triggers = JsonText::array(), fixes = JsonText::array();
  for (const char *trigger : {"=", "{", ":"})
    triggers.push_back(trigger);
  fixes.push_back("quickfix");
  return {{"positionEncoding", unit == PositionUnit::Utf8    ? "utf-8"
                               : unit == PositionUnit::Utf16 ? "utf-16"
                                                             : "utf-32"},
          {"textDocumentSync", JsonText{{"openClose", true},
                                        {"change", kIncremental},
                                        {"save", JsonText{{"includeText", false}}}}},
          {"hoverProvider", true},
          {"definitionProvider", true},
          {"referencesProvider", true},
          {"documentHighlightProvider", true},
          {"documentSymbolProvider", true},
          {"documentLinkProvider", JsonText{{"resolveProvider", false}}},
          {"documentFormattingProvider", true},
          {"renameProvider", JsonText{{"prepareProvider", true}}},
          {"completionProvider", JsonText{{"triggerCharacters", std::move(triggers)}}},
          {"codeActionProvider", JsonText{{"codeActionKinds", std::move(fixes)}}},
          {"semanticTokensProvider", JsonText{{"legend", tokenLegend()}, {"full", true}}}};
}

PositionUnit chosenUnit(const std::vector<std::string> &offered) {
  const auto offers = [&](const char *unit) {
    return std::ranges::find(offered, unit) != offered.end();
  };
  if (offers("utf-8")) // no conversion is needed
    return PositionUnit::Utf8;
  return offers("utf-32") && !offers("utf-16") ? PositionUnit::Utf32 : PositionUnit::Utf16;
}

class Server {
public:
  Server(int in, const std::function<void(std::string_view)> &write) : source_(in), write_(write) {}

  int run() {
    while (true) {
      std::optional<Message> message = source_.next(false);
      if (!message) {
        if (publishOne())
          continue;
        message = source_.next(true);
      }
      if (!message || message->method == "exit")
        return phase_ == Phase::ShutDown ? 0 : 1;
      handle(*message);
    }
  }

private:
  enum class Phase { New, Running, ShutDown };

  void handle(const Message &message) {
    try {
      if (message.fault)
        throw Refusal(*message.fault);
      if (message.method.empty())
        return;
      if (message.isRequest)
        answer(message, result(message));
      else
        notice(message);
    } catch (const Refusal &refusal) {
      refuse(message, refusal);
    } catch (const std::bad_alloc &) {
      refuse(message, {ErrorCode::InternalError, "not enough memory"});
    } catch (const std::exception &problem) {
      refuse(message, {ErrorCode::InternalError, problem.what()});
    }
  }

  JsonText result(const Message &asked) {
    if (asked.isCancelled)
      throw Refusal{ErrorCode::RequestCancelled, "cancelled"};
    if (asked.method == "initialize")
      return initialize(asked);
    if (phase_ == Phase::New)
      throw Refusal{ErrorCode::ServerNotInitialized, "initialize comes first"};
    if (phase_ == Phase::ShutDown)
      throw Refusal{ErrorCode::InvalidRequest, "the server was shut down"};
    if (asked.method == "shutdown") {
      phase_ = Phase::ShutDown;
      return nullptr;
    }
    const auto *feature = std::ranges::find(kFeatures, asked.method, &Feature::method);
    if (feature == std::end(kFeatures))
      throw Refusal{ErrorCode::MethodNotFound, fmt::format("no method {}", asked.method)};
    if (!asked.uri || (feature->needs == Needs::Position && !asked.position) ||
        (feature->needs == Needs::Range && !asked.range))
      throw Refusal{ErrorCode::InvalidParams, "a parameter is missing"};
    return feature->answer(session_, openDocument(asked), asked);
  }

  JsonText initialize(const Message &asked) {
    if (phase_ != Phase::New)
      throw Refusal{ErrorCode::InvalidRequest, "initialize comes once"};
    phase_ = Phase::Running;
    session_.setUnit(chosenUnit(asked.positionUnits));
    return {{"capabilities", capabilities(session_.unit())},
            {"serverInfo", JsonText{{"name", "mpfc lsp"}}}};
  }

  void notice(const Message &message) {
    if (phase_ != Phase::Running)
      return;
    const std::string &method = message.method;
    if (method == "textDocument/didSave" || method == "workspace/didChangeWatchedFiles")
      return session_.forgetFiles();
    if (!method.starts_with("textDocument/did"))
      return; // notifications that a server does not know are ignored
    if (!message.uri)
      throw Refusal{ErrorCode::InvalidParams, "a parameter is missing"};
    std::string problem;
    if (method == "textDocument/didOpen")
      problem = session_.open(message);
    else if (openDocument(message); method == "textDocument/didChange")
      problem = session_.change(message);
    else if (method == "textDocument/didClose") {
      session_.close(*message.uri);
      send({{"method", "textDocument/publishDiagnostics"},
            {"params", JsonText{{"uri", *message.uri}, {"diagnostics", JsonText::array()}}}});
    }
    if (!problem.empty())
      throw Refusal{ErrorCode::RequestFailed, std::move(problem)};
  }

  const Document &openDocument(const Message &message) const {
    const Document *document = session_.documents().find(*message.uri);
    if (document == nullptr)
      throw Refusal{ErrorCode::InvalidParams, fmt::format("{} is not open", *message.uri)};
    return *document;
  }

  /// Publishes the messages of one text that has changed. Returns false if there is none.
  bool publishOne() {
    const Document *document = session_.takeUnpublished();
    if (document == nullptr)
      return false;
    try {
      send({{"method", "textDocument/publishDiagnostics"},
            {"params", diagnosticsOf(session_, *document)}});
    } catch (const std::bad_alloc &) {
      log("not enough memory to check " + document->path);
    }
    return true;
  }

  void answer(const Message &message, JsonText result) {
    send({{"id", *message.id}, {"result", std::move(result)}});
  }

  /// Answers a request by an error. A fault of a notification goes to the log of the editor.
  void refuse(const Message &message, const Refusal &refusal) {
    if (!message.isRequest && !message.method.empty())
      return log(fmt::format("{}: {}", message.method, refusal.message));
    send({{"id", message.id.value_or(nullptr)},
          {"error",
           JsonText{{"code", static_cast<int>(refusal.code)}, {"message", refusal.message}}}});
  }

  void log(const std::string &text) {
    constexpr int kWarning = 2;
    send({{"method", "window/logMessage"},
          {"params", JsonText{{"type", kWarning}, {"message", text}}}});
  }

  void send(JsonText message) {
    message.add("jsonrpc", "2.0");
    const std::string text = message.dump(-1);
    write_(fmt::format("Content-Length: {}\r\n\r\n{}", text.size(), text));
  }

  MessageSource source_;
  const std::function<void(std::string_view)> &write_;
  Session session_;
  Phase phase_ = Phase::New;
};

} // namespace

int serve(int in, const std::function<void(std::string_view)> &write) {
  return Server(in, write).run();
}

} // namespace mpf::lsp
