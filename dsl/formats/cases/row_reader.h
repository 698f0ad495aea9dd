// A format of lists of cases whose rows are numbered and have known places, so that any thread can
// read any of them. PlacedCases makes a CaseSource of it.
#pragma once

#include "dsl/formats/cases/case_chunk.h"
#include "dsl/formats/cases/row_problems.h"
#include "dsl/support/cases/case_source.h"

#include <cstdint>
#include <string>

namespace mpf {

/// Several threads may read with one object.
class RowReader {
public:
  virtual ~RowReader() = default;

  virtual const std::string &name() const = 0;
  virtual const CaseSchema &schema() const = 0;
  virtual uint64_t rowCount() const = 0;
  /// Rows that are good to read at once.
  virtual uint32_t partRows() const = 0;
  /// As CaseSource::byteRows.
  virtual const ByteRows *byteRows() const { return nullptr; }

  /// Makes rows [row, row + count) of the list the cases of `block` from place `first` on. `bytes`
  /// is memory of the thread. Gives the bad ones, sorted (sortProblems). Throws Error(BadInput) for
  /// rows that cannot be read.
  virtual RowProblems read(uint64_t row, uint32_t count, CaseBlock &block, uint32_t first,
                           ChunkBytes &bytes) const = 0;
};

} // namespace mpf
