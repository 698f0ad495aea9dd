// A list of cases whose rows have known places: any thread may read and parse any block.
#pragma once

#include "dsl/formats/cases/row_reader.h"
#include "dsl/source/source_buffer.h"
#include "dsl/support/spares.h"

#include <atomic>
#include <exception>
#include <memory>
#include <vector>

namespace mpf {

/// A block is read in parts (RowReader::partRows): each part is parsed while its bytes are in the
/// cache of a core. next() reads on the thread that calls it.
class PlacedCases final : public CaseSource {
public:
  /// `paramPlaces`: the place of the column of each param of the schema.
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
  mutable Spares<ChunkBytes> spareBytes_; ///< buffers for parts

  // Used only by the thread that calls next():
  uint64_t casesGiven_ = 0;
  bool isEnd_ = false;
  std::exception_ptr failure_; ///< error at the end, for the call after the last cases
};

} // namespace mpf
