// mpfc calibrate: measures how fast this machine runs operations and stores it beside the cache.
#include "codegen/machine/machine_text.h"
#include "dsl/support/check.h"
#include "dsl/support/median.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/choose/this_machine.h"
#include "runtime/compile/disk_cache.h"
#include "runtime/machine/gpu_backend.h"
#include "runtime/machine/machine_identity.h"
#include "runtime/machine/stored_speed.h"
#include "tools/mpfc/calibrate/measure_cpu_speed.h"
#include "tools/mpfc/calibrate/measure_gpu_speed.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/options/check_options.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace mpf::driver {

namespace {

/// Describes the ratios of predicted to measured time: the median and the worst of nine in ten,
/// with errors in both directions counted alike, and then each ratio.
std::string errorText(const std::vector<double> &ratios) {
  std::vector<double> errors;
  std::string each;
  for (const double ratio : ratios) {
    errors.push_back(std::max(ratio, 1 / ratio));
    each += fmt::format(" {:.2f}", ratio);
  }
  std::sort(errors.begin(), errors.end());
  return fmt::format(
             "predicted and measured time differ by a factor of {:.2f} in the median, of at "
             "most {:.2f} in nine of ten programs\n ",
             median(errors), errors[errors.size() * 9 / 10]) +
         each;
}

/// Says what is measured and how long it takes: nothing else is printed until the end.
void sayMeasuring(std::string_view what, std::string_view duration) {
  say("mpfc: note: measuring the {}, which takes {}\n", what, duration);
}

std::string calibrateCpu(std::span<const CalibrationModel> models, unsigned threads,
                         MachineSpeed &speed) {
  sayMeasuring("CPU", "one to three minutes");
  const MemoryPrice memory = speed.cpu.memory;
  speed.cpu = measureCpuSpeed(models, threads);
  speed.cpu.memory = memory;
  std::string text;
  for (const unsigned used : {1u, threads}) {
    text += fmt::format("cpu, {}: {}\n", counted(used, "thread", "threads"),
                        errorText(cpuPredictedOverMeasured(models, speed.cpu, used)));
    if (threads == 1)
      break;
  }
  return text;
}

/// Lists the measured times; each is a part of GpuSpeed::openUs.
std::string openingText(const OpeningTimes &opening) {
  std::string text = fmt::format("gpu: opening takes {:.1f} ms:", openUsOf(opening) / 1000);
  for (const auto &[part, timeUs] : opening)
    text += fmt::format("{} {} {:.1f}", text.back() == ':' ? "" : ",", part, timeUs / 1000);
  return text + '\n';
}

std::string calibrateGpu(std::span<const CalibrationModel> models, MachineSpeed &speed) {
  sayMeasuring("GPU", "up to a minute");
  const OpeningTimes opening = openGpu(models); // before anything else has opened it
  const std::vector<GpuObservation> observed = observeGpu(models);
  speed.gpu = measureGpuSpeed(observed, opening);
  std::vector<double> ratios;
  for (const GpuObservation &of : observed)
    ratios.push_back(gpuRunUs(of.work, speed.gpu) / of.timeUs);
  return fmt::format("gpu: {}\n{}", errorText(ratios), openingText(opening));
}

/// Measures the machine's GPU if the options do not name it. A GPU that cannot be measured is left
/// out.
std::string calibrateGpuIfThere(std::span<const CalibrationModel> models, MachineSpeed &speed) {
  std::string reason = gpuBackendUnavailable();
  if (reason.empty())
    try {
      return calibrateGpu(models, speed);
    } catch (const Error &error) {
      if (error.kind() != ErrorKind::Device && error.kind() != ErrorKind::MemoryBound)
        throw;
      reason = error.what();
    }
  return fmt::format("gpu: not measured: {}\n", reason);
}

[[noreturn]] void failToStore() {
  const DiskCache cache;
  const std::string fault = cache.fault();
  fail(ErrorKind::BadInput, "the measured speed cannot be stored in {}: {}", cache.folder(),
       fault.empty() ? "it cannot be written to" : fault);
}

int showMachine(const Options &options) {
  for (const char *name : {"--device", "--threads"})
    if (isGiven(options, name))
      fail(ErrorKind::Usage, "--show measures nothing: leave out {}", name);
  const std::shared_ptr<KnownMachine> machine = thisMachine(CompileSettings());
  writeResult(options, printMachine(*machine->known(MachineDetail::Devices)));
  return 0;
}

} // namespace

int runCalibrate(const Options &options) {
  if (options.showMachine)
    return showMachine(options);
  if (!canStoreSpeed())
    failToStore();
  if (options.devices.gpuNumber() != 0)
    fail(ErrorKind::Usage,
         "--device {}: the first GPU is measured, and its speed is used for all; let "
         "CUDA_VISIBLE_DEVICES name another",
         options.devices.devicesWord());
  if (options.devices.requiresGpu())
    if (const std::string reason = gpuBackendUnavailable(); !reason.empty())
      fail(ErrorKind::Device, "the GPU was not measured: {}", reason);
  const std::vector<CalibrationModel> models = calibrationModels();
  lookOnce(); // the price of memory, and the CPU if only the GPU is measured
  MachineSpeed speed = storedSpeed();
  std::string text = machineIdentity() + '\n';
  if (!options.devices.requiresGpu())
    text += calibrateCpu(models, static_cast<unsigned>(threadCount(options.threads)), speed);
  if (options.devices.requiresGpu())
    text += calibrateGpu(models, speed);
  else if (options.devices.isOpen())
    text += calibrateGpuIfThere(models, speed);
  if (!storeSpeed(speed))
    failToStore();
  writeResult(options, text + speedJson(speed));
  return 0;
}

} // namespace mpf::driver
