#include "runtime/machine/machine_speed.h"

#include "codegen/bundle/json_value.h"
#include "codegen/machine/speed_fields.h"
#include "dsl/support/check.h"

#include <utility>

namespace mpf {

namespace {

// Names and members, for both writing and reading.

template <class Rates, class Visit> void forEngines(Rates &engines, const Visit &visit) {
  visit("lane_cpu_f64_per_us", engines.cpuLanes.f64PerUs);
  visit("lane_cpu_f32_per_us", engines.cpuLanes.f32PerUs);
  visit("lane_cpu_far_f64_per_us", engines.cpuLanes.farF64PerUs);
  visit("lane_cpu_far_f32_per_us", engines.cpuLanes.farF32PerUs);
  visit("lane_cpu_wide_per_us", engines.cpuLanes.widePerUs);
  visit("lane_cpu_case_us", engines.cpuLanes.caseUs);
  visit("lane_cpu_answer_us", engines.cpuLanes.answerUs);
  visit("lane_gpu_team_step_us", engines.gpuLanes.teamStepUs);
  visit("lane_gpu_far_wait_us", engines.gpuLanes.farWaitUs);
  visit("lane_gpu_near_wait_us", engines.gpuLanes.nearWaitUs);
  visit("lane_gpu_decoded_state_us", engines.gpuLanes.decodedStateUs);
  visit("lane_gpu_whole_warp_waits", engines.gpuLanes.wholeWarpWaits);
  visit("lane_gpu_issued_share", engines.gpuLanes.issuedShare);
  visit("lane_gpu_threads_of_sm", engines.gpuLanes.threadsOfSm);
  visit("lane_gpu_emitted_gain", engines.gpuLanes.emittedGain);
  visit("planning_program_us", engines.planning.programUs);
  visit("planning_factor_us", engines.planning.factorUs);
  visit("planning_marginals", engines.planning.marginals);
  visit("planning_lanes", engines.planning.lanes);
  visit("case_run_bind_us_per_byte", engines.runs.bindUsPerByte);
  visit("case_run_table_us", engines.runs.tableUs);
  visit("case_run_read_us_per_elem", engines.runs.readUsPerElem);
  visit("case_run_least_us", engines.runs.leastRunUs);
  visit("case_run_trace_us_per_entry", engines.runs.traceUsPerEntry);
}

[[noreturn]] void reject(const std::string &what) {
  fail(ErrorKind::BadInput, "speed of a machine: {}", what);
}

JsonValue memberOf(const JsonValue &object, const char *name) {
  const std::optional<JsonValue> value = object.member(name);
  if (!value)
    reject(fmt::format("'{}' is missing", name));
  return *value;
}

double numberOf(const JsonValue &value, const char *name) {
  const std::optional<double> number = value.number();
  if (!number || !(*number >= 0))
    reject(fmt::format("'{}' is not a number from 0 on", name));
  return *number;
}

TimeCurve curveOf(const JsonValue &list, const char *name) {
  std::vector<double> numbers; // model, time, model, time, ...
  list.forItems([&](const JsonValue &item) { numbers.push_back(numberOf(item, name)); });
  std::vector<TimePoint> points;
  for (size_t i = 0; i + 1 < numbers.size(); i += 2)
    points.push_back({numbers[i], numbers[i + 1]});
  TimeCurve curve(std::move(points));
  if (!list.isList() || numbers.size() % 2 != 0 || !curve.isSound())
    reject(fmt::format("'{}' is not a curve", name));
  return curve;
}

} // namespace

Machine machineOf(const MachineSpeed &speed, uint32_t gpus) {
  Machine machine;
  machine.devices.push_back({.state = DeviceState::Present, .speed = speed.cpu});
  for (uint32_t number = 0; number < gpus; ++number)
    machine.devices.push_back(
        {.id = DeviceId::gpu(number), .openUs = speed.gpu.openUs, .speed = speed.gpu});
  return machine;
}

MachineSpeed shippedSpeed() {
  // CPU: geometric mean of one core of an AMD EPYC and one of an Intel Xeon, both with AVX-512;
  // their times differ by a factor of two. GPU: an H200. results/2026-11-27-predictions.md.
  MachineSpeed speed;
  speed.cpu.entries = TimeCurve({{0.004, 0.037},
                                 {0.012, 0.044},
                                 {0.036, 0.062},
                                 {0.13, 0.11},
                                 {0.34, 0.27},
                                 {1, 0.87},
                                 {2, 1.5}});
  speed.cpu.rows = TimeCurve({{0.49, 1.5},
                              {1, 1.5},
                              {3.2, 5.1},
                              {8.8, 11},
                              {32, 44},
                              {120, 210},
                              {260, 420},
                              {940, 1400},
                              {4700, 8800}});
  speed.cpu.tiles = TimeCurve(
      {{0.42, 0.72}, {1, 1.3}, {4.5, 4.6}, {7.9, 6.4}, {28, 25}, {160, 100}, {1000, 790}});
  speed.cpu.compiled = TimeCurve({{0.041, 0.12},
                                  {0.12, 0.22},
                                  {0.33, 0.54},
                                  {1.3, 1.6},
                                  {3.3, 4.9},
                                  {8.8, 12},
                                  {60, 82},
                                  {350, 400},
                                  {1400, 1500}});
  speed.cpu.logs = TimeCurve({{0.048, 0.24},
                              {0.14, 0.39},
                              {0.38, 0.74},
                              {0.77, 1.7},
                              {3.1, 5.9},
                              {6.1, 5.9},
                              {48, 13},
                              {74, 22}});
  speed.cpu.integers = TimeCurve({{0.012, 0.1},
                                  {0.048, 0.18},
                                  {0.096, 0.23},
                                  {0.26, 0.34},
                                  {1.2, 1.1},
                                  {2.4, 1.5},
                                  {5.8, 3.4}});
  // Pages of 2 MiB take 0.1 to 0.9 ms on these machines.
  speed.cpu.memory = {.largeTouchUs = 300, .smallTouchUs = 0.5, .cacheBytes = 32 << 20};
  return speed;
}

std::string speedJson(const MachineSpeed &speed) {
  std::string text = "{";
  forCurves(speed.cpu, [&](const char *name, const TimeCurve &curve) {
    text += fmt::format("\n  \"{}\": [", name);
    for (const TimePoint &point : curve.points())
      text += fmt::format("{}{}, {}", text.back() == '[' ? "" : ", ", point.modelUs, point.timeUs);
    text += "],";
  });
  const auto write = [&](const char *name, double value) {
    text += fmt::format("\n  \"{}\": {},", name, value);
  };
  forCpuNumbers(speed.cpu, write);
  forGpuNumbers(speed.gpu, write);
  forEngines(speed.engines, write);
  return text + fmt::format("\n  \"gpu_multiprocessors\": {}\n}}\n", speed.gpu.multiprocessors);
}

MachineSpeed speedFromJson(const std::string &text) {
  const std::optional<JsonDocument> document = JsonDocument::parse(text);
  if (!document)
    reject("this is not JSON");
  const JsonValue root = document->root();
  MachineSpeed speed;
  forCurves(speed.cpu, [&](const char *name, TimeCurve &curve) {
    curve = curveOf(memberOf(root, name), name);
  });
  const auto read = [&](const char *name, double &value) {
    value = numberOf(memberOf(root, name), name);
  };
  forCpuNumbers(speed.cpu, read);
  forGpuNumbers(speed.gpu, read);
  forEngines(speed.engines, read);
  const CpuLaneRates &lanes = speed.engines.cpuLanes;
  for (const double rate :
       {lanes.f64PerUs, lanes.f32PerUs, lanes.farF64PerUs, lanes.farF32PerUs, lanes.widePerUs,
        speed.engines.gpuLanes.issuedShare, speed.engines.gpuLanes.emittedGain})
    if (rate == 0)
      reject("a rate of lanes is 0");
  const double multiprocessors =
      numberOf(memberOf(root, "gpu_multiprocessors"), "gpu_multiprocessors");
  if (multiprocessors < 1 || multiprocessors > 100000 || speed.gpu.linesPerUs == 0 ||
      speed.gpu.bytesPerUs == 0 || speed.gpu.copyBytesPerUs == 0 ||
      speed.gpu.copies.bytesPerUs == 0 || speed.gpu.residentBlocks == 0)
    reject("a rate of the GPU is 0");
  speed.gpu.multiprocessors = static_cast<uint32_t>(multiprocessors);
  return speed;
}

} // namespace mpf
