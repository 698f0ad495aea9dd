#include "dsl/formats/tables/array_text.h"

#include "dsl/formats/numbers/token_scanner.h"
#include "dsl/formats/tables/row_ends.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_input.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

namespace {

/// The bytes at the start of a file that are searched for control characters.
constexpr size_t kStartBytes = 4096;

bool isControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 && (byte < '\t' || byte > '\r');
}

void refuseBinary(const std::string &path, std::string_view text) {
  if (text.starts_with("\x93NUMPY"))
    fail(ErrorKind::BadInput, "{}: is an array of NumPy, the name of such a file ends in .npy",
         path);
  const bool isPlain =
      std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (std::ranges::any_of(text.substr(0, kStartBytes), isControl) ||
      (!isPlain && firstInvalidUtf8(text)))
    fail(ErrorKind::BadInput,
         "{}: is no text in UTF-8, and its name does not say which binary file "
         "it is",
         path);
}

} // namespace

const std::shared_ptr<const SourceBuffer> &ArrayText::get() {
  if (text_ == nullptr) {
    std::string text = readTextFile(path_);
    refuseBinary(path_, text);
    text_ = std::make_shared<const SourceBuffer>(path_, std::move(text));
  }
  return text_;
}

void ArrayText::release(size_t bytes) {
  if (text_ != nullptr && text_->text().size() > bytes)
    text_ = nullptr;
}

void setLines(WordFile &file) {
  const std::string_view text = file.text->text();
  RowEnds ends;
  uint64_t columns = 0, words = 0, before = 0;
  for (const FileWord &word : file.words) {
    if (words != 0 && text.substr(before, word.range.begin - before).find('\n') != text.npos) {
      ends.add(columns, words);
      columns = 0;
    }
    ++columns;
    ++words;
    before = word.range.end;
  }
  if (words != 0)
    ends.add(columns, words);
  file.isRagged = !ends.take().empty();
  file.shape = {ends.rows()};
  if (!file.isRagged)
    file.shape.push_back(ends.firstLength());
  file.hasLinesOnly = true;
}

std::optional<WordFile> readTextWords(std::shared_ptr<const SourceBuffer> text, uint64_t maxWords,
                                      Diagnostics &diagnostics) {
  WordFile file{text, {}};
  TokenScanner scan(std::move(text), diagnostics);
  while (!scan.atEnd() && file.words.size() < maxWords) {
    const std::string_view word = scan.scanWord();
    file.words.push_back({std::string(word), scan.lastPlace().range});
  }
  if (scan.atEnd()) {
    setLines(file);
    return file;
  }
  diagnostics.error(scan.endPlace(), "the file has {} words, at most {} are wanted here",
                    maxWords + scan.skipRest(), maxWords);
  return std::nullopt;
}

} // namespace mpf
