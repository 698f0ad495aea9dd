// mpfc calibrate: measures how fast this machine runs operations and stores it beside the cache.
#include "dsl/support/error.h"
#include "dsl/support/median.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/api/gpu_backend.h"
#include "runtime/compile/disk_cache.h"
#include "runtime/predict/stored_speed.h"
#include "tools/mpfc/calibrate/measure_cpu_speed.h"
#include "tools/mpfc/calibrate/measure_gpu_speed.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <cmath>

namespace mpf::driver {

namespace {

/// "median 1.12, nine of ten within 1.40": of predicted over measured, whichever way they differ.
std::string errorText(std::vector<double> ratios) {
  for (double &ratio : ratios)
    ratio = std::max(ratio, 1 / ratio);
  std::sort(ratios.begin(), ratios.end());
  return fmt::format(
      "predicted and measured differ by a factor of {:.2f} in the median, of at most "
      "{:.2f} in nine of ten programs",
      median(ratios), ratios[ratios.size() * 9 / 10]);
}

std::string calibrateCpu(std::span<const CalibrationModel> models, unsigned threads,
                         MachineSpeed &speed) {
  speed.cpu = measureCpuSpeed(models, threads);
  std::string text;
  for (const unsigned used : {1u, threads}) {
    text += fmt::format("cpu, {}: {}\n", counted(used, "thread", "threads"),
                        errorText(cpuPredictedOverMeasured(models, speed.cpu, used)));
    if (threads == 1)
      break;
  }
  return text;
}

std::string calibrateGpu(std::span<const CalibrationModel> models, MachineSpeed &speed) {
  if (const std::string reason = gpuBackendUnavailable(); !reason.empty())
    return fmt::format("gpu: not measured: {}\n", reason);
  const std::vector<GpuObservation> observed = observeGpu(models);
  speed.gpu = measureGpuSpeed(observed);
  std::vector<double> ratios;
  for (const GpuObservation &of : observed)
    ratios.push_back(gpuRunUs(of.bundle, speed.gpu) / of.timeUs);
  return fmt::format("gpu: {}\n", errorText(ratios));
}

} // namespace

int runCalibrate(const Options &options) {
  const std::vector<CalibrationModel> models = calibrationModels();
  MachineSpeed speed = storedSpeed();
  std::string text = machineIdentity() + '\n';
  if (options.device != "gpu")
    text += calibrateCpu(models, static_cast<unsigned>(threadCount(options.threads)), speed);
  if (options.device != "cpu")
    text += calibrateGpu(models, speed);
  if (!storeSpeed(speed))
    fail(ErrorKind::BadInput, "the measured speed cannot be stored in {}: {}", DiskCache().folder(),
         DiskCache().fault());
  writeResult(options, text + speedJson(speed));
  return 0;
}

} // namespace mpf::driver
