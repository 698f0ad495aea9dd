// Readers of the rows of a .npy file: of a stream in order, of a plain file at any place.
#pragma once

#include "dsl/formats/cases/chunk_reader.h"
#include "dsl/formats/cases/npy_rows.h"
#include "dsl/formats/cases/row_reader.h"
#include "dsl/support/files/input_stream.h"

#include <cstdint>
#include <memory>

namespace mpf {

/// The layout of the rows of an array.
struct NpyLayout {
  uint64_t rows = 0;
  uint64_t columns = 0;
  uint64_t rowBytes = 0;
  uint64_t dataBegin = 0;
  bool byColumns = false; ///< stored one column after the other: only in plain files
};

/// Returns a reader of a stream that is positioned at the first row.
std::unique_ptr<ChunkReader> npyStreamReader(InputStream stream, const NpyLayout &layout,
                                             NpyRows rows);
/// Returns a reader of a plain file, whose size is known.
std::unique_ptr<RowReader> npyFileReader(InputStream stream, const NpyLayout &layout, NpyRows rows);

} // namespace mpf
