// A list of cases whose chunks are parsed by several threads and returned in order.
#pragma once

#include "dsl/formats/cases/chunk_reader.h"
#include "dsl/support/system/thread_group.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace mpf {

/// At most two chunks for each thread are in memory. next() itself parses if one thread is
/// requested or the system starts no threads.
class ChunkedCases final : public CaseSource {
public:
  /// `paramPlaces`: the place of the column of each param of the schema.
  ChunkedCases(std::unique_ptr<ChunkReader> reader, std::vector<SourcePlace> paramPlaces)
      : reader_(std::move(reader)), paramPlaces_(std::move(paramPlaces)) {}
  ~ChunkedCases() override;

  const std::string &name() const override { return reader_->name(); }
  const CaseSchema &schema() const override { return reader_->schema(); }
  std::optional<uint64_t> caseCount() const override { return reader_->caseCount(); }
  std::optional<uint64_t> likelyCount() const override { return reader_->likelyCount(); }
  void begin(const CaseReading &reading) override;
  bool next(CaseBlock &block) override;
  void cancel() override;
  CasePlace placeOf(uint64_t number, const CaseField &field) const override;
  [[noreturn]] void failAtParam(size_t param, ErrorKind kind,
                                const std::string &message) const override;

private:
  struct Slot {
    CaseChunk chunk;
    bool isReady = false;
    bool isEnd = false; ///< the list ends before this chunk
    std::exception_ptr failure;
  };

  void startThreads();
  void work();
  void fillHere(Slot &slot);
  Slot &awaitSlot();
  void closeChunk();
  void keepPlace(uint64_t firstCase);
  [[noreturn]] void failAtBadRow(const CaseChunk &chunk) const;

  std::unique_ptr<ChunkReader> reader_;
  std::vector<SourcePlace> paramPlaces_;
  mutable std::mutex placing_;    ///< guards places_, to which next() adds
  std::deque<ChunkPlace> places_; ///< places of the last chunks: blocks may come from them
  CaseReading reading_;
  bool isStarted_ = false;
  ThreadGroup threads_;

  std::mutex fetching_; ///< held by the thread that fetches
  std::mutex mutex_;    ///< guards the following fields up to isStopping_
  std::condition_variable slotIsFree_, slotIsReady_;
  std::vector<Slot> slots_; ///< chunk number n is in slot n % size
  uint64_t fetched_ = 0;    ///< number of the next chunk to be fetched
  uint64_t taken_ = 0;      ///< number of the chunk that next() is in
  bool isStopping_ = false;

  // Used only by the thread that calls next():
  Slot *open_ = nullptr; ///< the chunk that next() is in
  uint32_t at_ = 0;      ///< the next case of that chunk
  uint64_t linesBefore_ = 0, casesGiven_ = 0;
};

} // namespace mpf
