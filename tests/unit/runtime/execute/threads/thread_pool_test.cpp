// The thread pool: all tasks run once, and threads start only for work; failures; many short
// rounds.
#include "runtime/execute/threads/thread_pool.h"

#include <atomic>
#include <filesystem>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace mpf {
namespace {

size_t threadsOfProcess() {
  size_t count = 0;
  for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator("/proc/self/task"))
    ++count;
  return count;
}

TEST(ThreadPool, StartsThreadsForWorkOnly) {
  std::thread([] {}).join(); // a sanitizer starts a further thread with the first
  const size_t before = threadsOfProcess();
  ThreadPool pool(8);
  EXPECT_EQ(pool.threadCount(), 8u);
  EXPECT_EQ(threadsOfProcess(), before);
  std::atomic<int> done{0};
  pool.run(1, [&](size_t, size_t worker) {
    EXPECT_EQ(worker, 0u);
    ++done;
  });
  EXPECT_EQ(threadsOfProcess(), before);
  pool.run(3, [&](size_t, size_t) { ++done; });
  EXPECT_EQ(threadsOfProcess(), before + 2);
  pool.run(100, [&](size_t, size_t worker) {
    EXPECT_LT(worker, 8u);
    ++done;
  });
  EXPECT_EQ(threadsOfProcess(), before + 7);
  EXPECT_EQ(done, 104);
}

TEST(ThreadPool, DoesEachTaskOnceRoundAfterRound) {
  ThreadPool pool(5);
  for (size_t round = 0; round < 3000; ++round) {
    std::vector<std::atomic<int>> done(round % 12);
    pool.run(done.size(), [&](size_t index, size_t) { ++done[index]; });
    for (const std::atomic<int> &count : done)
      ASSERT_EQ(count, 1);
  }
}

TEST(ThreadPool, RethrowsAndGoesOn) {
  ThreadPool pool(4);
  for (int round = 0; round < 50; ++round) {
    EXPECT_THROW(pool.run(20,
                          [](size_t index, size_t) {
                            if (index == 7)
                              throw std::runtime_error("seven");
                          }),
                 std::runtime_error);
    std::atomic<int> done{0};
    pool.run(20, [&](size_t, size_t) { ++done; });
    EXPECT_EQ(done, 20);
  }
}

/// A second caller does not wait for the first: it does its tasks alone.
TEST(ThreadPool, HasSeveralCallers) {
  ThreadPool pool(3);
  std::atomic<bool> isFirstInside{false}, mayFirstEnd{false};
  std::atomic<int> first{0};
  std::thread caller([&] {
    pool.run(4, [&](size_t, size_t) {
      isFirstInside = true;
      while (!mayFirstEnd)
        std::this_thread::yield();
      ++first;
    });
  });
  while (!isFirstInside)
    std::this_thread::yield();
  int second = 0; // by one thread
  pool.run(100, [&](size_t, size_t worker) {
    EXPECT_EQ(worker, 0u);
    ++second;
  });
  EXPECT_EQ(second, 100);
  EXPECT_THROW(pool.run(2, [](size_t, size_t) { throw std::runtime_error("second"); }),
               std::runtime_error);
  mayFirstEnd = true;
  caller.join();
  EXPECT_EQ(first, 4);
}

} // namespace
} // namespace mpf
