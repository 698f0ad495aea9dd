#include "runtime/predict/machine_speed.h"

#include "codegen/bundle/json_value.h"
#include "dsl/support/error.h"

#include <utility>

namespace mpf {

namespace {

// The members by name, once for writing and reading.

template <class Speed, class Visit> void forCurves(Speed &cpu, const Visit &visit) {
  visit("entries", cpu.entries);
  visit("rows", cpu.rows);
  visit("tiles", cpu.tiles);
  visit("compiled", cpu.compiled);
  visit("logs", cpu.logs);
  visit("integers", cpu.integers);
}

template <class Speed, class Visit> void forNumbers(Speed &speed, const Visit &visit) {
  visit("cpu_wake_us", speed.cpu.wakeUs);
  visit("cpu_serial_share", speed.cpu.serialShare);
  visit("gpu_launch_us", speed.gpu.launchUs);
  visit("gpu_step_us", speed.gpu.stepUs);
  visit("gpu_term_factor", speed.gpu.termFactor);
  visit("gpu_resident_blocks", speed.gpu.residentBlocks);
  visit("gpu_kernel_factor", speed.gpu.kernelFactor);
  visit("gpu_lines_per_us", speed.gpu.linesPerUs);
  visit("gpu_bytes_per_us", speed.gpu.bytesPerUs);
  visit("gpu_slice_us", speed.gpu.sliceUs);
  visit("gpu_copy_bytes_per_us", speed.gpu.copyBytesPerUs);
  visit("gpu_upload_us", speed.gpu.uploadUs);
  visit("gpu_download_us", speed.gpu.downloadUs);
  visit("gpu_superstep_us", speed.gpu.superstepUs);
  visit("gpu_open_us", speed.gpu.openUs);
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

MachineSpeed shippedSpeed() {
  // CPU: one core of an AMD EPYC with AVX-512 (results/2026-11-27-cpu-predictions.md).
  // GPU: an H100 (results/2026-11-25-placement.md, 2026-11-26-transfers.md).
  MachineSpeed speed;
  speed.cpu.entries = TimeCurve({{0.004, 0.033},
                                 {0.012, 0.033},
                                 {0.036, 0.049},
                                 {0.13, 0.063},
                                 {0.34, 0.18},
                                 {1, 0.54},
                                 {2, 1.1}});
  speed.cpu.rows = TimeCurve({{0.49, 0.99},
                              {1, 0.99},
                              {3.2, 3.1},
                              {8.8, 7.3},
                              {32, 31},
                              {120, 130},
                              {260, 280},
                              {940, 820},
                              {4700, 6300}});
  speed.cpu.tiles = TimeCurve(
      {{0.42, 0.44}, {1, 0.85}, {4.5, 3.3}, {7.9, 4.4}, {28, 15}, {160, 71}, {1000, 560}});
  speed.cpu.compiled = TimeCurve({{0.041, 0.073},
                                  {0.12, 0.13},
                                  {0.33, 0.31},
                                  {1.3, 1},
                                  {3.3, 2.9},
                                  {8.8, 7.6},
                                  {60, 81},
                                  {350, 290},
                                  {1400, 880}});
  speed.cpu.logs = TimeCurve({{0.048, 0.19},
                              {0.14, 0.32},
                              {0.38, 0.61},
                              {0.77, 1.4},
                              {3.1, 4.9},
                              {6.1, 4.9},
                              {48, 9.8},
                              {74, 18}});
  speed.cpu.integers = TimeCurve({{0.012, 0.083},
                                  {0.048, 0.16},
                                  {0.096, 0.19},
                                  {0.26, 0.27},
                                  {1.2, 0.83},
                                  {2.4, 1.2},
                                  {5.8, 2.6}});
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
  forNumbers(speed, [&](const char *name, double value) {
    text += fmt::format("\n  \"{}\": {},", name, value);
  });
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
  forNumbers(speed, [&](const char *name, double &value) {
    value = numberOf(memberOf(root, name), name);
  });
  const double multiprocessors =
      numberOf(memberOf(root, "gpu_multiprocessors"), "gpu_multiprocessors");
  if (multiprocessors < 1 || multiprocessors > 100000 || speed.gpu.linesPerUs == 0 ||
      speed.gpu.bytesPerUs == 0 || speed.gpu.copyBytesPerUs == 0 || speed.gpu.residentBlocks == 0)
    reject("a rate of the GPU is 0");
  speed.gpu.multiprocessors = static_cast<uint32_t>(multiprocessors);
  return speed;
}

} // namespace mpf
