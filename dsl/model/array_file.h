// Arrays of numbers and lists of words that come from separate files (dsl/formats/tables).
#pragma once

#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpf {

/// The numbers of an array in row-major order, the last index fastest. They may be infinite: tables
/// of logarithms need that. A missing number is NaN, where the request allows it.
struct ArrayFile {
  /// Lengths of the axes, outermost first; empty: one number. A ragged array has no length of its
  /// last axis here.
  std::vector<uint64_t> shape;
  TableValues values = {};     ///< not null; may be shared with tables
  std::vector<FarValue> far{}; ///< numbers that no double holds; `values` has others there
  /// A ragged array: the end of each row in `values`, one for each index into `shape`. Else empty.
  std::vector<uint64_t> rowEnds{};
  bool isRagged = false;
};

/// The array that a declaration takes from a file.
struct ArrayRequest {
  std::string path;   ///< relative to the working directory
  std::string member; ///< the array or column that file(...) names; empty: none
  /// The name that a file of several arrays is searched for if `member` is empty: that of the param
  /// or variables. Empty: the file must have a single array.
  std::string name{};
  /// The number of axes. Not set: a text with one row or one column is a list, and rows of
  /// different lengths follow each other.
  std::optional<size_t> axes{};
  /// Labels of the last axis: the header of a .csv file may have them in any order.
  std::span<const std::string> labels{};
  uint64_t maxEntries = 0;  ///< a file with more numbers is an error that gives their number
  bool mayMiss = false;     ///< whether '_', an empty cell and NaN are missing numbers
  bool onlyDoubles = false; ///< whether a number that no double holds is an error
};

/// A cell of a text, or a number of an array.
struct FileWord {
  std::string text;     ///< empty: a cell without text
  SourceRange range{};  ///< in WordFile::text
  bool isLabel = false; ///< in quotes, so that it is a label even if it looks like a number
};

/// The words of a file in the order of its text, or of an array in row-major order.
struct WordFile {
  std::shared_ptr<const SourceBuffer> text; ///< null: the file is no text
  std::vector<FileWord> words;
  /// Has the meaning of ArrayFile::shape; the lines of a text and of a .csv file are its rows.
  std::vector<uint64_t> shape{};
  bool isRagged = false;     ///< rows have different lengths: `shape` lacks the last axis
  bool hasLinesOnly = false; ///< the rows are lines of a text, which a long list may need
};

/// The files of one model. Each file is opened and read once, however often it is named. Not
/// thread-safe.
class ArraySource {
public:
  virtual ~ArraySource() = default;

  /// Returns the array; null after an error was reported. `place` is the file's name in the model:
  /// errors about the whole file are there. Errors inside a text are at their place in the text,
  /// with a note at `place`; only the first request that needs the text reports them. Throws
  /// Error(MemoryBound) before it takes more memory than there is.
  virtual std::shared_ptr<const ArrayFile>
  numbers(const ArrayRequest &request, Diagnostics &diagnostics, const SourcePlace &place) = 0;
  /// Returns the words likewise. `axes`, `labels`, `mayMiss` and `onlyDoubles` do not matter.
  virtual std::optional<WordFile> words(const ArrayRequest &request, Diagnostics &diagnostics,
                                        const SourcePlace &place) = 0;
};

} // namespace mpf
