// The words of a file of loci or people, with messages at their places.
#pragma once

#include "dsl/formats/network/line_words.h"
#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace mpf {

/// A cursor over the words of one text. Functions that find an error report it and return nothing
/// or false. Not thread-safe; the sink must outlive the object.
class WordReader {
public:
  WordReader(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics)
      : buffer_(std::move(buffer)), diagnostics_(diagnostics), words_(buffer_) {}

  /// Goes to the next line that has a word and is no comment (`#`). False: there is none.
  bool nextLine();
  /// Takes the next word of the line; its text is empty at the end.
  PlacedText next() { return words_.next(); }
  /// Takes the next word; goes on to the next line where this one ends, as Pascal reads numbers.
  std::optional<PlacedText> nextOfRecord(std::string_view what);
  std::optional<double> number(std::string_view what, double lowest, double highest);
  std::optional<uint64_t> count(std::string_view what, uint64_t lowest, uint64_t highest);

  /// The numbers of `word`, from `lowest` to `highest`.
  std::optional<double> numberOf(const PlacedText &word, std::string_view what, double lowest,
                                 double highest);
  std::optional<uint64_t> countOf(const PlacedText &word, std::string_view what, uint64_t lowest,
                                  uint64_t highest);

  SourceRange end() const { return words_.end(); }
  SourcePlace placeOf(SourceRange range) const { return {buffer_, range}; }
  Diagnostics &diagnostics() { return diagnostics_; }
  /// Reports an error; always false.
  template <class... Args>
  bool error(SourceRange at, fmt::format_string<Args...> format, Args &&...args) {
    diagnostics_.error(placeOf(at), format, std::forward<Args>(args)...);
    return false;
  }
  bool errorWithHint(SourceRange at, std::string message, std::string hint) {
    diagnostics_.report({Severity::Error, placeOf(at), std::move(message), std::move(hint)});
    return false;
  }

private:
  std::shared_ptr<const SourceBuffer> buffer_;
  Diagnostics &diagnostics_;
  LineWords words_;
};

} // namespace mpf
