// The interface of a format of lists whose rows have known places, so that any thread can read any
// of them. PlacedCases makes a CaseSource of it.
#pragma once

#include "dsl/formats/cases/case_chunk.h"
#include "dsl/formats/cases/row_problems.h"
#include "dsl/support/cases/case_source.h"

#include <cstdint>
#include <string>

namespace mpf {

/// A reader of rows. Several threads may use one object.
class RowReader {
public:
  virtual ~RowReader() = default;

  virtual const std::string &name() const = 0;
  virtual const CaseSchema &schema() const = 0;
  virtual uint64_t rowCount() const = 0;
  /// The number of rows that should be read at once.
  virtual uint32_t partRows() const = 0;
  /// The rows as plain bytes of states (CaseSource::byteRows); null: they are not.
  virtual const ByteRows *byteRows() const { return nullptr; }

  /// Reads rows [row, row + count) of the list into `block` from place `first` on. `bytes` is a
  /// buffer of the calling thread. Returns the problems of bad rows, sorted (sortProblems). Throws
  /// Error(BadInput) for rows that cannot be read.
  virtual RowProblems read(uint64_t row, uint32_t count, CaseBlock &block, uint32_t first,
                           ChunkBytes &bytes) const = 0;
};

} // namespace mpf
