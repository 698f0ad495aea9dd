#include "dsl/source/line_reader.h"
#include "runtime/choose/answer/answer_plan.h"

#include <fmt/format.h>
#include <iterator>

namespace mpf {

namespace {

/// Returns the word for a device: "cpu0", "gpu1".
std::string wordOf(DeviceId device) {
  return fmt::format("{}{}", device.kind == DeviceKind::Cpu ? "cpu" : "gpu", device.number);
}

/// Appends to the text of a plan.
class AnswerWriter {
public:
  explicit AnswerWriter(const AnswerPlan &plan) : plan_(plan) {}

  std::string text() {
    add("answer {} devices={} schedule={}", quoteWord(plan_.query), plan_.devices.devicesWord(),
        placementMethodName(plan_.devices.spread));
    if (plan_.cases)
      add(" cases={}", *plan_.cases);
    add(" runs={}\n", plan_.expectedRuns);
    for (const AnswerCandidate &candidate : plan_.candidates)
      writeCandidate(candidate);
    add("chosen {} why={}", plan_.chosen, quoteWord(plan_.why));
    if (!plan_.gpuFault.empty())
      add(" gpu-fault={}", quoteWord(plan_.gpuFault));
    add("\n");
    writePlacement();
    return std::move(text_);
  }

private:
  template <class... Parts> void add(fmt::format_string<Parts...> form, Parts &&...parts) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Parts>(parts)...);
  }

  void writeCandidate(const AnswerCandidate &candidate) {
    add("candidate {} {}", traitsOf(candidate.form).word, placementMethodName(candidate.method));
    if (candidate.runUs)
      add(" run={} once={}", *candidate.runUs, candidate.onceUs);
    for (const DeviceBytes &memory : candidate.memory)
      add(" {}={}", wordOf(memory.device), memory.bytes);
    if (!candidate.refusal.empty())
      add(" refused={}", quoteWord(candidate.refusal));
    add("\n");
  }

  /// Writes a line for each run of operations on the same device in the same superstep.
  void writePlacement() {
    const std::vector<DeviceId> &devices = plan_.placement.devices;
    for (size_t first = 0; first < devices.size();) {
      size_t end = first + 1;
      while (end < devices.size() && devices[end] == devices[first] &&
             plan_.supersteps[end] == plan_.supersteps[first])
        ++end;
      add("place {} {} superstep={}\n", end - first, wordOf(devices[first]),
          plan_.supersteps[first]);
      first = end;
    }
  }

  const AnswerPlan &plan_;
  std::string text_;
};

} // namespace

std::string printAnswerPlan(const AnswerPlan &plan) { return AnswerWriter(plan).text(); }

} // namespace mpf
