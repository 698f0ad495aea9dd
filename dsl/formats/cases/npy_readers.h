// The rows of a .npy file: of a stream in their order, of a plain file from any place.
#pragma once

#include "dsl/formats/cases/chunk_reader.h"
#include "dsl/formats/cases/npy_rows.h"
#include "dsl/formats/cases/row_reader.h"
#include "dsl/support/files/input_stream.h"

#include <cstdint>
#include <memory>

namespace mpf {

/// What the rows of an array look like.
struct NpyLayout {
  uint64_t rows = 0;
  uint64_t columns = 0;
  uint64_t rowBytes = 0;
  uint64_t dataBegin = 0;
  bool byColumns = false; ///< stored one column after the other: in a plain file only
};

/// `stream` stands where the rows begin.
std::unique_ptr<ChunkReader> npyStreamReader(InputStream stream, const NpyLayout &layout,
                                             NpyRows rows);
/// Of a stream whose size is known.
std::unique_ptr<RowReader> npyFileReader(InputStream stream, const NpyLayout &layout, NpyRows rows);

} // namespace mpf
