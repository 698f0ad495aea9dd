#include "dsl/formats/tensors/einsum_text.h"

#include "dsl/formats/numbers/token_scanner.h"
#include "dsl/support/files/byte_order_mark.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

constexpr std::string_view kEinsumBlanks = " \t\r\n\v\f";
constexpr std::string_view kArrow = "->";

/// Whether a byte is a letter, or part of a character outside ASCII.
bool isIndexByte(char c) { return isNameStart(c) && c != '_'; }

class EinsumParser {
public:
  EinsumParser(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics)
      : text_(buffer->text()), made_(std::move(buffer), diagnostics) {}

  std::optional<TensorSum> parse() {
    if (const std::optional<size_t> bad = firstInvalidUtf8(text_)) {
      made_.error(rangeOf(*bad, *bad + 1), "this byte is not UTF-8");
      return std::nullopt;
    }
    if (text_.starts_with(kByteOrderMark))
      at_ = kByteOrderMark.size();
    return parseOperands() && parseOutput() ? std::optional(made_.take()) : std::nullopt;
  }

private:
  static SourceRange rangeOf(size_t begin, size_t end) {
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }
  bool skip();
  bool parseOperands();
  bool parseOutput();
  PlacedText takeIndex();
  bool refuse();

  std::string_view text_;
  size_t at_ = 0;
  size_t lastEnd_ = 0; ///< behind the last character that is no blank
  TensorSumBuilder made_;
};

/// Goes to the next character that is no blank and in no comment; false: there is none.
bool EinsumParser::skip() {
  lastEnd_ = at_;
  while (at_ < text_.size())
    if (kEinsumBlanks.find(text_[at_]) != kEinsumBlanks.npos)
      ++at_;
    else if (text_[at_] == '#')
      at_ = std::min(text_.find('\n', at_), text_.size());
    else
      return true;
  return false;
}

/// Takes the index at the cursor: a character with all its bytes.
PlacedText EinsumParser::takeIndex() {
  const size_t begin = at_++;
  while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0) == 0x80)
    ++at_;
  return {text_.substr(begin, at_ - begin), rangeOf(begin, at_)};
}

/// Reports the character at the cursor.
bool EinsumParser::refuse() {
  const size_t begin = at_;
  if (text_.substr(begin).starts_with("..."))
    return made_.error(rangeOf(begin, begin + 3), "an ellipsis is not supported",
                       "write a letter for each of its axes");
  return made_.error(
      rangeOf(begin, begin + 1),
      fmt::format("expected an index, which is a letter, found '{}'", excerpt(takeIndex().text)));
}

bool EinsumParser::parseOperands() {
  made_.startOperand(rangeOf(at_, at_));
  while (skip()) {
    if (text_.substr(at_).starts_with(kArrow)) {
      at_ += kArrow.size();
      return true;
    }
    if (text_[at_] == ',') {
      ++at_;
      made_.startOperand(rangeOf(at_, at_));
    } else if (isIndexByte(text_[at_])) {
      made_.addIndex(takeIndex());
    } else {
      return refuse();
    }
  }
  return made_.error(rangeOf(lastEnd_, lastEnd_), "expected -> and the indices of the result",
                     "ij,jk->ik is a matrix product, ij,jk-> the sum of its entries");
}

bool EinsumParser::parseOutput() {
  while (skip())
    if (!isIndexByte(text_[at_]))
      return refuse();
    else if (!made_.addOutput(takeIndex()))
      return false;
  return true;
}

} // namespace

std::optional<TensorSum> readEinsum(std::shared_ptr<const SourceBuffer> buffer,
                                    Diagnostics &diagnostics) {
  return EinsumParser(std::move(buffer), diagnostics).parse();
}

bool startsAsEinsum(std::string_view text) {
  skipHashComments(text);
  text = text.substr(0, text.find_first_of("\n#"));
  const size_t arrow = text.find(kArrow);
  const auto isPart = [](char c) {
    return isIndexByte(c) || c == ',' || c == '.' || kEinsumBlanks.find(c) != kEinsumBlanks.npos;
  };
  return arrow != text.npos && std::ranges::all_of(text.substr(0, arrow), isPart) &&
         std::ranges::all_of(text.substr(arrow + kArrow.size()), isPart);
}

} // namespace mpf
