// A GPU that starts in a thread. The driver is a fake (tests/support/fake_cuda.cpp), whose context
// takes a second here.
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/device_start.h"
#include "runtime/execute/gpu/start_times.h"
#include "tests/unit/runtime/execute/gpu/scripted_driver.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string_view>

namespace mpf {
namespace {

class DeviceStarts : public ScriptedDriver {};

double timeUsOf(std::string_view part) {
  for (const auto &[name, timeUs] : startTimes())
    if (name == part)
      return timeUs;
  return 0;
}

/// Runs before the other tests, because a context that is kept stays for these.
TEST_F(DeviceStarts, AndGivesBackWhatWasOnlyExpectedWhenADeviceHasIt) {
  expectDevice();
  awaitDevice();
  const double endUs = timeUsOf("end");
  {
    const CudaDevice device;
    EXPECT_GT(timeUsOf("end"), endUs);
    EXPECT_GT(device.freeBytes(), 0u);
  }
  expectDevice(); // the driver is there
  EXPECT_FALSE(isDeviceHeld());
}

TEST_F(DeviceStarts, WithItsDriverReadyBeforeItsContext) {
  const double contextUs = timeUsOf("context"), endUs = timeUsOf("end");
  ::setenv("MPF_FAKE_CUDA_SLOW", "1000", 1);
  startDevice();
  EXPECT_EQ(CudaDevice::archOf(0), "sm_90");
  EXPECT_EQ(timeUsOf("context"), contextUs) << "it goes on";
  EXPECT_TRUE(isDeviceHeld());
  {
    const CudaDevice device; // waits
    EXPECT_GE(timeUsOf("context") - contextUs, 9e5);
    ::unsetenv("MPF_FAKE_CUDA_SLOW");
    EXPECT_NE(device.context(), nullptr);
    const double givenUs = timeUsOf("end");
    expectDevice();
    EXPECT_EQ(timeUsOf("end"), givenUs);
  }
  EXPECT_TRUE(isDeviceHeld());
  endDevice();
  EXPECT_FALSE(isDeviceHeld());
  EXPECT_GT(timeUsOf("wait"), 0);
  EXPECT_GT(timeUsOf("end"), endUs);
  EXPECT_EQ(CudaDevice::archOf(0), "sm_90");
}

} // namespace
} // namespace mpf
