// The text of a file of arrays, and its words.
#pragma once

#include "dsl/formats/tables/stored_array.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace mpf {

/// A file that is read when its text is needed. Not thread-safe.
class ArrayText {
public:
  explicit ArrayText(std::string path) : path_(std::move(path)) {}

  /// Returns the text. Throws Error(BadInput) for a file that cannot be read, and for binary data.
  const std::shared_ptr<const SourceBuffer> &get();
  /// Forgets a text of more than `bytes`; get() reads it again.
  void release(size_t bytes);

private:
  std::string path_;
  std::shared_ptr<const SourceBuffer> text_;
};

/// Sets the shape of the file to the lines in which its words stand. It has a text.
void setLines(WordFile &file);

/// Returns the words between blanks; '#' starts a comment. Returns nothing after reporting that
/// there are more than `maxWords`.
std::optional<WordFile> readTextWords(std::shared_ptr<const SourceBuffer> text, uint64_t maxWords,
                                      Diagnostics &diagnostics);

} // namespace mpf
