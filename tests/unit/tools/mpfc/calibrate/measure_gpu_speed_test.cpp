// The measured parts of the start of a GPU, and the fit to times of runs. The driver is a fake
// (tests/support/fake_cuda.cpp), whose contexts take 200 ms here.
#include "tools/mpfc/calibrate/measure_gpu_speed.h"
#include "tools/mpfc/calibrate/measured_program.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string_view>
#include <vector>

namespace mpf::driver {
namespace {

TEST(OpenGpu, IsMeasuredPartByPart) {
  ::setenv("MPF_FAKE_CUDA_SLOW", "200", 1);
  const OpeningTimes opening = openGpu(calibrationModels());
  ::unsetenv("MPF_FAKE_CUDA_SLOW");
  const auto timeUsOf = [&](std::string_view name) {
    const auto at = std::ranges::find(opening, name, &OpeningTimes::value_type::first);
    return at == opening.end() ? -1 : at->second;
  };
  EXPECT_GE(timeUsOf("context"), 2e5);
  EXPECT_LT(timeUsOf("context"), 4e5) << "once";
  EXPECT_GT(timeUsOf("driver"), 0);
  EXPECT_GT(timeUsOf("modules"), 0);
  EXPECT_GT(timeUsOf("first copy"), 0);
  EXPECT_EQ(timeUsOf("compile"), -1) << "the cache does away with it";
  EXPECT_EQ(timeUsOf("wait"), -1);
  EXPECT_GE(openUsOf(opening), timeUsOf("context") + timeUsOf("driver"));
  EXPECT_LT(openUsOf(opening), 3e6);
}

/// The times follow from a speed that differs from the start of the fit.
TEST(FitGpuSpeed, FindsWhatLaunchesOfSlicesTake) {
  LevelSpeed plannedBy;
  std::vector<GpuWork> works;
  std::vector<CalibrationModel> models = slicedModels();
  const size_t sliced = models.size();
  const std::vector<CalibrationModel> whole = calibrationModels();
  models.insert(models.end(), whole.begin(), whole.begin() + 4);
  for (const CalibrationModel &model : models) {
    const MeasuredProgram program(model, "gpu", 0, 1);
    works.push_back(gpuWork(program.bundle(), plannedBy, {}, JoinLevels::Off));
    double launches = 0;
    for (const OperationWork &operation : works.back().operations)
      launches += operation.sliceLaunches;
    EXPECT_EQ(launches > 0, works.size() <= sliced) << model.model.name;
  }
  GpuSpeed truth;
  truth.sliceLaunchUs = 3 * GpuSpeed().sliceLaunchUs;
  std::vector<GpuObservation> observed;
  for (const GpuWork &work : works)
    observed.push_back({work, gpuRunUs(work, truth)});
  const GpuSpeed fitted = fitGpuSpeed(observed, GpuSpeed());
  EXPECT_GT(fitted.sliceLaunchUs, 1.7 * GpuSpeed().sliceLaunchUs);
  for (const GpuObservation &of : observed)
    EXPECT_NEAR(gpuRunUs(of.work, fitted) / of.timeUs, 1, 0.25);
}

} // namespace
} // namespace mpf::driver
