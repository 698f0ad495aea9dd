#include "codegen/kernel/text/read_chain.h"

#include "codegen/kernel/text/plan_lines.h"
#include "dsl/support/number_text.h"

namespace mpf {

namespace {

class ChainReader : PlanLines {
public:
  explicit ChainReader(LineReader &lines) : PlanLines(lines) {}

  /// Reads the plan behind its head, up to the line 'end'.
  std::optional<ChainPlan> read(const PlanHead &head);

private:
  bool readLine(const std::string &keyword);
  bool readStep();
  bool readPart();
  bool readPhase();
  bool partList(std::string_view key, std::vector<uint32_t> &parts);
  bool slotList(std::string_view key, std::vector<ChainSlot> &slots);
  std::optional<uint32_t> partNamed(std::string_view name) const;

  ChainPlan plan_;
};

std::optional<uint32_t> ChainReader::partNamed(std::string_view name) const {
  for (uint32_t part = 0; part < plan_.parts.size(); ++part)
    if (plan_.parts[part].name == name)
      return part;
  return std::nullopt;
}

bool ChainReader::partList(std::string_view key, std::vector<uint32_t> &parts) {
  return list<uint32_t>(key, parts, [&](std::string_view name) { return partNamed(name); });
}

bool ChainReader::slotList(std::string_view key, std::vector<ChainSlot> &slots) {
  return list<ChainSlot>(key, slots, [&](std::string_view text) {
    return partOf<ChainSlot>(text, [&](std::string_view name) { return partNamed(name); });
  });
}

bool ChainReader::readStep() {
  ChainStep step;
  for (const ChainStep &before : plan_.form.steps)
    step.firstFactor += before.factorCount;
  if (plan_.form.steps.size() == kMaxChainSteps)
    return wrong(fmt::format("at most {} steps", kMaxChainSteps));
  const size_t digits = plan_.form.digits.size();
  if (!number("factors", kMaxChainFactors, step.factorCount) ||
      !digitList("introduced", digits, step.introduced) ||
      !digitList("reduced", digits, step.reduced))
    return false;
  plan_.form.steps.push_back(std::move(step));
  return true;
}

bool ChainReader::readPart() {
  ChainPart part;
  const auto name = lines_.takeWord("the part's name");
  if (!name)
    return false;
  part.name = *name;
  if (partNamed(part.name))
    return wrong("a name no other part has");
  if (!number("digit", kMaxEntries, part.digit.value) ||
      !number("extent", UINT64_MAX, part.extent) || !number("step", UINT64_MAX, part.step))
    return false;
  if (part.digit.index() >= plan_.form.digits.size() || plan_.parts.size() == kMaxEntries)
    return wrong(fmt::format("a part of one of {} digits", plan_.form.digits.size()));
  plan_.parts.push_back(std::move(part));
  return true;
}

bool ChainReader::readPhase() {
  ChainPhase phase;
  for (const ChainPhase &before : plan_.phases)
    phase.firstStep += before.stepCount;
  if (plan_.phases.size() == kMaxChainSteps)
    return wrong(fmt::format("at most {} phases", kMaxChainSteps));
  if (!number("steps", kMaxChainSteps, phase.stepCount) ||
      !partList("registers", phase.registerParts) || !partList("threads", phase.threadParts) ||
      !list<uint64_t>("strides_elems", phase.stridesElems, parseUnsigned) ||
      !number("allocated_elems", UINT64_MAX, phase.allocatedElems) ||
      !readYesNo("factors_first", phase.factorsFirst))
    return false;
  plan_.phases.push_back(std::move(phase));
  return true;
}

bool ChainReader::readLine(const std::string &keyword) {
  ChainForm &form = plan_.form;
  if (keyword == "semiring")
    return readSemiring(form.semiring);
  if (keyword == "digit")
    return readDigit(form.digits);
  if (keyword == "message")
    return readAccess(form.message = {});
  if (keyword == "factor") {
    if (form.factors.size() == kMaxChainFactors)
      return wrong(fmt::format("at most {} factors", kMaxChainFactors));
    return readAccess(form.factors.emplace_back());
  }
  if (keyword == "result")
    return readAccess(form.result = {});
  if (keyword == "step")
    return readStep();
  if (keyword == "part")
    return readPart();
  if (keyword == "pages")
    return partList("outer", plan_.outerParts) &&
           number("per_block", UINT64_MAX, plan_.pagesPerBlock);
  if (keyword == "fetch")
    return number("vector", 64, plan_.fetch.vector) &&
           slotList("threads", plan_.fetch.threadSlots) && slotList("loops", plan_.fetch.loopSlots);
  if (keyword == "phase")
    return readPhase();
  if (keyword == "shared")
    return readYesNo("conflict_free", plan_.conflictFree);
  return wrong("a line of a chain plan (digit, message, step, part, phase, ...) or end");
}

std::optional<ChainPlan> ChainReader::read(const PlanHead &head) {
  plan_.name = head.name;
  if (!readBody(plan_, [this](const std::string &keyword) { return readLine(keyword); }))
    return std::nullopt;
  return std::move(plan_);
}

} // namespace

std::optional<ChainPlan> readChain(const PlanHead &head, LineReader &lines) {
  return ChainReader(lines).read(head);
}

} // namespace mpf
