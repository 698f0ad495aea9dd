#include "runtime/machine/machine_identity.h"

#include "dsl/support/files/list_folder.h"
#include "dsl/support/system/environment.h"
#include "dsl/support/system/system_text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace mpf {

namespace {

constexpr std::string_view kNvidiaVendor = "0x10de", kDisplayClass = "0x03";

/// Returns the text after the colon of the first line that begins with `key`; else empty.
std::string valueOf(std::string_view text, std::string_view key) {
  size_t at = text.find(key);
  while (at != std::string_view::npos && at != 0 && text[at - 1] != '\n')
    at = text.find(key, at + 1);
  if (at == std::string_view::npos)
    return {};
  const std::string_view line = text.substr(at, text.find('\n', at) - at);
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos)
    return {};
  const size_t begin = line.find_first_not_of(" \t", colon + 1);
  return begin == std::string_view::npos ? std::string() : std::string(line.substr(begin));
}

/// Returns the paths in a folder, sorted; none if there is no such folder.
std::vector<std::string> entriesOf(const std::string &folder) {
  std::error_code problem; // ignored: a missing folder has no entries
  std::vector<std::string> entries = namesIn(folder, problem);
  for (std::string &entry : entries)
    entry = folder + '/' + entry;
  std::ranges::sort(entries);
  return entries;
}

std::vector<std::string> gpusOfDriver(const std::string &proc) {
  std::vector<std::string> names;
  for (const std::string &gpu : entriesOf(proc + "/driver/nvidia/gpus"))
    if (std::string name = valueOf(systemText(gpu + "/information"), "Model:"); !name.empty())
      names.push_back(std::move(name));
  return names;
}

std::vector<std::string> gpusOfBus(const std::string &sys) {
  std::vector<std::string> names;
  for (const std::string &device : entriesOf(sys + "/bus/pci/devices")) {
    if (!systemText(device + "/vendor").starts_with(kNvidiaVendor) ||
        !systemText(device + "/class").starts_with(kDisplayClass))
      continue;
    const std::string number = systemText(device + "/device");
    names.push_back(fmt::format("NVIDIA device {}", number.substr(0, number.find('\n'))));
  }
  return names;
}

std::vector<std::string> gpusFrom(const std::string &proc, const std::string &sys) {
  std::vector<std::string> gpus = gpusOfDriver(proc);
  return gpus.empty() ? gpusOfBus(sys) : gpus;
}

/// The GPUs of this machine, read once: servers have hundreds of devices on their buses.
const std::vector<std::string> &listedGpus() {
  static const std::vector<std::string> gpus = gpusFrom("/proc", "/sys");
  return gpus;
}

std::string identityOf(const std::string &proc, const std::vector<std::string> &gpus) {
  std::string name = valueOf(systemText(proc + "/cpuinfo"), "model name");
  if (name.empty())
    name = "unknown processor";
  std::string text = fmt::format("{}, {} threads", name, std::thread::hardware_concurrency());
  for (const std::string &gpu : gpus)
    text += ", " + gpu;
  return text;
}

} // namespace

std::string machineIdentityFrom(const std::string &proc, const std::string &sys) {
  return identityOf(proc, gpusFrom(proc, sys));
}

bool driverMayFindGpu() {
  const std::string named = environmentValue("MPF_LIBCUDA");
  std::error_code ignored; // a driver that cannot be looked at counts as missing
  return named.empty() ? !listedGpus().empty() : std::filesystem::exists(named, ignored);
}

const std::string &machineIdentity() {
  // Kept: a process asks several times, and /proc/cpuinfo has a page for each core.
  static const std::string identity = identityOf("/proc", listedGpus());
  return identity;
}

} // namespace mpf
