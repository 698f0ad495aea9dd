// A format of lists of cases, as far as it concerns one format: how bytes are fetched one chunk
// after the other, and how a chunk is parsed, which needs no other chunk. ChunkedCases makes a
// CaseSource of it.
#pragma once

#include "dsl/formats/cases/case_chunk.h"
#include "dsl/source/diagnostic.h"
#include "dsl/support/cases/case_source.h"

#include <optional>
#include <string>

namespace mpf {

/// Where a chunk was, when it is gone.
struct ChunkPlace {
  uint64_t firstCase = 0; ///< of the list
  uint64_t linesBefore = 0, firstByte = 0, bytes = 0;
  bool isDense = false; ///< each of its lines is a row
};

class ChunkReader {
public:
  virtual ~ChunkReader() = default;

  virtual const std::string &name() const = 0;
  virtual const CaseSchema &schema() const = 0;
  virtual std::optional<uint64_t> caseCount() const { return std::nullopt; }
  virtual std::optional<uint64_t> likelyCount() const { return caseCount(); }

  /// Fills the part of `chunk` that is fetched. False: the list has ended. One thread at a time.
  virtual bool fetch(CaseChunk &chunk) = 0;
  /// Fills the part that is parsed. Several threads may parse different chunks.
  virtual void parse(CaseChunk &chunk, OnBadRow onBadRow) const = 0;
  /// What is wrong with a row of a chunk that `linesBefore` lines of earlier chunks precede.
  virtual Diagnostic describe(const BadRow &row, uint64_t linesBefore) const = 0;
  /// As CaseSource::placeOf, of a row of such a chunk. Thread-safe.
  virtual CasePlace placeOf(const ChunkPlace &chunk, uint64_t row,
                            const CaseField &field) const = 0;
  /// As CaseSource::cancel.
  virtual void cancel() = 0;
};

} // namespace mpf
