// Arrays in JSON (RFC 8259): {"A": [[0.9, 0.1], [0.2, 0.8]], "n": 7}, or one array alone.
#pragma once

#include "dsl/formats/tables/stored_array.h"
#include "dsl/model/array_file.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// A value of a file that is a number, a string, null, or nested arrays of these.
struct JsonArray {
  std::string name; ///< empty: the file is this one value
  SourceRange range{};
  bool hasWords = false; ///< strings or truth values stand in it: it has no numbers
  StoredArray stored{};
  std::vector<FileWord> words{}; ///< if the caller wants words
};

/// The part of the values that is kept.
enum class JsonContents { Numbers, Words };

/// Reads all values of a text. null is a missing number. Members that are objects are left out.
/// Each array is as deep everywhere; rows of the last axis may have different lengths. Returns
/// nothing after reporting a text that is no JSON, two members of one name, other arrays, and a
/// number that exceeds all tables. Throws Error(MemoryBound) before it takes more memory than there
/// is.
std::optional<std::vector<JsonArray>> readJsonArrays(std::shared_ptr<const SourceBuffer> text,
                                                     JsonContents contents,
                                                     Diagnostics &diagnostics);

} // namespace mpf
