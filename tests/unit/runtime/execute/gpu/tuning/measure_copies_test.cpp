// Measured copies to and from a fake GPU (tests/support/fake_cuda.cpp). Its calls and copies take
// known times, which CTest sets (MPF_FAKE_CUDA_TIME).
#include "runtime/execute/gpu/tuning/measure_copies.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace mpf {
namespace {

TEST(MeasureCopies, FindsWhatTheyTake) {
  const char *time = std::getenv("MPF_FAKE_CUDA_TIME");
  if (time == nullptr)
    GTEST_SKIP() << "run by CTest, which names the driver and its times";
  ASSERT_EQ(time, std::string("20000:8000:0")) << "nanoseconds a call, bytes a microsecond";
  const CudaDevice device;
  const CopySpeed speed = measureCopies(device);
  EXPECT_NEAR(speed.bytesPerUs, 8000, 1600);
  EXPECT_NEAR(speed.copyUs, 20, 8) << "a call";
  EXPECT_NEAR(speed.groupUs, 80, 30) << "four more: two marks set, two awaited";
}

} // namespace
} // namespace mpf
