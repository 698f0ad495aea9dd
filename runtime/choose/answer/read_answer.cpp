#include "dsl/source/line_reader.h"
#include "dsl/support/error.h"
#include "dsl/support/number_text.h"
#include "runtime/choose/answer/answer_plan.h"
#include "runtime/choose/answer/answer_words.h"

#include <algorithm>
#include <utility>

namespace mpf {

namespace {

/// Bounds that no text of ours reaches, so that texts of others take little memory.
constexpr uint64_t kMostOperations = uint64_t{1} << 26, kMostDevices = 1024;

/// Reads plans line by line. Its members return false once something was reported.
class AnswerReader {
public:
  AnswerReader(std::shared_ptr<const SourceBuffer> source, Diagnostics &diagnostics)
      : lines_(std::move(source), diagnostics) {}

  std::optional<std::vector<AnswerPlan>> read() {
    const size_t errors = lines_.diagnostics().errorCount();
    while (lines_.next())
      if (!readLine())
        return std::nullopt;
    if (plans_.empty())
      wrong("a line that begins with 'answer'");
    if (lines_.diagnostics().errorCount() != errors)
      return std::nullopt;
    return std::move(plans_);
  }

private:
  bool wrong(std::string_view expected) {
    lines_.diagnostics().error(lines_.here(), "expected {}", expected);
    return false;
  }

  bool readLine() {
    const std::string &keyword = lines_.keyword().text;
    if (keyword == "answer")
      return readAnswer() && lines_.expectEndOfLine();
    if (plans_.empty())
      return wrong("a line that begins with 'answer'");
    if (keyword == "candidate")
      return readCandidate() && lines_.expectEndOfLine();
    if (keyword == "chosen")
      return readChosen() && lines_.expectEndOfLine();
    if (keyword == "place")
      return readPlace() && lines_.expectEndOfLine();
    return wrong("'answer', 'candidate', 'chosen' or 'place'");
  }

  bool readAnswer() {
    AnswerPlan &plan = plans_.emplace_back();
    const auto query = lines_.takeWord("the name of a query");
    const auto devices = query ? lines_.takeKey("devices") : std::nullopt;
    const auto schedule = devices ? lines_.takeKey("schedule") : std::nullopt;
    if (!schedule)
      return false;
    try {
      plan.devices = deviceRequestOf(*devices, *schedule);
    } catch (const Error &error) {
      lines_.diagnostics().error(lines_.here(), "{}", error.what());
      return false;
    }
    plan.query = *query;
    bool isSound = true;
    while (isSound && !lines_.atEndOfLine())
      isSound = readPair([&](const std::string &key, const std::string &value) {
        std::optional<double> number = positive(value);
        if (key == "cases" && number)
          plan.cases = number;
        else if (key == "runs" && number)
          plan.expectedRuns = *number;
        else
          return wrong("cases=NUMBER or runs=NUMBER");
        return true;
      });
    return isSound;
  }

  bool readCandidate() {
    AnswerCandidate &candidate = plans_.back().candidates.emplace_back();
    const auto form = lines_.takeWord("the form of a program");
    if (!form)
      return false;
    bool isKnown = false;
    for (const AnswerForm each : {AnswerForm::Tables, AnswerForm::Lanes, AnswerForm::SingleRuns})
      if (*form == answerFormName(each)) {
        candidate.form = each;
        isKnown = true;
      }
    if (!isKnown)
      return wrong("tables, lanes or single-runs");
    const auto method = lines_.takeWord("a method of placement");
    if (!method)
      return false;
    const auto known = std::ranges::find(placementMethods(), *method, &PlacementMethodName::name);
    if (known == placementMethods().end() || known->method == PlacementMethod::Auto)
      return wrong("cpu, gpu, greedy or acceleration");
    candidate.method = known->method;
    bool isSound = true;
    while (isSound && !lines_.atEndOfLine())
      isSound = readPair([&](const std::string &key, const std::string &value) {
        return setOf(candidate, key, value);
      });
    return isSound;
  }

  bool setOf(AnswerCandidate &candidate, const std::string &key, const std::string &value) {
    if (key == "refused") {
      candidate.refusal = value;
      return true;
    }
    if (key == "run" || key == "once") {
      const std::optional<double> us = positive(value);
      if (!us)
        return wrong(key + "=MICROSECONDS");
      (key == "run" ? candidate.runUs.emplace() : candidate.onceUs) = *us;
      return true;
    }
    const std::optional<DeviceId> device = deviceNamed(key);
    const std::optional<uint64_t> bytes = parseUnsigned(value);
    if (!device || !bytes)
      return wrong("run=, once=, refused=, or the bytes on a device such as cpu0=4096");
    candidate.memory.push_back({*device, *bytes});
    return true;
  }

  bool readChosen() {
    AnswerPlan &plan = plans_.back();
    const auto chosen = lines_.takeUnsigned("the number of a candidate", SIZE_MAX);
    if (!chosen)
      return false;
    plan.chosen = *chosen;
    bool isSound = true;
    while (isSound && !lines_.atEndOfLine())
      isSound = readPair([&](const std::string &key, const std::string &value) {
        if (key == "why")
          plan.why = value;
        else if (key == "gpu-fault")
          plan.gpuFault = value;
        else
          return wrong("why= or gpu-fault=");
        return true;
      });
    return isSound;
  }

  bool readPlace() {
    AnswerPlan &plan = plans_.back();
    const auto count = lines_.takeUnsigned("a number of operations", kMostOperations);
    const auto name = count ? lines_.takeWord("a device") : std::nullopt;
    const auto superstep = name ? lines_.takeUnsignedKey("superstep", UINT32_MAX) : std::nullopt;
    if (!superstep)
      return false;
    const std::optional<DeviceId> device = deviceNamed(*name);
    if (!device || device->number != 0)
      return wrong("cpu0 or gpu0");
    if (plan.placement.devices.size() + *count > kMostOperations)
      return wrong(fmt::format("at most {} operations", kMostOperations));
    plan.placement.devices.insert(plan.placement.devices.end(), *count,
                                  device->kind == DeviceKind::Cpu ? StepDevice::Cpu
                                                                  : StepDevice::Gpu);
    plan.supersteps.insert(plan.supersteps.end(), *count, static_cast<uint32_t>(*superstep));
    return true;
  }

  /// Reads "key=value" with any key. `take` reports pairs that it does not know.
  template <class Take> bool readPair(const Take &take) {
    const auto word = lines_.takeWord("key=value");
    if (!word)
      return false;
    const size_t equals = word->find('=');
    if (equals == std::string::npos)
      return wrong("key=value");
    return take(word->substr(0, equals), word->substr(equals + 1));
  }

  static std::optional<double> positive(const std::string &text) {
    const std::optional<double> number = parseDouble(text);
    return number && *number >= 0 ? number : std::nullopt;
  }

  static std::optional<DeviceId> deviceNamed(std::string_view text) {
    const bool isGpu = text.starts_with("gpu");
    if (!isGpu && !text.starts_with("cpu"))
      return std::nullopt;
    const std::optional<uint64_t> number = parseUnsigned(std::string(text.substr(3)));
    if (!number || *number >= kMostDevices)
      return std::nullopt;
    return DeviceId{isGpu ? DeviceKind::Gpu : DeviceKind::Cpu, static_cast<uint32_t>(*number)};
  }

  LineReader lines_;
  std::vector<AnswerPlan> plans_;
};

} // namespace

std::optional<std::vector<AnswerPlan>> readAnswerPlans(std::shared_ptr<const SourceBuffer> source,
                                                       Diagnostics &diagnostics) {
  return AnswerReader(std::move(source), diagnostics).read();
}

} // namespace mpf
