#include "tools/mpfc/lsp/complete.h"

#include "dsl/syntax/lexer.h"
#include "dsl/syntax/spelling.h"
#include "tools/mpfc/lsp/hover.h"
#include "tools/mpfc/lsp/language_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace mpf::lsp {

namespace {

constexpr size_t kMaxItems = 2000;

/// CompletionItemKind of LSP.
enum class ItemKind {
  Function = 3,
  Field = 5,
  Variable = 6,
  Value = 12,
  Enum = 13,
  Keyword = 14,
  EnumMember = 20,
  Constant = 21
};

ItemKind itemKind(NameKind kind) {
  switch (kind) {
  case NameKind::Domain:
    return ItemKind::Enum;
  case NameKind::Param:
    return ItemKind::Constant;
  case NameKind::Function:
    return ItemKind::Function;
  case NameKind::Factor:
    return ItemKind::Field;
  default:
    return ItemKind::Variable;
  }
}

/// The items of an answer; a word is offered once.
class Items {
public:
  void offer(const std::string &label, ItemKind kind, const std::string &detail) {
    if (!seen_.insert(label).second)
      return;
    if (seen_.size() > kMaxItems) {
      isCut_ = true;
      return;
    }
    list_.push_back({{"label", label}, {"kind", static_cast<int>(kind)}, {"detail", detail}});
  }
  void offerWords(std::initializer_list<WordPlace> places) {
    for (const LanguageWord &row : languageWords())
      if (std::ranges::find(places, row.place) != places.end())
        offer(std::string(row.word), ItemKind::Keyword, std::string(row.meaning));
  }
  bool isFull() const { return isCut_; }
  JsonText take() { return {{"isIncomplete", isCut_}, {"items", std::move(list_)}}; }

private:
  JsonText list_ = JsonText::array();
  std::set<std::string> seen_;
  bool isCut_ = false;
};

/// A `for` around a declaration.
struct OpenLoop {
  std::vector<std::string> indices;
  size_t depth = 0;     ///< braces that are open inside
  bool isBlock = false; ///< it has a block; else it ends with the next declaration
};

/// The tokens of the declaration around a place, up to the word that is being typed there.
struct TypedPart {
  std::vector<Token> tokens;
  std::vector<OpenLoop> loops; ///< outermost first
  std::string_view text;
  bool isInside = false; ///< the place is in a comment or a string

  TokenKind kindAt(size_t fromEnd) const {
    return fromEnd < tokens.size() ? tokens[tokens.size() - 1 - fromEnd].kind
                                   : TokenKind::EndOfFile;
  }
  std::string nameAt(size_t index) const {
    const SourceRange range = tokens[index].range;
    return unspell(text.substr(range.begin, range.end - range.begin));
  }
};

/// Ends the declaration of `part.tokens`, behind which another one begins.
void endDeclaration(TypedPart &part, size_t depth) {
  const TokenKind last = part.kindAt(0);
  const bool isBlock = last == TokenKind::LeftBrace;
  if (!part.tokens.empty() && part.tokens.front().kind == TokenKind::For &&
      (isBlock || last == TokenKind::Colon)) {
    OpenLoop loop{{}, depth, isBlock};
    for (size_t i = 0; i + 1 < part.tokens.size(); ++i)
      if (part.tokens[i + 1].kind == TokenKind::In)
        loop.indices.push_back(part.nameAt(i));
    part.loops.push_back(std::move(loop));
  } else {
    while (!part.loops.empty() && !part.loops.back().isBlock)
      part.loops.pop_back();
  }
  part.tokens.clear();
}

TypedPart typedPart(const Document &document, uint32_t offset) {
  TypedPart part;
  size_t depth = 0;
  part.text = document.text->text();
  Diagnostics unreported(1, 1);
  Lexer lexer(document.text, unreported, CommentMode::Keep);
  lexer.setQuiet(true);
  for (Token token = lexer.next(); token.kind != TokenKind::EndOfFile; token = lexer.next()) {
    const bool isWord = token.kind == TokenKind::Identifier || reservedWord(lexer.spelling(token));
    if (token.range.begin >= offset || (isWord && token.range.end >= offset))
      break;
    if (token.kind == TokenKind::Comment || token.kind == TokenKind::String)
      part.isInside =
          token.kind == TokenKind::Comment
              ? part.text.substr(token.range.begin, offset - token.range.begin).find('\n') ==
                    std::string_view::npos
              : token.range.end > offset;
    else
      part.isInside = false;
    if (token.kind == TokenKind::Comment)
      continue;
    if (isDeclarationWord(token.kind))
      endDeclaration(part, depth);
    depth += token.kind == TokenKind::LeftBrace ? 1 : 0;
    depth -= token.kind == TokenKind::RightBrace && depth > 0 ? 1 : 0;
    while (!part.loops.empty() && part.loops.back().depth > depth)
      part.loops.pop_back();
    part.tokens.push_back(token);
  }
  return part;
}

bool isComparison(TokenKind kind) {
  return kind == TokenKind::Assign || kind == TokenKind::EqualEqual ||
         kind == TokenKind::NotEqual || kind == TokenKind::Less || kind == TokenKind::LessEqual ||
         kind == TokenKind::Greater || kind == TokenKind::GreaterEqual;
}

/// Returns the place of the name in front of `end`, behind which indices may stand; nothing if
/// there is none.
std::optional<size_t> nameBefore(const TypedPart &part, size_t end) {
  size_t depth = 0;
  while (end-- > 0) {
    const TokenKind kind = part.tokens[end].kind;
    if (kind == TokenKind::RightBracket)
      ++depth;
    else if (kind == TokenKind::LeftBracket && depth > 0)
      --depth;
    else if (depth == 0)
      return kind == TokenKind::Identifier ? std::optional(end) : std::nullopt;
  }
  return std::nullopt;
}

/// The names whose labels may stand at the place; empty: it is no place of states.
std::vector<std::string> statedNames(const TypedPart &part) {
  const size_t count = part.tokens.size();
  if (count == 0)
    return {};
  const TokenKind first = part.tokens.front().kind;
  const bool isEvidence = first == TokenKind::Observe || first == TokenKind::Query;
  if (isComparison(part.kindAt(0)) && (part.kindAt(0) != TokenKind::Assign || isEvidence)) {
    const auto name = nameBefore(part, count - 1);
    return name ? std::vector{part.nameAt(*name)} : std::vector<std::string>();
  }
  // Keys of a map: labels of any variable in front of the value.
  const bool startsKey = part.kindAt(0) == TokenKind::LeftBrace ||
                         part.kindAt(0) == TokenKind::Comma ||
                         part.kindAt(0) == TokenKind::LeftParen;
  std::vector<TokenKind> open;
  for (const Token &token : part.tokens) {
    if (token.kind == TokenKind::LeftBrace || token.kind == TokenKind::LeftBracket)
      open.push_back(token.kind);
    else if ((token.kind == TokenKind::RightBrace || token.kind == TokenKind::RightBracket) &&
             !open.empty())
      open.pop_back();
  }
  const bool hasValue =
      first == TokenKind::Factor || first == TokenKind::Prob || first == TokenKind::Observe;
  if (!startsKey || !hasValue || open.empty() || open.back() != TokenKind::LeftBrace)
    return {};
  std::vector<std::string> names;
  for (size_t i = 1; i < count && part.tokens[i].kind != TokenKind::Assign &&
                     part.tokens[i].kind != TokenKind::LeftBrace;
       ++i)
    if (part.tokens[i].kind == TokenKind::Identifier)
      names.push_back(part.nameAt(i));
  return names;
}

void offerLabels(const Analysis &analysis, const std::set<std::string> &names, Items &items) {
  const auto offer = [&](const std::string &label, const std::string &name) {
    items.offer(spellName(label), ItemKind::EnumMember, fmt::format("label of {}", name));
  };
  for (const std::string &name : names) {
    if (items.isFull())
      return;
    if (const auto *variable = analysis.names.symbols.findAs<VariableSymbol>(name)) {
      for (const std::string &label : analysis.names.domains[variable->first.index()]->labels)
        offer(label, name);
      continue;
    }
    for (const NameEntry &entry : analysis.index.entries) // an argument, or after an error
      if (entry.name == name && entry.labels && entry.kind != NameKind::Label)
        for (const auto &[label, place] : analysis.index.labels[*entry.labels])
          offer(label, name);
  }
}

/// Offers the indices that the unfinished declaration declares: `i` of `for i in ...`, and the
/// arguments of a function.
void offerTypedNames(const TypedPart &part, Items &items) {
  for (const OpenLoop &loop : part.loops)
    for (const std::string &index : loop.indices)
      items.offer(spellName(index), ItemKind::Variable, "index");
  const auto kindOf = [&](size_t i) {
    return i < part.tokens.size() ? part.tokens[i].kind : TokenKind::EndOfFile;
  };
  const bool isFunction = kindOf(0) == TokenKind::Def && kindOf(2) == TokenKind::LeftParen;
  bool isArgument = isFunction;
  for (size_t i = isFunction ? 3 : 0; i < part.tokens.size(); ++i) {
    isArgument = isArgument && kindOf(i) != TokenKind::RightParen;
    if (kindOf(i) != TokenKind::Identifier)
      continue;
    if (kindOf(i + 1) == TokenKind::In)
      items.offer(spellName(part.nameAt(i)), ItemKind::Variable, "index");
    else if (isArgument &&
             (kindOf(i - 1) == TokenKind::LeftParen || kindOf(i - 1) == TokenKind::Comma))
      items.offer(spellName(part.nameAt(i)), ItemKind::Variable, "argument");
  }
}

/// Offers names of `analysis` of the kinds that can stand in the declaration.
void offerNames(const Analysis &analysis, const Document &document, uint32_t offset,
                bool withFactors, Items &items) {
  for (const NameEntry &entry : analysis.index.entries) {
    const bool isSeen =
        !entry.isLocal() || (entry.place.buffer->name() == document.path &&
                             entry.scope.begin <= offset && offset <= entry.scope.end);
    if (!isSeen || entry.kind == NameKind::Label || entry.kind == NameKind::Model ||
        entry.kind == NameKind::Query || (entry.kind == NameKind::Factor && !withFactors))
      continue;
    items.offer(spellName(entry.name), itemKind(entry.kind),
                entry.kind == NameKind::Factor ? "factor" : signatureOf(analysis, entry));
  }
}

} // namespace

JsonText complete(Session &session, const Document &document, Position position) {
  const uint32_t offset = TextPositions(document.text->text(), session.unit()).offsetOf(position);
  const Analysis &analysis = *session.analysesWith(document).back();
  const TypedPart part = typedPart(document, offset);
  Items items;
  if (part.isInside)
    return items.take();
  if (const std::vector<std::string> names = statedNames(part); !names.empty()) {
    offerLabels(analysis, {names.begin(), names.end()}, items);
    if (isComparison(part.kindAt(0)) && part.tokens.front().kind != TokenKind::Observe)
      offerNames(analysis, document, offset, false, items);
    return items.take();
  }
  const bool isQuery = !part.tokens.empty() && part.tokens.front().kind == TokenKind::Query;
  if (!part.tokens.empty()) {
    offerTypedNames(part, items);
    offerNames(analysis, document, offset, isQuery, items);
    if (isQuery)
      items.offerWords({WordPlace::Query});
    else
      items.offerWords({WordPlace::Expression, WordPlace::Value, WordPlace::Other});
  }
  items.offerWords({WordPlace::Declaration});
  return items.take();
}

} // namespace mpf::lsp
