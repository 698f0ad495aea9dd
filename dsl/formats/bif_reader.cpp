#include "dsl/formats/bif_reader.h"

#include "dsl/formats/bif_probability.h"
#include "dsl/formats/uai_reader.h"
#include "dsl/model/build/check_network.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

namespace mpf {

bool BifContext::skipProperty() {
  const BifToken start = lexer.take();
  while (!lexer.peek().isMark(';')) {
    if (lexer.peek().kind == BifToken::End)
      return error(start, "this property has no ';' behind it");
    lexer.take();
  }
  lexer.take();
  return true;
}

namespace {

class BifReader {
public:
  BifReader(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
            NetworkCheck check)
      : context_(buffer, diagnostics), buffer_(std::move(buffer)),
        errorsBefore_(diagnostics.errorCount()), check_(check) {}

  std::optional<Model> read();

private:
  bool failed() const { return context_.diagnostics.errorCount() != errorsBefore_; }

  bool checkEncoding();
  bool readNetwork();
  void readBlocks();
  bool readVariable();
  bool readType(Variable &variable, const BifToken &name);
  bool skipBlock(const BifToken &keyword, bool report);
  void readProbabilities();
  void dropNumberLabels();

  BifContext context_;
  std::shared_ptr<const SourceBuffer> buffer_;
  size_t errorsBefore_;
  const NetworkCheck check_;
  std::vector<BifToken> probabilities_; ///< the words behind `probability`
};

bool BifReader::checkEncoding() {
  const std::optional<size_t> bad = firstInvalidUtf8(buffer_->text());
  if (!bad)
    return true;
  const auto at = static_cast<uint32_t>(*bad);
  context_.diagnostics.error({buffer_, {at, at + 1}},
                             "this byte is no UTF-8: convert the file, for instance with iconv -f "
                             "latin1 -t utf8");
  return false;
}

bool BifReader::readNetwork() {
  if (!context_.lexer.peek().isWord("network"))
    return context_.expected("network", context_.lexer.peek());
  const BifToken keyword = context_.lexer.take();
  const BifToken name = context_.lexer.peek();
  if (name.kind == BifToken::Word && name.text != "unknown" && isPlainName(name.text))
    context_.model.name = name.text;
  return skipBlock(keyword, true);
}

/// To the `}` that closes the block of `keyword`.
bool BifReader::skipBlock(const BifToken &keyword, bool report) {
  context_.lexer.seek(keyword);
  int64_t depth = 0;
  for (bool opened = false; !opened || depth > 0;) {
    const BifToken token = context_.lexer.take();
    depth += token.isMark('{') ? 1 : token.isMark('}') ? -1 : 0;
    opened |= depth > 0;
    if (token.kind == BifToken::End || depth < 0)
      return report ? context_.error(keyword, "this block has no '{{' and '}}' around its contents")
                    : false;
  }
  return true;
}

bool BifReader::readType(Variable &variable, const BifToken &name) {
  const BifToken type = context_.lexer.take();
  if (variable.extent != 0)
    return context_.error(type, "'{}' has a second type", excerpt(name.text));
  if (!context_.lexer.peek().isWord("discrete"))
    return context_.expected("discrete, the only kind of variable there is here",
                             context_.lexer.peek());
  context_.lexer.take();
  if (!context_.takeMark('[', "'[' and the number of states"))
    return false;
  const std::optional<BifToken> count = context_.takeWord("the number of states");
  if (!count)
    return false;
  const std::optional<uint64_t> extent = parseUnsigned(count->text);
  if (!extent || *extent == 0 || *extent > context_.limits.maxExtent)
    return context_.error(*count, "the number of states of '{}' is {}, it must be between 1 and {}",
                          excerpt(name.text), excerpt(count->text), context_.limits.maxExtent);
  if (!context_.takeMark(']', "']'") || !context_.takeMark('{', "'{' and the states"))
    return false;
  auto &states = context_.states.back();
  while (context_.lexer.peek().kind == BifToken::Word && !context_.lexer.peek().text.empty()) {
    const BifToken label = context_.lexer.take();
    if (!states.emplace(label.text, static_cast<uint32_t>(variable.labels.size())).second)
      return context_.error(label, "'{}' has the state '{}' twice", excerpt(name.text),
                            excerpt(label.text));
    variable.labels.emplace_back(label.text);
    context_.acceptMark(',');
  }
  const BifToken end = context_.lexer.peek();
  if (!context_.takeMark('}', "a state or '}'"))
    return false;
  if (variable.labels.size() != *extent)
    return context_.error(end, "'{}' lists {} states, its type says {}", excerpt(name.text),
                          variable.labels.size(), *extent);
  context_.acceptMark(';');
  variable.extent = static_cast<uint32_t>(*extent);
  return true;
}

bool BifReader::readVariable() {
  context_.lexer.take();
  const std::optional<BifToken> name = context_.takeWord("the name of a variable");
  if (!name)
    return false;
  if (const auto found = context_.variables.find(std::string(name->text));
      found != context_.variables.end()) {
    context_.error(*name, "'{}' is declared twice", excerpt(name->text));
    context_.diagnostics.note(context_.lexer.placeOf(context_.variableNames[found->second.index()]),
                              "the first declaration is here");
    return false;
  }
  if (context_.variables.size() >= context_.limits.maxVariables)
    return context_.error(*name, "the file has more than {} variables, the limit",
                          context_.limits.maxVariables);
  Variable variable;
  variable.name = name->text;
  context_.states.emplace_back();
  const auto readBody = [&] {
    if (!context_.takeMark('{', "'{'"))
      return false;
    while (!context_.lexer.peek().isMark('}')) {
      const BifToken token = context_.lexer.peek();
      if (token.isWord("property") ? !context_.skipProperty()
          : token.isWord("type")   ? !readType(variable, *name)
                                   : !context_.expected("type, property or '}'", token))
        return false;
    }
    context_.lexer.take();
    return variable.extent != 0 ||
           context_.error(*name, "'{}' has no type and so no states", excerpt(name->text));
  };
  if (!readBody()) {
    context_.states.pop_back();
    return false;
  }
  context_.variables.emplace(variable.name, VarId(context_.model.variables.size()));
  context_.variableNames.push_back(*name);
  context_.model.variables.push_back(std::move(variable));
  return true;
}

void BifReader::readBlocks() {
  while (context_.lexer.peek().kind != BifToken::End && !context_.diagnostics.full()) {
    if (context_.acceptMark(';')) // behind a block: some write one
      continue;
    const BifToken keyword = context_.lexer.peek();
    bool read = false;
    if (keyword.isWord("variable")) {
      read = readVariable();
      context_.incomplete |= !read;
    } else if (keyword.isWord("probability")) {
      context_.lexer.take();
      probabilities_.push_back(context_.lexer.peek());
      if (!skipBlock(keyword, true))
        return;
      read = true;
    } else {
      context_.expected("variable or probability", keyword);
    }
    if (!read && !skipBlock(keyword, false))
      return;
  }
}

void BifReader::readProbabilities() {
  BifProbabilityReader reader(context_);
  for (const BifToken &start : probabilities_) {
    if (context_.diagnostics.full())
      return;
    context_.lexer.seek(start);
    reader.read();
  }
  if (failed())
    return;
  reader.finish();
  if (check_ == NetworkCheck::ByCaller)
    return;
  std::vector<VarId> children;
  for (const Factor &factor : context_.model.factors)
    children.push_back(factor.scope.back());
  const BifLexer &lexer = context_.lexer;
  warnOfNetwork(context_.model, children,
                {[&](FactorId id) { return lexer.placeOf(reader.children()[id.index()]); },
                 [&](VarId id) { return lexer.placeOf(context_.variableNames[id.index()]); }},
                context_.diagnostics);
}

/// States that are called 0, 1, 2, ... are numbers.
void BifReader::dropNumberLabels() {
  for (Variable &variable : context_.model.variables) {
    bool areNumbers = true;
    for (size_t i = 0; i < variable.labels.size() && areNumbers; ++i)
      areNumbers = variable.labels[i] == std::to_string(i);
    if (areNumbers)
      variable.labels.clear();
  }
}

std::optional<Model> BifReader::read() {
  if (!checkEncoding() || !readNetwork())
    return std::nullopt;
  readBlocks();
  if (!context_.diagnostics.full())
    readProbabilities();
  if (failed())
    return std::nullopt;
  dropNumberLabels();
  Model &model = context_.model;
  if (model.name.empty())
    model.name = modelNameFor(buffer_->name());
  model.queries.push_back(shortQuery(model, QueryKind::Marginals));
  return std::move(model);
}

} // namespace

std::optional<Model> readBif(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             NetworkCheck check) {
  return BifReader(std::move(buffer), diagnostics, check).read();
}

} // namespace mpf
