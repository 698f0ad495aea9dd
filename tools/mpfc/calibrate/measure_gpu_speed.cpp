#include "tools/mpfc/calibrate/measure_gpu_speed.h"

#include "codegen/kernel/form/target.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/predict/predict_gpu.h"
#include "tools/mpfc/calibrate/measured_program.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

namespace mpf::driver {

namespace {

/// The parts that count, by their names in runtime/execute/gpu/start_times.h.
constexpr std::string_view kOpeningParts[] = {"driver", "context", "modules", "memory",
                                              "first copy"};

constexpr double kFewRuns = 100, kManyRuns = 1e5; ///< runs over which kernels must pay
constexpr double kLeastCopyUs = 0.5; ///< time of copies that are shorter than the clock's noise

double GpuSpeed::*const kFigures[] = {&GpuSpeed::launchUs,       &GpuSpeed::waitUs,
                                      &GpuSpeed::stepUs,         &GpuSpeed::termFactor,
                                      &GpuSpeed::residentBlocks, &GpuSpeed::kernelFactor,
                                      &GpuSpeed::superstepUs,    &GpuSpeed::linesPerUs,
                                      &GpuSpeed::bytesPerUs,     &GpuSpeed::sliceLaunchUs};

/// Weight that keeps figures near `start` if the programs hardly distinguish them (ridge
/// regression).
constexpr double kRidge = 0.1;

double errorOf(std::span<const GpuObservation> observed, const GpuSpeed &speed,
               const GpuSpeed &start) {
  double sum = 0;
  for (double GpuSpeed::*const figure : kFigures) {
    const double change = std::log(speed.*figure / start.*figure);
    sum += kRidge * change * change;
  }
  for (const GpuObservation &of : observed) {
    const double error = std::log(gpuRunUs(of.work, speed) / of.timeUs);
    sum += error * error;
  }
  return sum;
}

using Clock = std::chrono::steady_clock;

template <class Work> double leastUs(const Work &work) {
  double least = 1e18;
  for (int i = 0; i < 9; ++i) {
    const Clock::time_point start = Clock::now();
    work();
    least =
        std::min(least, std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  return least;
}

/// Measures copies of a program's smallest and largest result to the device, as in a run that needs
/// them there. The host's call returns while the table is still being copied.
void measureUploads(GpuSpeed &speed) {
  const std::vector<CalibrationModel> models = calibrationModels();
  const CalibrationModel &wide = models[5];
  MeasuredProgram program(wide, "gpu", 0, kFewRuns);
  const Bundle &bundle = program.bundle();
  size_t small = SIZE_MAX, large = SIZE_MAX;
  for (size_t i = 0; i < bundle.buffers.size(); ++i) {
    if (bundle.buffers[i].input)
      continue;
    if (small == SIZE_MAX || bundle.buffers[i].sizeElems < bundle.buffers[small].sizeElems)
      small = i;
    if (large == SIZE_MAX || bundle.buffers[i].sizeElems > bundle.buffers[large].sizeElems)
      large = i;
  }
  const auto copyUs = [&](size_t buffer) {
    const uint64_t elems = bundle.buffers[buffer].sizeElems;
    const std::vector<std::byte> bytes(elems * elementBytes(bundle.type));
    const GivenTable given{BufferId(buffer), {bundle.type, {}, elems, bytes.data(), nullptr}};
    const auto waitForAll = [&] { program.executor().run({}, {}); };
    waitForAll();
    const double waitUs = leastUs(waitForAll);
    const double timeUs = leastUs([&] {
      program.executor().setTables({&given, 1});
      waitForAll();
    });
    return std::max(timeUs - waitUs, kLeastCopyUs);
  };
  const double smallUs = copyUs(small), largeUs = copyUs(large);
  const double bytes = static_cast<double>(bundle.buffers[large].sizeElems) *
                       static_cast<double>(elementBytes(bundle.type));
  speed.uploadUs = smallUs;
  if (largeUs > smallUs)
    speed.copyBytesPerUs = bytes / (largeUs - smallUs);
}

} // namespace

double gpuRunUs(const GpuWork &work, const GpuSpeed &speed) {
  double timeUs = speed.superstepUs;
  for (const double operationUs : predictGpu(work, speed))
    timeUs += operationUs;
  return timeUs;
}

std::vector<GpuObservation> observeGpu(std::span<const CalibrationModel> models) {
  LevelSpeed speed;
  speed.multiprocessors = targetNamed(gpuBackendArch()).smCount;
  std::vector<GpuObservation> observed;
  for (const CalibrationModel &model : models)
    for (const double runs : {kFewRuns, kManyRuns}) {
      MeasuredProgram apart(model, "gpu", 0, runs, "off");
      observed.push_back(
          {gpuWork(apart.bundle(), speed, {}, JoinLevels::Off), apart.runMedianUs()});
      GpuWork joined = gpuWork(apart.bundle(), speed, {}, JoinLevels::On);
      if (joined.launches.size() == observed.back().work.launches.size())
        continue;
      MeasuredProgram resident(model, "gpu", 0, runs, "on");
      observed.push_back({std::move(joined), resident.runMedianUs()});
    }
  for (const CalibrationModel &model : slicedModels()) {
    MeasuredProgram sliced(model, "gpu", 0, kFewRuns, "off");
    observed.push_back(
        {gpuWork(sliced.bundle(), speed, {}, JoinLevels::Off), sliced.runMedianUs()});
  }
  return observed;
}

GpuSpeed fitGpuSpeed(std::span<const GpuObservation> observed, const GpuSpeed &start) {
  GpuSpeed best = start;
  double error = errorOf(observed, best, start);
  for (double step = 2; step > 1.02; step = std::sqrt(step))
    for (bool better = true; better;) {
      better = false;
      for (double GpuSpeed::*const figure : kFigures)
        for (const double factor : {step, 1 / step}) {
          GpuSpeed next = best;
          next.*figure *= factor;
          if (const double nextError = errorOf(observed, next, start);
              nextError < error * (1 - 1e-9)) {
            best = next;
            error = nextError;
            better = true;
          }
        }
    }
  return best;
}

OpeningTimes openGpu(std::span<const CalibrationModel> models) {
  startGpuBackend(); // as mpfc run does; otherwise the planner would open and release it first
  MeasuredProgram(models.front(), "gpu", 0, kFewRuns).executor().run({}, {});
  OpeningTimes opening;
  for (const auto &[part, timeUs] : gpuBackendStartTimes())
    if (std::ranges::find(kOpeningParts, part) != std::end(kOpeningParts))
      opening.emplace_back(part, timeUs);
  endGpuBackend();
  return opening;
}

double openUsOf(const OpeningTimes &opening) {
  double sumUs = 0;
  for (const auto &[part, timeUs] : opening)
    sumUs += timeUs;
  return sumUs;
}

GpuSpeed measureGpuSpeed(std::span<const GpuObservation> observed, const OpeningTimes &opening) {
  GpuSpeed speed;
  speed.openUs = openUsOf(opening);
  speed.multiprocessors = targetNamed(gpuBackendArch()).smCount;
  speed.copies = measureGpuCopies();
  measureUploads(speed);
  return fitGpuSpeed(observed, speed);
}

} // namespace mpf::driver
