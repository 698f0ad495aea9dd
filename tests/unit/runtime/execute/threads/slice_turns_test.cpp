// Threads that take the slices of a loop add their results in the order of one thread, and report
// the failure that one thread would meet first.
#include "runtime/execute/threads/slice_turns.h"

#include "runtime/execute/threads/thread_pool.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

namespace mpf {
namespace {

constexpr uint32_t kSlices = 40;
constexpr size_t kSums = 3;

/// Runs slices of random length, and returns the slices that made each addition, in order. The
/// slices for which `fails` is true throw their number before addition 1.
template <class Fails>
std::vector<std::vector<uint32_t>> addedBy(SliceTurns &turns, size_t threads, Fails fails) {
  std::vector<std::vector<uint32_t>> added(kSums);
  ThreadPool pool(threads);
  pool.run(threads, [&](size_t task, size_t) {
    std::mt19937 random(static_cast<unsigned>(task));
    while (const std::optional<uint32_t> slice = turns.take())
      try {
        for (size_t sum = 0; sum < kSums; ++sum) {
          std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
          if (sum == 1 && fails(*slice))
            throw std::runtime_error(std::to_string(*slice));
          if (!turns.waitFor(*slice, sum))
            break;
          added[sum].push_back(*slice);
          turns.added(sum);
        }
      } catch (...) {
        turns.fail(*slice);
      }
  });
  return added;
}

TEST(SliceTurns, AddInTheOrderOfOneThread) {
  for (const size_t threads : {1, 2, 5}) {
    SliceTurns turns(kSlices, kSums);
    const auto added = addedBy(turns, threads, [](uint32_t) { return false; });
    for (const std::vector<uint32_t> &order : added) {
      EXPECT_EQ(order.size(), kSlices);
      EXPECT_TRUE(std::ranges::is_sorted(order));
    }
    EXPECT_NO_THROW(turns.rethrow());
  }
}

TEST(SliceTurns, TheFirstFailureIsReported) {
  for (const size_t threads : {1, 2, 5})
    for (const uint32_t first : {0, 7, 38}) {
      SliceTurns turns(kSlices, kSums);
      const auto added =
          addedBy(turns, threads, [first](uint32_t slice) { return slice >= first; });
      EXPECT_EQ(added[2].size(), first) << "earlier slices run to their end";
      try {
        turns.rethrow();
        ADD_FAILURE() << "no slice has failed";
      } catch (const std::runtime_error &error) {
        EXPECT_EQ(error.what(), std::to_string(first));
      }
    }
}

} // namespace
} // namespace mpf
