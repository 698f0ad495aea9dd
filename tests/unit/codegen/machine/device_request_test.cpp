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
  EXPECT_EQ(errorOf("tpu", "auto"),
            "unknown device 'tpu': auto, cpu, gpu, or gpu:N for the GPU with number N");
  EXPECT_EQ(errorOf("auto", "fastest"),
            "unknown schedule fastest; known are auto, cpu, gpu, greedy, acceleration");
  for (const char *schedule : {"gpu", "greedy", "acceleration"})
    EXPECT_NE(errorOf("cpu", schedule), "") << schedule;
  for (const char *schedule : {"cpu", "greedy", "acceleration"})
    EXPECT_NE(errorOf("gpu", schedule), "") << schedule;
  EXPECT_EQ(errorOf("cpu", "greedy"), "schedule 'greedy' spreads operations over CPU and GPU, but "
                                      "device is 'cpu': leave it 'auto'");
}

TEST(DeviceRequest, NamesAGpuByItsNumber) {
  EXPECT_EQ(deviceRequestOf("gpu"), deviceRequestOf("gpu:0"));
  EXPECT_EQ(deviceRequestOf("gpu:12"), DeviceRequest::gpu(12));
  EXPECT_EQ(deviceRequestOf("gpu:12").gpuNumber(), 12u);
  EXPECT_EQ(deviceRequestOf("gpu:12").devicesWord(), "gpu:12");
  EXPECT_EQ(answersOf(deviceRequestOf("gpu:1")), answersOf(deviceRequestOf("gpu")));
  EXPECT_EQ(deviceRequestOf("auto").gpuNumber(), 0u);
  for (const char *word :
       {"gpu:", "gpu:x", "gpu:-1", "gpu: 1", "gpu:1,2", "gpu:99999999999", "cpu:0"})
    EXPECT_FALSE(devicesNamed(word)) << word;
}

TEST(DeviceId, HasANameThatSaysWhichOfSeveral) {
  EXPECT_EQ(deviceName(DeviceId::cpu()), "cpu");
  EXPECT_EQ(deviceName(DeviceId::gpu(0)), "gpu");
  EXPECT_EQ(deviceName(DeviceId::gpu(0), true), "gpu:0");
  EXPECT_EQ(deviceName(DeviceId::gpu(1)), "gpu:1");
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
