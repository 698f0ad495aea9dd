// A list of cases whose rows have known places: several threads read and parse parts of the same
// block, each part straight into its place there, while earlier blocks are answered.
#pragma once

#include "dsl/formats/cases/row_reader.h"
#include "dsl/source/source_buffer.h"

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace mpf {

/// As many blocks are in memory as give every thread two parts to read while one block is handed
/// on: kFewestBlocks where blocks are large. A block changes hands without a copy where the
/// caller's has the same shape. Where the system gives no threads, or one is asked for, next()
/// reads into the caller's block.
class PlacedCases final : public CaseSource {
public:
  static constexpr size_t kFewestBlocks = 3;

  /// `paramPlaces`: by param of the schema, where it is named.
  PlacedCases(std::unique_ptr<RowReader> reader, std::vector<SourcePlace> paramPlaces)
      : reader_(std::move(reader)), paramPlaces_(std::move(paramPlaces)) {}
  ~PlacedCases() override;

  const std::string &name() const override { return reader_->name(); }
  const CaseSchema &schema() const override { return reader_->schema(); }
  std::optional<uint64_t> caseCount() const override { return reader_->rowCount(); }
  void begin(const CaseReading &reading) override { reading_ = reading; }
  bool next(CaseBlock &block) override;
  void cancel() override;
  CasePlace placeOf(uint64_t number, size_t) const override {
    return {fmt::format("row {}", number), 0, {}, 0, 0};
  }
  [[noreturn]] void failAtParam(size_t param, ErrorKind kind,
                                const std::string &message) const override;

private:
  /// Rows that one thread reads.
  struct Part {
    uint32_t first = 0, count = 0; ///< of the block
    uint32_t cases = 0;            ///< that it has: those before what ends the list
    RowProblems problems{};
    std::exception_ptr failure{};
  };
  /// A block that is being filled: number n is in slot n % slots_.size().
  struct Slot {
    CaseBlock block;
    uint64_t firstRow = 0;
    std::vector<Part> parts;
    size_t claimed = 0, done = 0; ///< parts, in their order
  };

  void start(uint32_t blockRows);
  void prepare(Slot &slot, uint64_t number) const;
  Slot &slotOf(uint64_t number) { return slots_[number % slots_.size()]; }
  void work();
  Slot *slotToClaim();
  void readPart(uint64_t firstRow, Part &part, CaseBlock &block, ChunkBytes &bytes) const;
  bool endsIn(const Part &part) const;
  void settle(uint64_t firstRow, const Part &part, CaseBlock &block);
  void readHere(CaseBlock &block);
  Slot *awaitBlock();
  void giveCases(CaseBlock &block);

  std::unique_ptr<RowReader> reader_;
  std::vector<SourcePlace> paramPlaces_;
  CaseReading reading_;
  uint32_t blockRows_ = 0; ///< of every block but the last; 0: not started
  uint64_t blocks_ = 0;
  std::vector<std::thread> threads_;

  std::mutex mutex_; ///< guards what follows
  std::condition_variable partIsThere_, blockIsReady_;
  std::vector<Slot> slots_;
  uint64_t claiming_ = 0;    ///< the block whose parts are handed out
  uint64_t taken_ = 0;       ///< the block of next()
  bool isStopping_ = false;  ///< no further part is read
  bool isCancelled_ = false; ///< no further block is given

  // Of the thread that calls next().
  ChunkBytes bytes_;
  uint64_t rowsRead_ = 0; ///< where this thread reads
  bool isOpen_ = false;   ///< block taken_ has come, and some of its cases were not given
  uint32_t at_ = 0;       ///< the next of them
  uint64_t casesGiven_ = 0;
  bool isEnd_ = false;         ///< nothing comes behind the open block
  std::exception_ptr failure_; ///< why, for the call behind its cases
};

} // namespace mpf
