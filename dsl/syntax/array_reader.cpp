#include "dsl/syntax/array_reader.h"

#include "dsl/support/numbers/plain_decimal.h"
#include "dsl/support/numbers/table_number.h"
#include "dsl/support/system/watched_call.h"
#include "dsl/syntax/expr_parser.h"
#include "dsl/syntax/spelling.h"

#include <charconv>
#include <limits>

namespace mpf {

namespace {

/// Values between two checks of the file's bound: rare enough to cost nothing.
constexpr uint64_t kCountStep = 4096;

} // namespace

ArrayReader::ArrayReader(TokenStream &stream)
    : stream_(stream), text_(stream.text()), at_(stream.here()) {}

// array = "[" element { "," element } "]"
// element = array | expression        (all elements of one level alike)
ast::ArrayLiteral ArrayReader::read() {
  array_.range.begin = at_;
  do {
    if (!skipBlanks()) {
      stream_.resume(at_, at_);
      stream_.fail({levels_[open_ - 1].begin, levels_[open_ - 1].begin + 1},
                   "this '[' is not closed before the end of the file");
    }
    if (text_[at_] == '[') {
      openRow();
      if (!skipBlanks() || text_[at_] != ']')
        continue;
    } else if (!plainNumber()) {
      computedElement();
    }
    if (array_.values.size() % kBetweenPolls == 0)
      throwIfCancelled();
    while (open_ > 0 && skipBlanks() && text_[at_] == ']')
      closeRow();
    if (open_ > 0)
      expectSeparator();
  } while (open_ > 0);
  array_.range.end = at_;
  stream_.countValues(array_.values.size() - counted_);
  stream_.resume(at_, at_);
  if (broken_)
    throw Panic{};
  for (size_t level = 0; level < leafDepth_; ++level)
    array_.shape.push_back(levels_[level].extent);
  return std::move(array_);
}

bool ArrayReader::skipBlanks() {
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '#')
      at_ = static_cast<uint32_t>(std::min(text_.find('\n', at_), text_.size()) - 1);
    else if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
      return true;
  }
  return false;
}

void ArrayReader::openRow() {
  const uint32_t begin = at_++;
  contentEnd_ = at_;
  if (open_ == kMaxNesting) {
    stream_.resume(begin, begin);
    stream_.fail({begin, begin + 1}, fmt::format("nested deeper than {} levels", kMaxNesting));
  }
  if (leafDepth_ != 0 && open_ >= leafDepth_)
    unevenLevels({begin, begin + 1}, "a row stands where the elements before it are numbers");
  if (open_ == levels_.size())
    levels_.emplace_back();
  Level &level = levels_[open_++];
  level.count = 0;
  level.begin = begin;
  level.broken = false;
  if (skipBlanks() && text_[at_] == ']') {
    stream_.error({begin, at_ + 1}, "an array has at least one element, this one is empty");
    broken_ = true;
  }
}

void ArrayReader::closeRow() {
  Level &level = levels_[--open_];
  const SourceRange range{level.begin, ++at_};
  contentEnd_ = at_;
  if (level.extent == 0 && !level.broken) {
    level.extent = level.count;
  } else if (level.extent != level.count && !level.broken) {
    stream_.error(range, fmt::format("this row has {} element{}, the rows before it have {}",
                                     level.count, level.count == 1 ? "" : "s", level.extent));
    broken_ = true;
  }
  if (open_ + 1 == leafDepth_)
    array_.rows.push_back(range);
  if (open_ > 0)
    ++levels_[open_ - 1].count;
}

bool ArrayReader::plainNumber() {
  const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
  const bool negative = *begin == '-';
  const char *digits = begin + negative;
  double value = 0;
  const char *after = digits;
  if (digits < end && (isDigit(*digits) || *digits == '.')) {
    after = scanPlainDecimal(digits, end, value);
    if (after == nullptr) {
      // from_chars would take "inf" and "nan" too, hence the look at the first character.
      const auto [numberEnd, status] = std::from_chars(digits, end, value);
      if (status != std::errc() || isBelowNormal(value))
        return false;
      after = numberEnd;
    }
  } else if (end - digits > 3 && std::string_view(digits, 3) == "inf") {
    value = std::numeric_limits<double>::infinity();
    after = digits + 3;
  } else {
    return false;
  }
  const uint32_t start = at_, stop = static_cast<uint32_t>(after - text_.data());
  at_ = stop;
  if (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ']' &&
      (!skipBlanks() || isNameChar(*after) || (text_[at_] != ',' && text_[at_] != ']'))) {
    at_ = start; // part of an expression, or an error: the token reader decides
    return false;
  }
  checkLeafDepth({start, stop});
  addValue(negative ? -value : value);
  contentEnd_ = stop;
  return true;
}

void ArrayReader::addValue(double value) {
  array_.values.push_back(value);
  ++levels_[open_ - 1].count;
  if (array_.values.size() - counted_ >= kCountStep) {
    stream_.countValues(array_.values.size() - counted_);
    counted_ = array_.values.size();
  }
}

void ArrayReader::checkLeafDepth(SourceRange range) {
  if (leafDepth_ == 0)
    leafDepth_ = open_;
  if (leafDepth_ == open_)
    return;
  unevenLevels(range, fmt::format("this number stands {} level{} deep, the numbers before it {}",
                                  open_, open_ == 1 ? "" : "s", leafDepth_));
}

/// One message per array: every number of a misplaced row would repeat it.
void ArrayReader::unevenLevels(SourceRange range, std::string message) {
  if (!uneven_)
    stream_.error(range, std::move(message));
  uneven_ = broken_ = true;
}

void ArrayReader::computedElement() {
  stream_.resume(at_, contentEnd_);
  try {
    const uint32_t begin = stream_.here();
    if (stream_.at(TokenKind::Comma) || stream_.at(TokenKind::RightBracket))
      stream_.failExpected("a number");
    ast::Expr expr = ExprParser(stream_).expression();
    checkLeafDepth(stream_.since(begin));
    const bool negated = expr.kind == ast::ExprKind::Unary && expr.op == ast::Operator::Negate &&
                         expr.children.front().kind == ast::ExprKind::Number;
    if (expr.kind == ast::ExprKind::Number) {
      addValue(expr.number);
    } else if (negated) {
      addValue(-expr.children.front().number);
    } else {
      array_.computed.push_back({array_.values.size(), std::move(expr)});
      addValue(0);
    }
    at_ = stream_.here();
    contentEnd_ = stream_.since(begin).end;
  } catch (const Panic &) {
    recover();
  }
}

/// Skips to the ',' or ']' that ends the broken element; out of the array when a declaration
/// starts first.
void ArrayReader::recover() {
  broken_ = true;
  for (uint32_t depth = 0; !stream_.at(TokenKind::EndOfFile); stream_.take()) {
    const TokenKind kind = stream_.current().kind;
    if (isDeclarationWord(kind) && stream_.current().lineStart)
      break;
    if (depth == 0 && (kind == TokenKind::Comma || kind == TokenKind::RightBracket)) {
      at_ = contentEnd_ = stream_.here();
      levels_[open_ - 1].broken = true; // its count is useless now
      return;
    }
    if (kind == TokenKind::LeftBracket || kind == TokenKind::LeftParen)
      ++depth;
    else if ((kind == TokenKind::RightBracket || kind == TokenKind::RightParen) && depth > 0)
      --depth;
  }
  throw Panic{};
}

void ArrayReader::expectSeparator() {
  if (at_ < text_.size() && text_[at_] == ',') {
    ++at_;
    return;
  }
  if (at_ == text_.size())
    return; // read() reports the open '['
  stream_.resume(at_, contentEnd_);
  try {
    stream_.failExpected("',' or ']' in the array",
                         stream_.at(TokenKind::Colon)
                             ? "a table with labels stands in braces: { no: 0.8, yes: 0.2 }"
                             : "elements are separated by commas, and each '[' has its ']'");
  } catch (const Panic &) {
    recover();
  }
  // A ']' is closed here, so that the next thing read is an element again.
  while (open_ > 0 && skipBlanks() && text_[at_] == ']')
    closeRow();
  if (open_ > 0 && at_ < text_.size() && text_[at_] == ',')
    ++at_;
}

} // namespace mpf
