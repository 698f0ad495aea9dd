#include "dsl/support/system/thread_group.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>

namespace mpf {
namespace {

/// Counts its calls. Copying it for a thread beyond the first `left` ones fails, as if there were
/// no memory for another thread.
class Work {
public:
  Work(std::atomic<int> &calls, int &left) : calls_(&calls), left_(&left) {}
  Work(const Work &other) : calls_(other.calls_), left_(other.left_) {
    if ((*left_)-- <= 0)
      throw std::bad_alloc();
  }
  Work(Work &&) noexcept = default;
  void operator()() const { ++*calls_; }

private:
  std::atomic<int> *calls_;
  int *left_;
};

TEST(ThreadGroup, EachThreadDoesTheWorkOnce) {
  std::atomic<int> calls = 0;
  ThreadGroup group;
  EXPECT_TRUE(group.empty());
  group.start(5, [&] { ++calls; });
  EXPECT_FALSE(group.empty());
  group.join();
  EXPECT_EQ(calls, 5);
  EXPECT_TRUE(group.empty());
}

TEST(ThreadGroup, IsSmallerWhereAThreadCannotBeHad) {
  for (const int given : {0, 1, 3}) {
    std::atomic<int> calls = 0;
    int left = given;
    ThreadGroup group;
    group.start(5, Work(calls, left));
    EXPECT_EQ(group.empty(), given == 0);
    group.join();
    EXPECT_EQ(calls, given);
  }
}

TEST(ThreadGroup, IsJoinedWhenAnErrorLeavesItsScope) {
  std::atomic<int> calls = 0;
  try {
    ThreadGroup group;
    group.start(3, [&] { ++calls; });
    throw std::runtime_error("an error of the caller");
  } catch (const std::runtime_error &) {
  }
  EXPECT_EQ(calls, 3);
}

} // namespace
} // namespace mpf
