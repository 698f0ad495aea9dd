// A list of cases whose rows have known places: any thread reads and parses any block of it.
#pragma once

#include "dsl/formats/cases/row_reader.h"
#include "dsl/source/source_buffer.h"
#include "dsl/support/spares.h"

#include <atomic>
#include <exception>
#include <memory>
#include <vector>

namespace mpf {

/// A block is read in parts (RowReader::partRows), each parsed while its bytes are in a core's
/// cache. next() reads on the thread that calls it.
class PlacedCases final : public CaseSource {
public:
  /// `paramPlaces`: by param of the schema, where it is named.
  PlacedCases(std::unique_ptr<RowReader> reader, std::vector<SourcePlace> paramPlaces)
      : reader_(std::move(reader)), paramPlaces_(std::move(paramPlaces)) {}

  const std::string &name() const override { return reader_->name(); }
  const CaseSchema &schema() const override { return reader_->schema(); }
  std::optional<uint64_t> caseCount() const override { return reader_->rowCount(); }
  void begin(const CaseReading &reading) override { onBadRow_ = reading.onBadRow; }
  bool next(CaseBlock &block) override;
  bool hasPlaces() const override { return true; }
  void readAt(uint64_t first, CaseBlock &block, BlockReport &report) const override;
  const ByteRows *byteRows() const override { return reader_->byteRows(); }
  void cancel() override { isCancelled_ = true; }
  CasePlace placeOf(uint64_t number, const CaseField &) const override {
    return {fmt::format("row {}", number), 0, {}, 0, 0};
  }
  [[noreturn]] void failAtParam(size_t param, ErrorKind kind,
                                const std::string &message) const override;

private:
  void readPart(uint64_t row, uint32_t count, CaseBlock &block, BlockReport &report,
                ChunkBytes &bytes) const;

  std::unique_ptr<RowReader> reader_;
  std::vector<SourcePlace> paramPlaces_;
  OnBadRow onBadRow_ = OnBadRow::Stop;
  std::atomic<bool> isCancelled_{false};
  mutable Spares<ChunkBytes> spareBytes_; ///< of parts

  // Of the thread that calls next().
  uint64_t casesGiven_ = 0;
  bool isEnd_ = false;
  std::exception_ptr failure_; ///< why, for the call behind its cases
};

} // namespace mpf
