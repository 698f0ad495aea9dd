#include "dsl/formats/net/net_reader.h"

#include "dsl/formats/net/net_potential.h"
#include "dsl/formats/network/latin1.h"
#include "dsl/source/suggest.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mpf {

namespace {

constexpr BlockDialect kNetDialect("{}()=;|,", "%", false, true);

/// Kinds of nodes and blocks that a Bayesian network of discrete variables has not.
constexpr std::array<std::string_view, 6> kRefusedKinds = {"continuous", "decision", "utility",
                                                           "function",   "interval", "instance"};

class NetReader {
public:
  NetReader(const std::shared_ptr<const SourceBuffer> &buffer, Diagnostics &diagnostics)
      : context_(kNetDialect, buffer, diagnostics), text_(buffer->text()) {}

  std::optional<Model> read(const ModelReadOptions &options) {
    context_.network.divideRowsBeyond(kNetRowTolerance);
    if (options.build.normalise)
      context_.network.normaliseRows();
    const bool hasHead = readHead();
    while (hasHead && context_.lexer.peek().kind != BlockToken::End && !full())
      if (!readItem())
        break;
    if (isInClass_ && !context_.network.failed())
      context_.error(head_, "the braces of this class are not closed");
    for (const BlockToken &start : potentials_) {
      if (full())
        break;
      context_.lexer.seek(start);
      readNetPotential(context_);
    }
    return context_.network.finish(QueryKind::Marginals, options.check);
  }

private:
  bool full() { return context_.network.diagnostics().full(); }

  bool readHead() {
    head_ = context_.lexer.take();
    if (head_.isWord("net"))
      return context_.takeMark('{', "'{'") && readNet();
    if (!head_.isWord("class"))
      return context_.expected("net or class", head_);
    const std::optional<PlacedText> name = context_.takeWord("the name of the class");
    if (!name || !context_.takeMark('{', "'{'"))
      return false;
    setName(name->text);
    isInClass_ = true;
    return true;
  }

  void setName(std::string_view name) {
    if (isPlainName(name))
      context_.network.setName(name);
  }

  /// Reads the attributes of the network and the `}` behind them.
  bool readNet() {
    while (!context_.acceptMark('}')) {
      const BlockToken name = context_.lexer.peek();
      if (!context_.takeWord("an attribute or '}'") || !context_.takeMark('=', "'='"))
        return false;
      const BlockToken value = context_.lexer.peek();
      if (name.isWord("name") && value.kind == BlockToken::Word)
        setName(value.text);
      if (name.isWord("software") && value.text.starts_with("aGrUM 0."))
        context_.network.diagnostics().warning(
            context_.lexer.placeOf(value),
            "aGrUM before 1.0 listed parents in another order than its files say: this file is "
            "read as Hugin reads it, with the last parent fastest");
      if (!skipNetValue(context_, name))
        return false;
    }
    return true;
  }

  /// Reads one node, potential, attribute of the class, or `;`. Returns false if the rest cannot be
  /// read.
  bool readItem() {
    const BlockToken token = context_.lexer.take();
    if (token.isMark(';'))
      return true;
    if (token.isMark('}') && isInClass_) {
      isInClass_ = false;
      return context_.lexer.peek().kind == BlockToken::End ||
             context_.expected("the end of the file behind the class", context_.lexer.peek());
    }
    if (token.isWord("potential")) {
      potentials_.push_back(context_.lexer.peek());
      return skipBlock(token);
    }
    if (token.isWord("node") || token.isWord("discrete"))
      return readNode(token);
    if (token.kind == BlockToken::Word && !token.quoted &&
        std::ranges::count(kRefusedKinds, token.text) != 0)
      return refuse(token);
    if (isInClass_ && token.kind == BlockToken::Word && context_.acceptMark('='))
      return skipNetValue(context_, token);
    constexpr std::string_view kWords[] = {"node", "potential"};
    context_.network.diagnostics().report(
        {Severity::Error, context_.lexer.placeOf(token),
         fmt::format("expected node or potential, found {}", BlockLexer::shown(token)),
         token.kind == BlockToken::Word ? suggestHint(token.text, kWords) : ""});
    context_.network.markIncomplete();
    return skipBlock(token);
  }

  bool refuse(const BlockToken &kind) {
    context_.error(kind,
                   "{} is no node of a network of discrete chance nodes, which alone are read",
                   kind.text);
    context_.network.markIncomplete();
    return skipBlock(kind);
  }

  /// Skips to behind the `}` that closes the next block, or behind a `;` before it.
  bool skipBlock(const BlockToken &start) {
    for (uint64_t depth = 0;;) {
      const BlockToken token = context_.lexer.take();
      if (token.kind == BlockToken::End)
        return context_.error(start, "this block has no '{{' and '}}' around its contents");
      depth += token.isMark('{') ? 1 : 0;
      if (token.isMark('}') && depth == 0)
        return context_.error(token, "this '}}' closes nothing");
      if (token.isMark('}') && --depth == 0)
        return true;
      if (token.isMark(';') && depth == 0)
        return true;
    }
  }

  bool readNode(const BlockToken &start) {
    const BlockToken second = context_.lexer.peek();
    if (start.isWord("discrete") && second.isWord("node"))
      context_.lexer.take();
    else if (start.isWord("discrete"))
      return refuse(second); // decision, function
    const bool isRead = readNodeBlock();
    if (!isRead)
      context_.network.markIncomplete();
    return isRead || recover(start);
  }

  /// Goes on behind the block of a node that was not read.
  bool recover(const BlockToken &start) {
    context_.lexer.seek(start);
    context_.lexer.take();
    return skipBlock(start);
  }

  bool readNodeBlock() {
    const std::optional<PlacedText> name = context_.takeWord("the name of a node");
    if (!name)
      return false;
    std::optional<NamedVariable> variable = context_.network.startVariable(*name);
    if (!variable || !context_.takeMark('{', "'{'"))
      return false;
    bool hasStates = false;
    while (!context_.acceptMark('}')) {
      const BlockToken attribute = context_.lexer.peek();
      const bool isStates = attribute.isWord("states");
      if (!context_.takeWord("an attribute or '}'") || !context_.takeMark('=', "'='"))
        return false;
      if (isStates && std::exchange(hasStates, true))
        return context_.error(attribute, "'{}' has states twice", excerpt(variable->name));
      if (!(isStates ? readStates(*variable) : skipNetValue(context_, attribute)))
        return false;
    }
    return context_.network.addVariable(std::move(*variable));
  }

  /// Reads states in parentheses. Intervals of pyAgrum hold the mark of an attribute's end: [0;1[.
  bool readStates(NamedVariable &variable) {
    if (!context_.takeMark('(', "'(' and the states"))
      return false;
    while (!context_.acceptMark(')')) {
      const bool isInterval =
          !context_.lexer.peek().quoted && (context_.lexer.peek().text.starts_with('[') ||
                                            context_.lexer.peek().text.starts_with(']'));
      std::optional<PlacedText> state = context_.takeWord("a state or ')'");
      if (state && isInterval && context_.acceptMark(';')) {
        const std::optional<PlacedText> end = context_.takeWord("the end of the interval");
        if (!end)
          return false;
        state->range.end = end->range.end;
        state->text = text_.substr(state->range.begin, state->range.end - state->range.begin);
      }
      if (!state || !context_.network.addState(variable, *state))
        return false;
    }
    return context_.takeMark(';', "';'");
  }

  BlockContext context_;
  const std::string_view text_;
  BlockToken head_;
  std::vector<BlockToken> potentials_; ///< the tokens behind the word potential
  bool isInClass_ = false;
};

} // namespace

std::optional<Model> readNet(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             const ModelReadOptions &options) {
  const auto text = inUtf8(std::move(buffer), diagnostics);
  return text ? NetReader(text, diagnostics).read(options) : std::nullopt;
}

bool startsAsNet(std::string_view text) {
  if (startsNamedBlock(kNetDialect, text, "class"))
    return true;
  std::optional<size_t> openComment;
  const auto skip = [&](size_t bytes) {
    text.remove_prefix(skipBlockBlanks(kNetDialect, text, bytes, openComment));
  };
  skip(0);
  if (!startsWithWord(kNetDialect, text, "net"))
    return false;
  skip(3);
  return text.starts_with('{');
}

} // namespace mpf
