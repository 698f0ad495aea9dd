// Operators new and delete of mpfc, which this program is linked with.
#include "dsl/support/split_mix.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <malloc.h>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace mpf {

namespace {

/// Bytes of memory that the process has now.
size_t residentBytes() {
  size_t all = 0, resident = 0;
  std::FILE *const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%zu %zu", &all, &resident) != 2)
    ADD_FAILURE() << "no /proc/self/statm";
  if (file != nullptr)
    std::fclose(file);
  return resident * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

/// One piece of memory, filled with its own byte.
class Piece {
public:
  Piece(size_t bytes, uint8_t mark)
      : bytes_(bytes), mark_(mark), memory_(static_cast<uint8_t *>(::operator new(bytes))) {
    std::memset(memory_, mark, bytes);
  }
  Piece(Piece &&other) noexcept
      : bytes_(other.bytes_), mark_(other.mark_), memory_(std::exchange(other.memory_, nullptr)) {}
  Piece &operator=(Piece &&other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(mark_, other.mark_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~Piece() { // every other piece by the operator that is not told the size
    mark_ % 2 == 0 ? ::operator delete(memory_) : ::operator delete(memory_, bytes_);
  }
  bool isWhole() const {
    for (size_t i = 0; i < bytes_; ++i)
      if (memory_[i] != mark_)
        return false;
    return reinterpret_cast<uintptr_t>(memory_) % alignof(std::max_align_t) == 0;
  }

private:
  size_t bytes_;
  uint8_t mark_;
  uint8_t *memory_;
};

constexpr size_t kAboveLargest = 600; ///< some pieces are no small blocks

} // namespace

TEST(SmallBlocks, PiecesKeepWhatIsWritten) {
  uint64_t random = 46;
  std::vector<Piece> pieces;
  for (int step = 0; step < 200'000; ++step) {
    if (pieces.size() > 3000 || (!pieces.empty() && nextRandom(random) % 3 == 0)) {
      const size_t at = nextRandom(random) % pieces.size();
      ASSERT_TRUE(pieces[at].isWhole()) << "step " << step;
      pieces[at] = std::move(pieces.back());
      pieces.pop_back();
      continue;
    }
    pieces.emplace_back(nextRandom(random) % kAboveLargest, static_cast<uint8_t>(step));
  }
  for (const Piece &piece : pieces)
    ASSERT_TRUE(piece.isWhole());
}

TEST(SmallBlocks, TheLibraryGivesNone) {
  std::vector<Piece> pieces;
  pieces.reserve(10'000);
  const size_t before = ::mallinfo2().uordblks;
  for (size_t i = 0; i < 10'000; ++i)
    pieces.emplace_back(i % 512, uint8_t{1});
  EXPECT_LT(::mallinfo2().uordblks - before, 10'000U);
}

/// Freed blocks of one size are taken again.
TEST(SmallBlocks, MemoryIsUsedAgain) {
  const size_t before = residentBytes();
  for (int round = 0; round < 100; ++round) {
    std::vector<Piece> pieces;
    for (int i = 0; i < 50'000; ++i)
      pieces.emplace_back(64, uint8_t{7});
  }
  EXPECT_LT(residentBytes() - before, size_t{20} << 20); // a round alone takes 5 MiB
}

/// A thread that only frees hands blocks over to one that only takes.
TEST(SmallBlocks, BlocksGoFromThreadToThread) {
  constexpr int kRounds = 200, kPieces = 20'000;
  const size_t before = residentBytes();
  std::atomic<std::vector<Piece> *> passed = nullptr;
  std::thread frees([&passed] {
    for (int round = 0; round < kRounds; ++round) {
      std::vector<Piece> *pieces = nullptr;
      while ((pieces = passed.exchange(nullptr)) == nullptr)
        std::this_thread::yield();
      EXPECT_TRUE(pieces->front().isWhole() && pieces->back().isWhole());
      delete pieces;
    }
  });
  for (int round = 0; round < kRounds; ++round) {
    auto pieces = std::make_unique<std::vector<Piece>>();
    for (int i = 0; i < kPieces; ++i)
      pieces->emplace_back(48, static_cast<uint8_t>(round));
    while (passed.load() != nullptr)
      std::this_thread::yield();
    passed = pieces.release();
  }
  frees.join();
  EXPECT_LT(residentBytes() - before, size_t{64} << 20); // all pieces take 190 MiB
}

/// Others take what a thread freed, after its end.
TEST(SmallBlocks, ThreadsThatEndLeaveTheirBlocks) {
  const size_t before = residentBytes();
  for (int round = 0; round < 300; ++round)
    std::thread([] {
      std::vector<Piece> pieces;
      for (int i = 0; i < 10'000; ++i)
        pieces.emplace_back(96, uint8_t{3});
    }).join();
  EXPECT_LT(residentBytes() - before, size_t{32} << 20); // all pieces take 280 MiB
}

/// The same holds where a thread took nothing.
TEST(SmallBlocks, ThreadsThatOnlyFreeLeaveTheirBlocks) {
  const size_t before = residentBytes();
  for (int round = 0; round < 300; ++round) {
    std::vector<Piece> pieces;
    for (int i = 0; i < 10'000; ++i)
      pieces.emplace_back(80, uint8_t{3});
    std::thread([&pieces] { pieces.clear(); }).join();
  }
  EXPECT_LT(residentBytes() - before, size_t{32} << 20); // all pieces take 230 MiB
}

} // namespace mpf
