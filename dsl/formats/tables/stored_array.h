// An array as a file has it, with the numbers that only some declarations take.
#pragma once

#include "dsl/model/array_file.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace mpf {

/// A number or line that a declaration may refuse.
struct DoubtfulNumber {
  std::string message; ///< says what is wrong: "expected a number, found 'nan'"
  SourcePlace place{}; ///< empty: the file is no text, or its text is not kept
};

struct StoredArray {
  ArrayFile array;
  std::optional<DoubtfulNumber> missing{}; ///< the first missing number
  std::optional<DoubtfulNumber> far{};     ///< the first number that no double holds
  /// The first empty line of a text before a row: a ragged array may mean an empty row.
  std::optional<DoubtfulNumber> emptyLine{};

  /// Adds the number of entry `at`, which no double holds, with its text and place in the file.
  void addFar(uint64_t at, const ScaledNumber &value, std::string_view text,
              const SourcePlace &place);
};

/// An array of a file of several, with its name.
struct NamedArray {
  std::string name;
  StoredArray stored;
};

/// The bytes of a file, or of a member of an archive, in their order.
struct ByteInput {
  std::string name; ///< for messages
  /// Fills [into, into + size) as far as there are bytes, and returns their number. Throws
  /// Error(BadInput) if they are broken.
  std::function<size_t(char *into, size_t size)> read;
  std::optional<uint64_t> bytes{}; ///< the number of all bytes, if it is known before
};

} // namespace mpf
