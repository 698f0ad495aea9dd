#include "dsl/formats/costs/cfn_reader.h"

#include "dsl/formats/costs/cfn_lexer.h"
#include "dsl/formats/costs/cost_functions.h"
#include "dsl/formats/network/model_name.h"
#include "dsl/formats/numbers/token_scanner.h"
#include "dsl/support/number_text.h"
#include "dsl/support/numbers/table_number.h"
#include "dsl/support/text/byte_set.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <limits>

namespace mpf {

namespace {

constexpr double kForbidden = std::numeric_limits<double>::infinity();
constexpr ByteSet kExponents("eE");

/// The number that a word of digits spells; nothing for other words.
size_t decimalsOf(std::string_view number) {
  const size_t point = number.find('.');
  return point == number.npos ? 0 : number.size() - point - 1;
}

/// The functions of one name.
struct NamedFunctions {
  uint64_t count = 0;
  std::optional<size_t> shared; ///< the last one with costs of its own, which others may share
};

class CfnParser {
public:
  CfnParser(const std::shared_ptr<const SourceBuffer> &buffer, Diagnostics &diagnostics)
      : network_(buffer, diagnostics), functions_(network_), lexer_(buffer, network_) {}

  std::optional<Model> parse(const ModelReadOptions &options) {
    if (takeOpen("the whole") && parseProblem() && parseVariables() && parseFunctions() &&
        takeClose("the whole") && lexer_.peek().kind != CfnToken::End)
      expected("the end of the file");
    if (cutCosts_ != 0)
      network_.diagnostics().warning(network_.placeOf(firstCut_),
                                     "costs with more than the {} digits behind the point that "
                                     "mustbe has: {}; toulbar2 cuts the others, here they count",
                                     decimals_, cutCosts_);
    return functions_.finish(options.check);
  }

private:
  bool parseProblem();
  bool parseBound(const CfnToken &token);
  bool parseVariables();
  bool parseVariable();
  bool parseFunctions();
  bool parseFunction();
  bool parseScope(std::vector<VarId> &scope);
  bool parseTable(const std::string &name, std::vector<VarId> scope, SourceRange place);
  std::string freeName(const std::string &name, NamedFunctions &named);
  bool parseDense();
  bool parseSparse();
  std::optional<uint32_t> takeState(VarId variable);
  std::optional<double> takeCost();

  /// Reports what was expected in place of the next token; always false.
  bool expected(const std::string &what);
  bool takeOpen(const char *what);
  bool takeClose(const char *what);
  bool takeKey(const char *key);
  std::optional<PlacedText> takeWord(const char *what);

  NetworkBuilder network_;
  CostFunctions functions_;
  CfnLexer lexer_;
  TextMap<NamedFunctions> named_;
  size_t decimals_ = 0;   ///< digits behind the point of the bound
  uint64_t cutCosts_ = 0; ///< costs with more digits there
  SourceRange firstCut_;
};

bool CfnParser::expected(const std::string &what) {
  if (network_.failed()) // a quote without an end
    return false;
  return network_.error(lexer_.peek().word.range, "expected {}, found {}", what,
                        CfnLexer::shown(lexer_.peek()));
}

bool CfnParser::takeOpen(const char *what) {
  if (lexer_.peek().kind != CfnToken::Open)
    return expected(fmt::format("the bracket that opens {}", what));
  lexer_.take();
  return true;
}

bool CfnParser::takeClose(const char *what) {
  if (lexer_.peek().kind != CfnToken::Close)
    return expected(fmt::format("the bracket that closes {}", what));
  lexer_.take();
  return true;
}

bool CfnParser::takeKey(const char *key) {
  if (!lexer_.peek().isWord(key))
    return expected(key);
  lexer_.take();
  return true;
}

std::optional<PlacedText> CfnParser::takeWord(const char *what) {
  if (lexer_.peek().kind == CfnToken::Word)
    return lexer_.take().word;
  expected(what);
  return std::nullopt;
}

bool CfnParser::parseProblem() {
  if (!takeKey("problem") || !takeOpen("the problem") || !takeKey("name"))
    return false;
  const std::optional<PlacedText> name = takeWord("a name");
  if (!name || !takeKey("mustbe"))
    return false;
  network_.setName(modelNameFor(std::string(name->text)));
  return parseBound(lexer_.peek()) && takeClose("the problem");
}

bool CfnParser::parseBound(const CfnToken &token) {
  const std::string_view text = token.word.text;
  if (token.kind != CfnToken::Word || (!text.starts_with('<') && !text.starts_with('>')))
    return expected("\"<BOUND\" to minimise, or \">BOUND\" to maximise");
  const TableNumber bound = readTableNumber(text.substr(1));
  if (bound.kind != TableNumber::Kind::Plain || kExponents.find(text) != text.size())
    return network_.error(token.word.range, "expected a decimal number behind '{}', found '{}'",
                          text.front(), excerpt(text.substr(1)));
  functions_.setBound(bound.nearest, text.front() == '>');
  decimals_ = decimalsOf(text);
  lexer_.take();
  return true;
}

bool CfnParser::parseVariables() {
  if (!takeKey("variables") || !takeOpen("the variables"))
    return false;
  while (lexer_.peek().kind == CfnToken::Word)
    if (!parseVariable())
      return false;
  return takeClose("the variables");
}

bool CfnParser::parseVariable() {
  const std::optional<PlacedText> name = takeWord("a variable");
  std::optional<NamedVariable> variable = network_.startVariable(*name);
  if (!variable)
    return false;
  if (lexer_.peek().kind == CfnToken::Open) {
    lexer_.take();
    while (lexer_.peek().kind == CfnToken::Word)
      if (!network_.addState(*variable, lexer_.take().word))
        return false;
    return network_.addVariable(std::move(*variable)) && takeClose("the values");
  }
  const std::optional<PlacedText> word = takeWord("the values or their number");
  if (!word)
    return false;
  // A size below 0 is that of an interval.
  const std::optional<uint64_t> size =
      parseUnsigned(word->text.starts_with('-') ? word->text.substr(1) : word->text);
  if (!size || *size == 0 || *size > network_.limits().maxExtent)
    return network_.error(word->range, "the size of '{}' is {}, it must be between 1 and {}",
                          excerpt(name->text), excerpt(word->text), network_.limits().maxExtent);
  return network_.addVariable(std::move(*variable), static_cast<uint32_t>(*size));
}

bool CfnParser::parseFunctions() {
  if (!takeKey("functions") || !takeOpen("the functions"))
    return false;
  while (lexer_.peek().kind == CfnToken::Word || lexer_.peek().kind == CfnToken::Open)
    if (!parseFunction())
      return false;
  return takeClose("the functions");
}

bool CfnParser::parseFunction() {
  const SourceRange place = lexer_.peek().word.range;
  const std::string name = lexer_.peek().kind == CfnToken::Word
                               ? std::string(lexer_.take().word.text)
                               : std::string("f");
  std::vector<VarId> scope;
  if (!takeOpen("the function") || !takeKey("scope") || !parseScope(scope))
    return false;
  if (lexer_.peek().isWord("type")) {
    lexer_.take();
    const std::optional<PlacedText> type = takeWord("a type");
    return type && network_.error(type->range,
                                  "'{}' is a global cost function; tables of costs are read, "
                                  "global functions are not",
                                  excerpt(type->text));
  }
  return parseTable(name, std::move(scope), place) && takeClose("the function");
}

bool CfnParser::parseScope(std::vector<VarId> &scope) {
  if (!takeOpen("the scope"))
    return false;
  while (lexer_.peek().kind == CfnToken::Word) {
    const PlacedText word = lexer_.take().word;
    const std::optional<uint64_t> position = parseUnsigned(word.text);
    const std::optional<VarId> named = network_.variableNamed(word.text);
    if (position && named && *position != named->index() &&
        *position < network_.model().variables.size())
      return network_.error(word.range,
                            "'{}' is the name of variable {}, counted from 0, and the number of "
                            "another one",
                            excerpt(word.text), *named);
    if (named)
      scope.push_back(*named);
    else if (position && *position < network_.model().variables.size())
      scope.emplace_back(*position);
    else if (!network_.findVariable(word))
      return false;
  }
  return takeClose("the scope");
}

/// Returns the name, or one with a number if another function has it.
std::string CfnParser::freeName(const std::string &name, NamedFunctions &named) {
  if (++named.count == 1)
    return name;
  for (uint64_t number = named.count;; ++number)
    if (const std::string other = fmt::format("{}_{}", name, number); named_[other].count++ == 0)
      return other;
}

bool CfnParser::parseTable(const std::string &name, std::vector<VarId> scope, SourceRange place) {
  std::optional<double> others;
  if (lexer_.peek().isWord("defaultcost")) {
    lexer_.take();
    others = takeCost();
    if (!others)
      return false;
  }
  if (!takeKey("costs"))
    return false;
  if (!others && lexer_.peek().kind == CfnToken::Word) {
    const PlacedText word = lexer_.take().word;
    const auto shared = named_.find(word.text);
    if (shared == named_.end() || !shared->second.shared)
      return network_.error(word.range, "no function above is called '{}'", excerpt(word.text));
    const size_t function = *shared->second.shared;
    return functions_.share(freeName(name, named_[name]), std::move(scope), function, place);
  }
  NamedFunctions &named = named_[name];
  if (!takeOpen("the costs") ||
      !functions_.begin(freeName(name, named), std::move(scope), place, others,
                        lexer_.wordsPossible()) ||
      !(others ? parseSparse() : parseDense()))
    return false;
  named.shared = functions_.end();
  return takeClose("the costs");
}

bool CfnParser::parseDense() {
  uint64_t tuple = 0;
  for (; tuple < functions_.tuples() && lexer_.peek().kind == CfnToken::Word; ++tuple) {
    const SourceRange at = lexer_.peek().word.range;
    const std::optional<double> cost = takeCost();
    if (!cost || !functions_.set(tuple, *cost, at))
      return false;
  }
  return tuple == functions_.tuples() ||
         expected(fmt::format("{} costs, the size of the scope, after {} of them",
                              functions_.tuples(), tuple));
}

bool CfnParser::parseSparse() {
  while (lexer_.peek().kind == CfnToken::Word) {
    const SourceRange at = lexer_.peek().word.range;
    uint64_t tuple = 0;
    for (const VarId variable : functions_.scope()) {
      const std::optional<uint32_t> state = takeState(variable);
      if (!state)
        return false;
      tuple = tuple * network_.model().variable(variable).extent + *state;
    }
    const std::optional<double> cost = takeCost();
    if (!cost || !functions_.set(tuple, *cost, at))
      return false;
  }
  return true;
}

std::optional<uint32_t> CfnParser::takeState(VarId variable) {
  const std::optional<PlacedText> word = takeWord("a value of a tuple");
  if (!word)
    return std::nullopt;
  const Variable &owner = network_.model().variable(variable);
  const std::optional<uint64_t> position = parseUnsigned(word->text);
  const bool isPosition = position && *position < owner.extent;
  const std::optional<uint32_t> state = network_.stateNamed(variable, word->text);
  if (state && isPosition && *position != *state) {
    network_.error(word->range, "'{}' is the label of value {} of '{}', and the number of value {}",
                   excerpt(word->text), *state, excerpt(owner.name), *position);
    return std::nullopt;
  }
  if (state)
    return state;
  if (isPosition)
    return static_cast<uint32_t>(*position);
  if (owner.labels.empty())
    network_.error(word->range, "'{}' has no value '{}': its size is {}", excerpt(owner.name),
                   excerpt(word->text), owner.extent);
  else
    network_.findState(variable, *word);
  return std::nullopt;
}

std::optional<double> CfnParser::takeCost() {
  const std::optional<PlacedText> word = takeWord("a cost");
  if (!word)
    return std::nullopt;
  if (word->text == "inf")
    return kForbidden;
  const TableNumber number = readTableNumber(word->text);
  if (number.kind != TableNumber::Kind::Plain || kExponents.find(word->text) != word->text.size()) {
    network_.error(word->range, "expected a cost, a decimal number without an exponent, found '{}'",
                   excerpt(word->text));
    return std::nullopt;
  }
  if (decimalsOf(word->text) > decimals_ && ++cutCosts_ == 1)
    firstCut_ = word->range;
  return number.nearest;
}

} // namespace

std::optional<Model> readCfn(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             const ModelReadOptions &options) {
  return CfnParser(buffer, diagnostics).parse(options);
}

bool startsAsCfn(std::string_view text) {
  const auto skipBlanks = [&text] {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\v\f"), text.size()));
  };
  skipHashComments(text);
  if (!text.starts_with('{') && !text.starts_with('['))
    return false;
  text.remove_prefix(1);
  skipBlanks();
  if (text.starts_with('"'))
    text.remove_prefix(1);
  return text.starts_with("problem");
}

} // namespace mpf
