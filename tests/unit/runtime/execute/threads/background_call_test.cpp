// A call in the background: it runs once, wait() throws its error, and the destructor waits for its
// end.
#include "runtime/execute/threads/background_call.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

namespace mpf {
namespace {

TEST(BackgroundCall, GoesOnWhileTheCallerDoes) {
  std::atomic<bool> isAllowed{false}, isDone{false};
  BackgroundCall call([&] {
    while (!isAllowed)
      std::this_thread::yield();
    isDone = true;
  });
  isAllowed = true; // a call that were made here would never get this far
  call.wait();
  EXPECT_TRUE(isDone);
}

TEST(BackgroundCall, WhoWaitsFindsWhatItHasThrown) {
  BackgroundCall call([] { throw std::runtime_error("nothing came of it"); });
  EXPECT_THROW(call.wait(), std::runtime_error);
}

TEST(BackgroundCall, NobodyHasToAsk) {
  std::atomic<bool> isDone{false};
  {
    const BackgroundCall call([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      isDone = true;
      throw std::runtime_error("nobody asks");
    });
  }
  EXPECT_TRUE(isDone);
}

} // namespace
} // namespace mpf
