// A file of one array or of several with names. Its ending tells the format:
//
//   *.npy       a NumPy array (npy_file.h)
//   *.npz       NumPy arrays in a ZIP archive (zip_archive.h)
//   *.json      numbers and nested arrays (json_arrays.h)
//   *.csv       rows of cells; a first row with a word names the columns (csv_columns.h)
//   *.alist     n, m, checks and bits of a code (alist_file.h)
//   any other   numbers between blanks, where '#' starts a comment (text_table.h)
// Files compressed by gzip, xz or zstd are unpacked, except .npz; .gz, .xz or .zst may follow the
// ending.
#pragma once

#include "dsl/formats/tables/stored_array.h"

#include <memory>
#include <optional>
#include <string>

namespace mpf {

/// An open file. It is read once, or once more for each of the numbers and words of a large text.
/// Not thread-safe.
class ArrayContainer {
public:
  virtual ~ArrayContainer() = default;

  /// Returns the numbers that the request names, in the shape that the file has; later calls return
  /// the same numbers. Null after an error was reported. Throws Error(BadInput) for faults of the
  /// whole file, Error(MemoryBound) if there is not enough memory.
  virtual const StoredArray *numbers(const ArrayRequest &request, Diagnostics &diagnostics,
                                     const SourcePlace &place) = 0;
  /// Returns the words likewise.
  virtual std::optional<WordFile> words(const ArrayRequest &request, Diagnostics &diagnostics,
                                        const SourcePlace &place) = 0;
};

/// Opens a file; throws Error(BadInput) for one that cannot be read.
std::unique_ptr<ArrayContainer> openArrayContainer(const std::string &path);

} // namespace mpf
