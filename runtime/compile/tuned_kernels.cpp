#include "runtime/compile/tuned_kernels.h"

#include "codegen/bundle/forms/program_file.h"
#include "dsl/support/check.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace mpf {

namespace {

/// To be increased when the entries' form or the way of measuring changes.
constexpr uint64_t kTuningFormat = 1;

std::string folderOr(const std::string &folder) {
  return folder.empty() ? DiskCache::defaultFolder() : folder;
}

/// Writes lines "candidate NAME MICROSECONDS", an empty line, and a bundle that holds only the
/// kernel.
std::string packChoice(const TunedKernel &tuned) {
  std::string text;
  for (const MeasuredKernel &candidate : tuned.measured)
    text += fmt::format("candidate {} {}\n", candidate.name, candidate.timeUs);
  Bundle bundle;
  bundle.kernels.push_back(tuned.kernel);
  bundle.kernels.front().cubins.clear();
  return text + '\n' + programBytes(bundle);
}

/// Reads an entry of packChoice. Throws Error(BadInput) for any other text.
TunedKernel unpackChoice(std::string_view entry) {
  TunedKernel tuned;
  for (;;) {
    const size_t end = entry.find('\n');
    const std::string_view line = entry.substr(0, end);
    if (end == std::string_view::npos)
      fail(ErrorKind::BadInput, "the list of candidates has no end");
    entry.remove_prefix(end + 1);
    if (line.empty())
      break;
    const size_t name = line.find(' '), time = line.rfind(' ');
    const std::optional<double> timeUs =
        name < time ? parseDouble(std::string(line.substr(time + 1))) : std::nullopt;
    if (!timeUs || !(*timeUs > 0))
      fail(ErrorKind::BadInput, "'{}' is no candidate with its time", line);
    tuned.measured.push_back({std::string(line.substr(name + 1, time - name - 1)), *timeUs});
  }
  Bundle bundle = parseAs<Bundle>(entry);
  if (bundle.kernels.size() != 1 || !bundle.kernels.front().tuning)
    fail(ErrorKind::BadInput, "{} kernels instead of one that was measured", bundle.kernels.size());
  tuned.kernel = std::move(bundle.kernels.front());
  if (!tuned.wasMeasured(tuned.kernel.name))
    fail(ErrorKind::BadInput, "{} is none of the candidates", tuned.kernel.name);
  return tuned;
}

} // namespace

bool TunedKernel::wasMeasured(const std::string &name) const {
  return std::any_of(measured.begin(), measured.end(),
                     [&](const MeasuredKernel &candidate) { return candidate.name == name; });
}

TunedKernels::TunedKernels(TuningPlace place, const std::string &folder)
    : place_(std::move(place)), disk_(folderOr(folder)) {}

bool TunedKernels::any(const std::string &folder) {
  return DiskCache(folderOr(folder)).holdsAny(CacheKind::Choice);
}

Hash128 TunedKernels::keyOf(const BundleKernel &modelChoice) const {
  return HashBuilder()
      .add(kTuningFormat)
      .add(modelChoice.source)
      .add(place_.device)
      .add(place_.arch)
      .add(place_.compiler)
      .finish();
}

std::optional<TunedKernel> TunedKernels::load(const BundleKernel &modelChoice) {
  const Hash128 key = keyOf(modelChoice);
  if (!disk_.holds(key, CacheKind::Choice))
    return std::nullopt;
  try {
    if (const auto entry = disk_.load(key, CacheKind::Choice)) {
      TunedKernel tuned = unpackChoice(*entry);
      if (tuned.measured.empty() || tuned.measured.front().name != modelChoice.name)
        fail(ErrorKind::BadInput, "the choice is for another kernel");
      return tuned;
    }
  } catch (const Error &) {
    // An unreadable entry is a miss: the kernel is measured again, or the cost model decides.
  }
  ++damaged_;
  return std::nullopt;
}

bool TunedKernels::store(const BundleKernel &modelChoice, const TunedKernel &tuned) const {
  return disk_.store(keyOf(modelChoice), packChoice(tuned), CacheKind::Choice);
}

std::string TunedKernels::damagedNote() const {
  if (damaged_ == 0)
    return "";
  return fmt::format("kernels chosen by measuring: {} in {} cannot be read and {} ignored",
                     damaged_ == 1 ? "an entry" : fmt::format("{} entries", damaged_),
                     disk_.folder(), damaged_ == 1 ? "is" : "are");
}

} // namespace mpf
