#include "dsl/formats/bif_reader.h"

#include "dsl/formats/bif_probability.h"
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
  BifReader(const std::shared_ptr<const SourceBuffer> &buffer, Diagnostics &diagnostics)
      : context_(buffer, diagnostics), buffer_(buffer) {}

  std::optional<Model> read(NetworkCheck check);

private:
  bool full() { return context_.network.diagnostics().full(); }

  bool checkEncoding();
  bool readNetwork();
  void readBlocks();
  bool readVariable();
  bool readType(NamedVariable &variable);
  bool skipBlock(const BifToken &keyword, bool report);
  void readProbabilities();

  BifContext context_;
  std::shared_ptr<const SourceBuffer> buffer_;
  std::vector<BifToken> probabilities_; ///< the words behind `probability`
};

bool BifReader::checkEncoding() {
  const std::optional<size_t> bad = firstInvalidUtf8(buffer_->text());
  if (!bad)
    return true;
  const auto at = static_cast<uint32_t>(*bad);
  return context_.network.error({at, at + 1},
                                "this byte is no UTF-8: convert the file, for instance with iconv "
                                "-f latin1 -t utf8");
}

bool BifReader::readNetwork() {
  if (!context_.lexer.peek().isWord("network"))
    return context_.expected("network", context_.lexer.peek());
  const BifToken keyword = context_.lexer.take();
  const BifToken name = context_.lexer.peek();
  if (name.kind == BifToken::Word && name.text != "unknown" && isPlainName(name.text))
    context_.network.setName(name.text);
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

bool BifReader::readType(NamedVariable &variable) {
  const BifToken type = context_.lexer.take();
  if (!variable.labels.empty())
    return context_.error(type, "'{}' has a second type", excerpt(variable.name));
  if (!context_.lexer.peek().isWord("discrete"))
    return context_.expected("discrete, the only kind of variable there is here",
                             context_.lexer.peek());
  context_.lexer.take();
  if (!context_.takeMark('[', "'[' and the number of states"))
    return false;
  const std::optional<PlacedText> count = context_.takeWord("the number of states");
  if (!count)
    return false;
  const std::optional<uint64_t> extent = parseUnsigned(count->text);
  const uint64_t limit = context_.network.limits().maxExtent;
  if (!extent || *extent == 0 || *extent > limit)
    return context_.network.error(count->range,
                                  "the number of states of '{}' is {}, it must be between 1 and {}",
                                  excerpt(variable.name), excerpt(count->text), limit);
  if (!context_.takeMark(']', "']'") || !context_.takeMark('{', "'{' and the states"))
    return false;
  while (context_.lexer.peek().kind == BifToken::Word && !context_.lexer.peek().text.empty()) {
    if (!context_.network.addState(variable, BifContext::placed(context_.lexer.take())))
      return false;
    context_.acceptMark(',');
  }
  const BifToken end = context_.lexer.peek();
  if (!context_.takeMark('}', "a state or '}'"))
    return false;
  if (variable.labels.size() != *extent)
    return context_.error(end, "'{}' lists {} states, its type says {}", excerpt(variable.name),
                          variable.labels.size(), *extent);
  context_.acceptMark(';');
  return true;
}

bool BifReader::readVariable() {
  context_.lexer.take();
  const std::optional<PlacedText> name = context_.takeWord("the name of a variable");
  if (!name)
    return false;
  std::optional<NamedVariable> variable = context_.network.startVariable(*name);
  if (!variable || !context_.takeMark('{', "'{'"))
    return false;
  while (!context_.lexer.peek().isMark('}')) {
    const BifToken token = context_.lexer.peek();
    if (token.isWord("property") ? !context_.skipProperty()
        : token.isWord("type")   ? !readType(*variable)
                                 : !context_.expected("type, property or '}'", token))
      return false;
  }
  context_.lexer.take();
  if (variable->labels.empty())
    return context_.network.error(name->range, "'{}' has no type and so no states",
                                  excerpt(name->text));
  return context_.network.addVariable(std::move(*variable));
}

void BifReader::readBlocks() {
  while (context_.lexer.peek().kind != BifToken::End && !full()) {
    if (context_.acceptMark(';')) // behind a block: some write one
      continue;
    const BifToken keyword = context_.lexer.peek();
    bool read = false;
    if (keyword.isWord("variable")) {
      read = readVariable();
      if (!read)
        context_.network.markIncomplete();
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
  for (const BifToken &start : probabilities_) {
    if (full())
      return;
    context_.lexer.seek(start);
    readBifProbability(context_);
  }
}

std::optional<Model> BifReader::read(NetworkCheck check) {
  if (!checkEncoding() || !readNetwork())
    return std::nullopt;
  readBlocks();
  readProbabilities();
  return context_.network.finish(QueryKind::Marginals, check);
}

} // namespace

std::optional<Model> readBif(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             NetworkCheck check) {
  return BifReader(buffer, diagnostics).read(check);
}

} // namespace mpf
