// Reads a text of unsigned numbers only (evidence, queries). All numbers are read, with their
// places and lines, before any is used, because the dialect depends on the whole file.
#pragma once

#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace mpf {

struct IntegerList {
  std::shared_ptr<const SourceBuffer> buffer;
  std::vector<uint64_t> values;
  std::vector<uint32_t> offsets; ///< start of each number in the text
  std::vector<size_t> lineHeads; ///< positions in `values` of the first number of each line

  SourcePlace placeOf(size_t position) const;
  bool startsLine(size_t position) const;
  size_t lineCount() const { return lineHeads.size(); } ///< lines with numbers
};

/// Returns all numbers of the text; nothing after reporting a token that is not a whole number of
/// at most 64 bits. `what` names the kind of file in the message. `hint` is added to the first
/// message and describes the contents of such a file. Memory: at most about 6 bytes per byte of
/// text.
std::optional<IntegerList> readIntegerList(std::shared_ptr<const SourceBuffer> buffer,
                                           std::string_view what, std::string_view hint,
                                           Diagnostics &diagnostics);

} // namespace mpf
