#include "dsl/formats/genie/genie_dsl_reader.h"

#include "dsl/formats/genie/genie_table.h"
#include "dsl/formats/network/block_context.h"
#include "dsl/formats/network/latin1.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

constexpr BlockDialect kGenieDialect("{}()=;,", "//", true, true);

/// The places of a node's lists, which are read when all nodes are known: the tokens behind `=`.
struct GenieNode {
  PlacedText name;
  std::optional<GenieKind> kind;
  bool hasDefinition = false;
  std::optional<BlockToken> parents, probabilities, strengths, states;
};

class GenieDslReader {
public:
  GenieDslReader(const std::shared_ptr<const SourceBuffer> &buffer, Diagnostics &diagnostics)
      : context_(kGenieDialect, buffer, diagnostics) {}

  std::optional<Model> read(const ModelReadOptions &options) {
    if (options.build.normalise)
      context_.network.normaliseRows();
    if (readHead())
      readBlocks();
    for (const GenieNode &node : nodes_) {
      if (context_.network.diagnostics().full())
        break;
      readTable(node);
    }
    return context_.network.finish(QueryKind::Marginals, options.check);
  }

private:
  bool readHead() {
    const BlockToken head = context_.lexer.take();
    if (!head.isWord("net"))
      return context_.expected("net", head);
    const std::optional<PlacedText> name = context_.takeWord("the name of the network");
    if (!name)
      return false;
    if (isPlainName(name->text))
      context_.network.setName(name->text);
    return context_.takeMark('{', "'{'");
  }

  void readBlocks() {
    while (!context_.acceptMark('}')) {
      const BlockToken word = context_.lexer.peek();
      if (!context_.takeWord("node, an attribute or '}'"))
        return;
      if (!word.isWord("node")) {
        if (!context_.takeMark('=', "'='") || !skipValue(word))
          return;
      } else if (!readNode()) {
        context_.network.markIncomplete();
        return;
      }
    }
    context_.acceptMark(';');
    if (context_.lexer.peek().kind != BlockToken::End)
      context_.expected("the end of the file behind the network", context_.lexer.peek());
  }

  /// Skips a value, which may be a block, and the `;` behind it.
  bool skipValue(const BlockToken &name) {
    for (uint64_t depth = 0;;) {
      const BlockToken token = context_.lexer.take();
      if (token.isMark(';') && depth == 0)
        return true;
      depth += token.isMark('{') ? 1 : 0;
      if (token.kind == BlockToken::End || (token.isMark('}') && depth-- == 0))
        return context_.error(name, "the attribute '{}' has no ';' behind it", excerpt(name.text));
    }
  }

  bool readNode() {
    const std::optional<PlacedText> name = context_.takeWord("the name of a node");
    if (!name)
      return false;
    std::optional<NamedVariable> variable = context_.network.startVariable(*name);
    GenieNode node;
    node.name = *name;
    if (!variable || !context_.takeMark('{', "'{'") || !readAttributes(node, *variable, false) ||
        !context_.network.addVariable(std::move(*variable)))
      return false;
    nodes_.push_back(std::move(node));
    return context_.takeMark(';', "';' behind the node");
  }

  /// Reads attributes and the `}` behind them: those of a node, or of its DEFINITION.
  bool readAttributes(GenieNode &node, NamedVariable &variable, bool isDefinition) {
    while (!context_.acceptMark('}')) {
      const BlockToken word = context_.lexer.peek();
      if (!context_.takeWord("an attribute or '}'") || !context_.takeMark('=', "'='"))
        return false;
      const BlockToken value = context_.lexer.peek();
      const bool isBlock = !isDefinition && word.isWord("DEFINITION");
      const bool isStates = isDefinition && word.isWord("NAMESTATES");
      if (!(isBlock    ? readDefinition(word, node, variable)
            : isStates ? readStates(word, variable)
                       : noteValue(word, value, node, isDefinition) && skipValue(word)))
        return false;
    }
    return true;
  }

  bool twice(const BlockToken &word) {
    return context_.error(word, "this block has {} twice", word.text);
  }

  bool readDefinition(const BlockToken &word, GenieNode &node, NamedVariable &variable) {
    if (std::exchange(node.hasDefinition, true))
      return twice(word);
    return context_.takeMark('{', "'{'") && readAttributes(node, variable, true) &&
           context_.takeMark(';', "';'");
  }

  /// Notes the place of a list, and reads the type.
  bool noteValue(const BlockToken &word, const BlockToken &value, GenieNode &node,
                 bool isDefinition) {
    if (!isDefinition && word.isWord("TYPE"))
      return node.kind ? twice(word) : readType(value, node);
    std::optional<BlockToken> *const place =
        !isDefinition                    ? (word.isWord("PARENTS") ? &node.parents : nullptr)
        : word.isWord("PROBABILITIES")   ? &node.probabilities
        : word.isWord("STRENGTHS")       ? &node.strengths
        : word.isWord("RESULTINGSTATES") ? &node.states
                                         : nullptr;
    if (place == nullptr)
      return true;
    if (place->has_value())
      return twice(word);
    *place = value;
    return true;
  }

  bool readType(const BlockToken &value, GenieNode &node) {
    if (value.isWord("CPT"))
      node.kind = GenieKind::Cpt;
    else if (value.isWord("TRUTHTABLE"))
      node.kind = GenieKind::Deterministic;
    else if (value.isWord("NOISY_MAX"))
      node.kind = GenieKind::NoisyMax;
    else
      return context_.error(value,
                            "a node of TYPE {} has no discrete distribution: CPT, TRUTHTABLE and "
                            "NOISY_MAX are read",
                            excerpt(value.text));
    return true;
  }

  bool readStates(const BlockToken &word, NamedVariable &variable) {
    if (!variable.labels.empty())
      return twice(word);
    return readList([&](const PlacedText &label) {
             return context_.network.addState(variable, label);
           }) &&
           context_.takeMark(';', "';'");
  }

  /// Reads `(a, b, c)`; `use` takes each word and returns false after reporting an error.
  template <class Use> bool readList(Use use) {
    if (!context_.takeMark('(', "'(' and a list"))
      return false;
    while (!context_.acceptMark(')')) {
      const std::optional<PlacedText> word = context_.takeWord("a word of the list, or ')'");
      if (!word || !use(*word))
        return false;
      context_.acceptMark(',');
    }
    return true;
  }

  template <class Use> bool readListAt(const std::optional<BlockToken> &start, Use use) {
    if (!start)
      return true;
    context_.lexer.seek(*start);
    return readList(use);
  }

  bool readTable(const GenieNode &node) {
    GenieTable table(context_.network);
    SourceRange end = node.name.range;
    if (!node.kind)
      return context_.network.error(end, "the node '{}' has no TYPE", excerpt(node.name.text));
    if (!table.begin(*node.kind, node.name) ||
        !readListAt(node.parents, [&](const PlacedText &word) { return table.addParent(word); }) ||
        !readListAt(node.strengths,
                    [&](const PlacedText &word) { return table.addStrength(word); }))
      return false;
    if (node.probabilities) {
      context_.lexer.seek(*node.probabilities);
      end = node.probabilities->range;
      if (!table.startNumbers(end, context_.lexer.bytesLeft() / 2 + 1) ||
          !readList([&](const PlacedText &word) { return table.addNumber(word); }))
        return false;
    }
    if (node.states &&
        (!table.startStates(node.states->range) ||
         !readListAt(node.states, [&](const PlacedText &word) { return table.addState(word); })))
      return false;
    return table.finish(end);
  }

  BlockContext context_;
  std::vector<GenieNode> nodes_;
};

} // namespace

std::optional<Model> readGenieDsl(std::shared_ptr<const SourceBuffer> buffer,
                                  Diagnostics &diagnostics, const ModelReadOptions &options) {
  const auto text = inUtf8(std::move(buffer), diagnostics);
  return text ? GenieDslReader(text, diagnostics).read(options) : std::nullopt;
}

bool startsAsGenieDsl(std::string_view text) {
  return startsNamedBlock(kGenieDialect, text, "net");
}

} // namespace mpf
