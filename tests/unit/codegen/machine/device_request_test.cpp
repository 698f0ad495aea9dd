#include "codegen/machine/device_request.h"

#include "dsl/support/error.h"

#include <gtest/gtest.h>
#include <string>

namespace mpf {
namespace {

/// Describes the answers of a request: open, requires a GPU, excludes it, may use it, prefers it,
/// placement by predicted times.
std::string answersOf(const DeviceRequest &request) {
  std::string text(placementMethodName(request.method()));
  for (const bool answer : {request.isOpen(), request.requiresGpu(), request.excludesGpu(),
                            request.mayUseGpu(), request.prefersGpu(), request.isAuto()})
    text += answer ? " yes" : " no";
  return text;
}

TEST(DeviceRequest, AnswersTheQuestionsOfEveryPairOfWords) {
  EXPECT_EQ(answersOf(deviceRequestOf("auto")), "auto yes no no yes no yes");
  EXPECT_EQ(answersOf(deviceRequestOf("cpu")), "cpu no no yes no no no");
  EXPECT_EQ(answersOf(deviceRequestOf("gpu")), "gpu no yes no yes yes no");
  EXPECT_EQ(answersOf(deviceRequestOf("auto", "cpu")), "cpu yes no no no no no");
  EXPECT_EQ(answersOf(deviceRequestOf("auto", "gpu")), "gpu yes no no yes yes no");
  EXPECT_EQ(answersOf(deviceRequestOf("auto", "greedy")), "greedy yes no no yes yes no");
  EXPECT_EQ(answersOf(deviceRequestOf("cpu", "cpu")), answersOf(deviceRequestOf("cpu")));
  EXPECT_EQ(answersOf(deviceRequestOf("gpu", "gpu")), answersOf(deviceRequestOf("gpu")));
}

TEST(DeviceRequest, RefusesUnknownWordsAndSchedulesThatTheDevicesExclude) {
  const auto errorOf = [](const char *devices, const char *schedule) -> std::string {
    try {
      deviceRequestOf(devices, schedule);
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(errorOf("tpu", "auto"), "unknown device 'tpu': auto, cpu or gpu");
  EXPECT_EQ(errorOf("auto", "fastest"),
            "unknown schedule fastest; known are auto, cpu, gpu, greedy, acceleration");
  for (const char *schedule : {"gpu", "greedy", "acceleration"})
    EXPECT_NE(errorOf("cpu", schedule), "") << schedule;
  for (const char *schedule : {"cpu", "greedy", "acceleration"})
    EXPECT_NE(errorOf("gpu", schedule), "") << schedule;
  EXPECT_EQ(errorOf("cpu", "greedy"), "schedule 'greedy' spreads operations over CPU and GPU, but "
                                      "device is 'cpu': leave it 'auto'");
}

TEST(DeviceRequest, IsReadFromTheWordsThatItWrites) {
  for (const DevicesName &devices : devicesNames())
    for (const PlacementMethodName &method : placementMethods()) {
      const DeviceRequest request{devices.devices, method.method};
      if (!request.isOpen() && method.method != PlacementMethod::Auto)
        continue;
      EXPECT_EQ(deviceRequestOf(request.devicesWord(), placementMethodName(request.spread)),
                request);
    }
}

/// A machine with several devices: placement of both kinds is by the schedule.
TEST(DeviceRequest, NamesSeveralDevices) {
  const DeviceRequest both{{{DeviceKind::Cpu, 0}, {DeviceKind::Gpu, 0}, {DeviceKind::Gpu, 1}},
                           PlacementMethod::Greedy};
  EXPECT_EQ(answersOf(both), "greedy no yes no yes yes no");
  both.check();
  const DeviceRequest gpus{{{DeviceKind::Gpu, 0}, {DeviceKind::Gpu, 1}}};
  EXPECT_EQ(answersOf(gpus), "gpu no yes no yes yes no");
}

} // namespace
} // namespace mpf
