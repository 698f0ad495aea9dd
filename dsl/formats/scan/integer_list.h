// A text that is only unsigned numbers (evidence, queries), with the place and line of each, so
// that the dialect can be chosen by looking at the whole file first.
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
  std::vector<uint32_t> offsets; ///< of each number in the text
  std::vector<size_t> lineHeads; ///< ascending positions in `values` that come first on their line

  SourcePlace placeOf(size_t position) const;
  bool startsLine(size_t position) const;
  size_t lineCount() const { return lineHeads.size(); } ///< lines that have numbers
};

/// All numbers of the text. Nothing, and reports, at a token that is none; `what` names the kind
/// of file in the message. Memory: about 6 bytes per byte of text at most.
std::optional<IntegerList> readIntegerList(std::shared_ptr<const SourceBuffer> buffer,
                                           std::string_view what, Diagnostics &diagnostics);

} // namespace mpf
