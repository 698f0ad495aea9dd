// The interface of a format of lists that is read in order. A reader fetches bytes chunk by chunk
// and parses each chunk independently of the others. ChunkedCases makes a CaseSource of it.
#pragma once

#include "dsl/formats/cases/case_chunk.h"
#include "dsl/source/diagnostic.h"
#include "dsl/support/cases/case_source.h"

#include <optional>
#include <string>

namespace mpf {

/// The place of a chunk that is no longer in memory.
struct ChunkPlace {
  uint64_t firstCase = 0; ///< number of the first case in the list
  uint64_t linesBefore = 0, firstByte = 0, bytes = 0;
  bool isDense = false; ///< each line of the chunk is a row
};

class ChunkReader {
public:
  virtual ~ChunkReader() = default;

  virtual const std::string &name() const = 0;
  virtual const CaseSchema &schema() const = 0;
  virtual std::optional<uint64_t> caseCount() const { return std::nullopt; }
  virtual std::optional<uint64_t> likelyCount() const { return caseCount(); }

  /// Fills the fetched part of `chunk`. Returns false at the end of the list. One thread at a time.
  virtual bool fetch(CaseChunk &chunk) = 0;
  /// Fills the parsed part of `chunk`. Several threads may parse different chunks.
  virtual void parse(CaseChunk &chunk, OnBadRow onBadRow) const = 0;
  /// Returns the message about a bad row. `linesBefore` lines of earlier chunks precede its chunk.
  virtual Diagnostic describe(const BadRow &row, uint64_t linesBefore) const = 0;
  /// Returns the place of row `row` of the chunk (CaseSource::placeOf). Thread-safe.
  virtual CasePlace placeOf(const ChunkPlace &chunk, uint64_t row,
                            const CaseField &field) const = 0;
  /// Cancels reading (CaseSource::cancel).
  virtual void cancel() = 0;
};

} // namespace mpf
