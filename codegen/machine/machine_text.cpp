#include "codegen/machine/machine_text.h"

#include "codegen/machine/speed_fields.h"
#include "dsl/source/line_reader.h"
#include "dsl/support/number_text.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace mpf {

namespace {

constexpr std::array<std::string_view, 2> kKinds = {"cpu", "gpu"};
constexpr std::array<std::string_view, 4> kStates = {"unknown", "present", "absent", "faulty"};
constexpr std::string_view kNoBytes = "none", kProcessors = "gpu_multiprocessors";
constexpr uint64_t kMostProcessors = 100'000;

void addNumber(std::string &text, std::string_view name, double value) {
  text += fmt::format("{} {}\n", name, formatDouble(value));
}

void addSpeed(std::string &text, const std::variant<CpuSpeed, GpuSpeed> &speed) {
  const auto number = [&text](std::string_view name, double value) {
    addNumber(text, name, value);
  };
  if (const auto *gpu = std::get_if<GpuSpeed>(&speed)) {
    text += fmt::format("{} {}\n", kProcessors, gpu->multiprocessors);
    return forGpuNumbers(*gpu, number);
  }
  const CpuSpeed &cpu = std::get<CpuSpeed>(speed);
  forCpuNumbers(cpu, number);
  forCurves(cpu, [&text](std::string_view name, const TimeCurve &curve) {
    text += name;
    for (const TimePoint &point : curve.points())
      text += fmt::format(" {} {}", formatDouble(point.modelUs), formatDouble(point.timeUs));
    text += '\n';
  });
}

/// Reads the lines of a text in the order in which printMachine writes them.
class MachineReader {
public:
  MachineReader(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics)
      : lines_(std::move(buffer), diagnostics) {}

  std::optional<Machine> read() {
    Machine machine;
    if (!begins("machine") || !lines_.expectEndOfLine())
      return std::nullopt;
    while (lines_.next()) {
      if (lines_.keyword().text == "link") {
        std::optional<Link> link = readLink();
        if (!link)
          return std::nullopt;
        machine.links.push_back(*link);
        continue;
      }
      if (!machine.links.empty()) {
        lines_.report("devices come before links");
        return std::nullopt;
      }
      std::optional<Device> device = readDevice();
      if (!device)
        return std::nullopt;
      machine.devices.push_back(std::move(*device));
    }
    if (const std::string fault = machineFault(machine); !fault.empty()) {
      lines_.report("this is no machine: {}", fault);
      return std::nullopt;
    }
    return machine;
  }

private:
  /// Goes to the next line. Reports it and returns false unless it begins with the word.
  bool begins(std::string_view word) {
    if (lines_.next() && lines_.keyword().text == word)
      return true;
    lines_.report("expected a line that begins with '{}'", word);
    return false;
  }

  /// Takes a word of a list and returns its index.
  template <size_t N>
  std::optional<size_t> takeOneOf(const std::array<std::string_view, N> &words,
                                  std::string_view what) {
    const std::optional<std::string> word = lines_.takeWord(what);
    for (size_t i = 0; word && i < N; ++i)
      if (*word == words[i])
        return i;
    if (word)
      lines_.report("'{}' is not {}", *word, what);
    return std::nullopt;
  }

  std::optional<DeviceId> readId() {
    const std::optional<size_t> kind = takeOneOf(kKinds, "a kind of device: cpu or gpu");
    const std::optional<uint64_t> number =
        kind ? lines_.takeUnsigned("the number of a device", UINT16_MAX) : std::nullopt;
    if (!number)
      return std::nullopt;
    return DeviceId{static_cast<DeviceKind>(*kind), static_cast<uint32_t>(*number)};
  }

  std::optional<Link> readLink() {
    const std::optional<DeviceId> from = readId();
    const std::optional<DeviceId> to = from ? readId() : std::nullopt;
    const std::optional<double> us = to ? lines_.takeDoubleKey("us") : std::nullopt;
    const std::optional<double> rate = us ? lines_.takeDoubleKey("bytes_per_us") : std::nullopt;
    if (!rate || !lines_.expectEndOfLine())
      return std::nullopt;
    return Link{*from, *to, *us, *rate};
  }

  /// Reads `table_bytes=`. False: it is wrong.
  bool readBytes(Device &device) {
    const std::optional<std::string> text = lines_.takeKey("table_bytes");
    if (!text)
      return false;
    device.tableBytes = parseUnsigned(*text);
    if (device.tableBytes || *text == kNoBytes)
      return true;
    lines_.report("table_bytes= needs a number of bytes or '{}'", kNoBytes);
    return false;
  }

  std::optional<Device> readDevice() {
    if (lines_.keyword().text != "device") {
      lines_.report("expected a line that begins with 'device' or 'link'");
      return std::nullopt;
    }
    const std::optional<DeviceId> id = readId();
    const std::optional<size_t> state =
        id ? takeOneOf(kStates, "a state: unknown, present, absent or faulty") : std::nullopt;
    std::optional<std::string> target = state ? lines_.takeKey("target") : std::nullopt;
    const std::optional<double> openUs = target ? lines_.takeDoubleKey("open_us") : std::nullopt;
    Device device;
    if (!openUs || !readBytes(device))
      return std::nullopt;
    std::optional<std::string> fault = lines_.takeKey("fault");
    if (!fault || !lines_.expectEndOfLine())
      return std::nullopt;
    device.id = *id;
    device.state = static_cast<DeviceState>(*state);
    device.target = std::move(*target);
    device.openUs = *openUs;
    device.fault = std::move(*fault);
    const bool isRead = device.id.kind == DeviceKind::Cpu
                            ? readCpuSpeed(device.speed.emplace<CpuSpeed>())
                            : readGpuSpeed(device.speed.emplace<GpuSpeed>());
    return isRead ? std::optional(std::move(device)) : std::nullopt;
  }

  /// Returns a visitor that reads a line for each number, until `isSound` becomes false.
  auto numberReader(bool &isSound) {
    return [this, &isSound](std::string_view name, double &value) {
      isSound = isSound && begins(name);
      const std::optional<double> number = isSound ? lines_.takeDouble("a number") : std::nullopt;
      isSound = number && lines_.expectEndOfLine();
      value = number.value_or(value);
    };
  }

  bool readGpuSpeed(GpuSpeed &gpu) {
    if (!begins(kProcessors))
      return false;
    const auto count = lines_.takeUnsigned("a number of multiprocessors", kMostProcessors);
    bool isSound = count && lines_.expectEndOfLine();
    gpu.multiprocessors = static_cast<uint32_t>(count.value_or(0));
    forGpuNumbers(gpu, numberReader(isSound));
    return isSound;
  }

  bool readCpuSpeed(CpuSpeed &cpu) {
    bool isSound = true;
    forCpuNumbers(cpu, numberReader(isSound));
    forCurves(cpu, [&](std::string_view name, TimeCurve &curve) {
      isSound = isSound && begins(name) && readPoints(curve);
    });
    return isSound;
  }

  bool readPoints(TimeCurve &curve) {
    std::vector<TimePoint> points;
    while (!lines_.atEndOfLine()) {
      const std::optional<double> modelUs = lines_.takeDouble("a modelled time");
      const std::optional<double> timeUs =
          modelUs ? lines_.takeDouble("a measured time") : std::nullopt;
      if (!timeUs)
        return false;
      points.push_back({*modelUs, *timeUs});
    }
    curve = TimeCurve(std::move(points));
    if (!curve.isSound())
      lines_.report("the times of a curve are positive, and later ones no less");
    return curve.isSound();
  }

  LineReader lines_;
};

} // namespace

std::string printMachine(const Machine &machine) {
  std::string text = "machine\n";
  for (const Device &device : machine.devices) {
    text +=
        fmt::format("device {} {} {} target={} open_us={} table_bytes={} fault={}\n",
                    kKinds[static_cast<size_t>(device.id.kind)], device.id.number,
                    kStates[static_cast<size_t>(device.state)], quoteWord(device.target),
                    formatDouble(device.openUs),
                    device.tableBytes ? std::to_string(*device.tableBytes) : std::string(kNoBytes),
                    quoteWord(device.fault));
    addSpeed(text, device.speed);
  }
  for (const Link &link : machine.links)
    text += fmt::format("link {} {} {} {} us={} bytes_per_us={}\n",
                        kKinds[static_cast<size_t>(link.from.kind)], link.from.number,
                        kKinds[static_cast<size_t>(link.to.kind)], link.to.number,
                        formatDouble(link.us), formatDouble(link.bytesPerUs));
  return text;
}

std::optional<Machine> readMachine(std::shared_ptr<const SourceBuffer> buffer,
                                   Diagnostics &diagnostics) {
  std::optional<Machine> machine = MachineReader(std::move(buffer), diagnostics).read();
  return diagnostics.hasErrors() ? std::nullopt : std::move(machine); // quotes may be broken
}

} // namespace mpf
