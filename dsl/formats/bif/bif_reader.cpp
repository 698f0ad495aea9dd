#include "dsl/formats/bif/bif_reader.h"

#include "dsl/formats/bif/bif_probability.h"
#include "dsl/source/suggest.h"
#include "dsl/support/counts.h"
#include "dsl/support/files/byte_order_mark.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <span>

namespace mpf {

bool BifContext::skipProperty() {
  const BlockToken start = lexer.take();
  return lexer.skipStatement() || error(start, "this property has no ';' behind it");
}

void BifContext::takeNames(uint64_t count, std::vector<PlacedText> &names) {
  constexpr uint64_t kMostWordsOfName = 64;
  words_.clear();
  groupEnds_.clear();
  const uint64_t limit = saturatingMul(count + 1, kMostWordsOfName);
  while (lexer.peek().kind == BlockToken::Word && !lexer.peek().text.empty() &&
         words_.size() < limit) {
    words_.push_back(lexer.take());
    if (acceptMark(','))
      groupEnds_.push_back(words_.size());
  }
  if (!words_.empty() && (groupEnds_.empty() || groupEnds_.back() != words_.size()))
    groupEnds_.push_back(words_.size());
  names.clear();
  if (words_.size() != count && groupEnds_.size() == count && areQuotedAlone())
    return joinGroups(names);
  for (const BlockToken &word : words_)
    names.push_back(placed(word));
}

bool BifContext::areQuotedAlone() const {
  size_t begin = 0;
  for (const size_t end : groupEnds_) {
    const std::span group = std::span(words_).subspan(begin, end - begin);
    if (group.size() > 1 && std::ranges::any_of(group, &BlockToken::quoted))
      return false;
    begin = end;
  }
  return true;
}

void BifContext::joinGroups(std::vector<PlacedText> &names) {
  size_t begin = 0;
  for (const size_t end : groupEnds_) {
    std::string &name = joined_.emplace_back(words_[begin].text);
    for (size_t i = begin + 1; i < end; ++i)
      name.append(" ").append(words_[i].text);
    names.push_back({name, {words_[begin].range.begin, words_[end - 1].range.end}});
    begin = end;
  }
}

namespace {

constexpr std::string_view kBlocks[] = {"network", "variable", "probability"};

bool isKeyword(const BlockToken &token) {
  return !token.quoted && std::ranges::count(kBlocks, token.text) != 0;
}

class BifReader {
public:
  BifReader(const std::shared_ptr<const SourceBuffer> &buffer, Diagnostics &diagnostics)
      : context_(buffer, diagnostics), buffer_(buffer) {}

  std::optional<Model> read(const ModelReadOptions &options);

private:
  bool full() { return context_.network.diagnostics().full(); }

  bool checkEncoding();
  bool readNetwork();
  bool readBlock(const BlockToken &keyword);
  void readBlocks();
  bool startsBlock(const BlockToken &keyword);
  bool skipText();
  static bool isCutOff(const BlockToken &lineStart, uint64_t wordsOfLine);
  bool reportBraces(const BlockToken &start);
  bool readVariable();
  bool readType(NamedVariable &variable);
  bool skipBlock(const BlockToken &keyword, bool report);
  void readProbabilities();

  BifContext context_;
  std::shared_ptr<const SourceBuffer> buffer_;
  std::vector<BlockToken> probabilities_; ///< the words behind `probability`
  bool hasNetwork_ = false, hasBlock_ = false;
  uint64_t textWords_ = 0; ///< number of words outside of blocks; the first:
  BlockToken textStart_;
};

bool BifReader::checkEncoding() {
  const std::string_view text = buffer_->text();
  if (const size_t first = text.find_first_not_of(
          " \t\r\n", text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
      first != text.npos && text[first] == '<') {
    const auto at = static_cast<uint32_t>(first);
    return context_.network.error({at, at + 1},
                                  "this is XML, and its first element is not BIF, as that of "
                                  "XMLBIF is: save the network as BIF, XMLBIF or .uai");
  }
  const std::optional<size_t> bad = firstInvalidUtf8(buffer_->text());
  if (!bad)
    return true;
  const auto at = static_cast<uint32_t>(*bad);
  return context_.network.error({at, at + 1},
                                "this byte is no UTF-8: convert the file, for instance with iconv "
                                "-f latin1 -t utf8");
}

bool BifReader::readNetwork() {
  hasNetwork_ = true;
  const BlockToken keyword = context_.lexer.take();
  const BlockToken name = context_.lexer.peek();
  if (name.kind == BlockToken::Word && name.text != "unknown" && isPlainName(name.text))
    context_.network.setName(name.text);
  return skipBlock(keyword, true);
}

/// Skips to the `}` that closes the block of `keyword`. Reports a block without braces if `report`.
bool BifReader::skipBlock(const BlockToken &keyword, bool report) {
  context_.lexer.seek(keyword);
  int64_t depth = 0;
  bool isStatement = false; // a statement starts here: a property may contain braces and `//`
  for (bool opened = false; !opened || depth > 0;) {
    const BlockToken token = context_.lexer.take();
    if (isStatement && token.isWord("property") && context_.lexer.peek().kind == BlockToken::Word &&
        !context_.lexer.skipStatement())
      return report ? context_.error(token, "this property has no ';' behind it") : false;
    isStatement =
        token.isMark('{') || token.isMark(';') || (isStatement && token.isWord("property"));
    depth += token.isMark('{') ? 1 : token.isMark('}') ? -1 : 0;
    opened |= depth > 0;
    if (token.kind == BlockToken::End || depth < 0)
      return report ? context_.error(keyword, "this block has no '{{' and '}}' around its contents")
                    : false;
  }
  return true;
}

bool BifReader::readType(NamedVariable &variable) {
  const BlockToken type = context_.lexer.take();
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
  std::vector<PlacedText> states;
  context_.takeNames(*extent, states);
  for (const PlacedText &state : states)
    if (!context_.network.addState(variable, state))
      return false;
  const BlockToken end = context_.lexer.peek();
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
    const BlockToken token = context_.lexer.peek();
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

/// Whether the word begins a block. It may also be a word of a text between blocks.
bool BifReader::startsBlock(const BlockToken &keyword) {
  const bool isVariable = keyword.isWord("variable"), isNetwork = keyword.isWord("network");
  if (!isVariable && !isNetwork && !keyword.isWord("probability"))
    return false;
  context_.lexer.seek(keyword);
  context_.lexer.take();
  const BlockToken second = context_.lexer.take(), third = context_.lexer.peek();
  context_.lexer.seek(keyword);
  if (!isVariable && !isNetwork)
    return second.isMark('(');
  return second.isMark('{') || (second.kind == BlockToken::Word && third.isMark('{'));
}

/// Whether the last line of the file is the start of a block without its braces.
bool BifReader::isCutOff(const BlockToken &lineStart, uint64_t wordsOfLine) {
  constexpr uint64_t kMostWords = 2; // `variable NAME`; a longer line may be a text
  return isKeyword(lineStart) && wordsOfLine <= kMostWords;
}

/// Reports braces without a known word before them.
bool BifReader::reportBraces(const BlockToken &start) {
  context_.network.diagnostics().report(
      {Severity::Error, context_.lexer.placeOf(start),
       isKeyword(start) ? fmt::format("expected a block behind {}: `variable NAME {{ ... }}` or "
                                      "`probability ( CHILD | PARENTS ) {{ ... }}`",
                                      BlockLexer::shown(start))
                        : fmt::format("expected {}variable or probability, found {}",
                                      hasNetwork_ ? "" : "network, ", BlockLexer::shown(start)),
       isKeyword(start) ? "" : suggestHint(start.text, kBlocks)});
  context_.network.markIncomplete();
  return skipBlock(start, false);
}

/// Skips text between blocks: the grammar of version 0.15 ignores it. Braces in this text are an
/// error: the word before them may be misspelt. Returns false if the rest cannot be read.
bool BifReader::skipText() {
  BlockToken lineStart = context_.lexer.peek(), previous = lineStart;
  uint64_t wordsOfLine = 0;
  if (textWords_ == 0)
    textStart_ = lineStart;
  while (true) {
    const BlockToken token = context_.lexer.peek();
    if (token.kind == BlockToken::End && isCutOff(lineStart, wordsOfLine)) {
      return context_.network.error(lineStart.range, "the file ends in this block, behind {}",
                                    BlockLexer::shown(previous));
    }
    if (token.kind == BlockToken::End || startsBlock(token))
      return true;
    if (!context_.lexer.onOneLine(previous, token)) {
      lineStart = token;
      wordsOfLine = 0;
    }
    ++wordsOfLine;
    if (token.isMark('{') || token.isMark('}'))
      return reportBraces(lineStart);
    previous = context_.lexer.take();
    ++textWords_;
  }
}

/// Reads one block. Returns false after reporting if the block could not be read.
bool BifReader::readBlock(const BlockToken &keyword) {
  if (keyword.isWord("network"))
    return hasNetwork_ ? context_.expected("variable or probability", keyword) : readNetwork();
  if (keyword.isWord("variable")) {
    const bool read = readVariable();
    if (!read)
      context_.network.markIncomplete();
    return read;
  }
  context_.lexer.take();
  probabilities_.push_back(context_.lexer.peek());
  return skipBlock(keyword, true);
}

void BifReader::readBlocks() {
  const BlockToken first = context_.lexer.peek();
  while (context_.lexer.peek().kind != BlockToken::End && !full()) {
    if (context_.acceptMark(';')) // some files have one behind a block
      continue;
    const BlockToken keyword = context_.lexer.peek();
    if (!startsBlock(keyword)) {
      if (!skipText())
        return;
    } else if (hasBlock_ = true; !readBlock(keyword) && !skipBlock(keyword, false)) {
      return;
    }
  }
  if (!hasBlock_ && !context_.network.failed())
    context_.expected("network", first);
  else if (textWords_ != 0 && !context_.network.failed())
    context_.network.diagnostics().warning(
        context_.lexer.placeOf(textStart_),
        "text outside of blocks is ignored: {} words and marks, first {}", textWords_,
        BlockLexer::shown(textStart_));
}

void BifReader::readProbabilities() {
  for (const BlockToken &start : probabilities_) {
    if (full())
      return;
    context_.lexer.seek(start);
    readBifProbability(context_);
  }
}

std::optional<Model> BifReader::read(const ModelReadOptions &options) {
  if (!checkEncoding())
    return std::nullopt;
  if (options.build.normalise)
    context_.network.normaliseRows();
  readBlocks();
  readProbabilities();
  return context_.network.finish(QueryKind::Marginals, options.check);
}

} // namespace

bool startsAsBif(std::string_view text) {
  std::optional<size_t> openComment;
  text.remove_prefix(skipBlockBlanks(kBifDialect, text, 0, openComment));
  return openComment.has_value() || // so that the reader reports it
         std::ranges::any_of(kBlocks, [&](std::string_view word) {
           return startsWithWord(kBifDialect, text, word);
         });
}

std::optional<Model> readBif(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                             const ModelReadOptions &options) {
  return BifReader(buffer, diagnostics).read(options);
}

} // namespace mpf
