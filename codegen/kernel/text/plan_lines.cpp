#include "codegen/kernel/text/plan_lines.h"

#include "codegen/kernel/plan/log_form.h"
#include "dsl/support/number_text.h"

namespace mpf {

bool PlanLines::wrong(std::string_view what) {
  lines_.report("expected {}", what);
  return false;
}

bool PlanLines::digitList(std::string_view key, size_t count, std::vector<DigitId> &digits) {
  return list<DigitId>(key, digits, [count](std::string_view text) -> std::optional<DigitId> {
    const auto id = parseUnsigned(text);
    return id && *id < count ? std::optional(DigitId(static_cast<uint32_t>(*id))) : std::nullopt;
  });
}

bool PlanLines::readBody(KernelHeader &plan,
                         const std::function<bool(const std::string &)> &readLine) {
  while (lines_.next()) {
    const std::string keyword = lines_.keyword().text;
    if (keyword == "end")
      return lines_.expectEndOfLine();
    const std::optional<bool> header = readHeaderLine(keyword, plan);
    if (!(header ? *header : readLine(keyword)) || !lines_.expectEndOfLine())
      return false;
  }
  return wrong("end");
}

std::optional<bool> PlanLines::readHeaderLine(const std::string &keyword, KernelHeader &plan) {
  if (keyword == "values")
    return readValues(plan.valueForm, plan.type);
  if (keyword == "logsum")
    return readLogSum(plan.logSum);
  if (keyword == "store")
    return number("vector", 64, plan.storeVector);
  if (keyword == "index")
    return readIndex(plan.indexWidth);
  if (keyword == "launch")
    return readLaunch(plan.launch);
  if (keyword == "cost")
    return readCost(plan.costTerms);
  if (keyword == "predicted")
    return readPredicted(plan.predictedUs, plan.floorUs);
  return std::nullopt;
}

std::optional<bool> PlanLines::readFormLine(const std::string &keyword, DigitForm &form) {
  if (keyword == "semiring")
    return readSemiring(form.semiring);
  if (keyword == "digit")
    return readDigit(form.digits);
  if (keyword == "operand") {
    if (form.operands.size() == kMaxOperands)
      return wrong(fmt::format("at most {} operands", kMaxOperands));
    return readAccess(form.operands.emplace_back());
  }
  if (keyword == "result")
    return readAccess(form.result = {});
  return std::nullopt;
}

std::optional<PlanLines::PartText> PlanLines::splitPart(std::string_view text) {
  const size_t first = text.find(':'), second = text.find(':', first + 1);
  if (first == text.npos || second == text.npos)
    return std::nullopt;
  const auto extent = parseUnsigned(text.substr(first + 1, second - first - 1));
  const auto step = parseUnsigned(text.substr(second + 1));
  if (!extent || !step)
    return std::nullopt;
  return PartText{text.substr(0, first), *extent, *step};
}

bool PlanLines::readDigit(std::vector<Digit> &digits) {
  Digit digit;
  uint64_t index = 0;
  const auto kept = [](bool reduced) { return reduced ? "reduced" : "kept"; };
  const auto variable = [](std::string_view text) -> std::optional<VarId> {
    const auto id = parseUnsigned(text);
    return id && *id < UINT32_MAX ? std::optional(VarId(*id)) : std::nullopt;
  };
  if (const auto read = lines_.takeUnsigned("the digit's number", kMaxEntries))
    index = *read;
  else
    return false;
  if (index != digits.size())
    return wrong(fmt::format("digit {}", digits.size()));
  if (!choose(std::array{false, true}, kept, "kept or reduced", digit.reduced) ||
      !number("extent", UINT64_MAX, digit.extent) ||
      !list<VarId>("variables", digit.variables, variable))
    return false;
  digits.push_back(std::move(digit));
  return true;
}

bool PlanLines::readAccess(DigitAccess &access) {
  if (!number("table", UINT32_MAX, access.table.value) ||
      !number("size_elems", UINT64_MAX, access.sizeElems) ||
      !list<uint64_t>("strides_elems", access.stridesElems, parseUnsigned))
    return false;
  access.packed = lines_.acceptLiteral("packed");
  return true;
}

bool PlanLines::readSemiring(Semiring &semiring) {
  const auto name = lines_.takeWord("a semiring");
  const auto named = name ? semiringNamed(*name) : std::nullopt;
  semiring = named.value_or(Semiring{});
  return named.has_value() || (name && wrong("a semiring such as sum-product"));
}

bool PlanLines::readValues(ValueForm &form, ElementType &type) {
  const auto formName = [](ValueForm f) { return f == ValueForm::Linear ? "linear" : "log"; };
  return choose(std::array{ValueForm::Linear, ValueForm::Log}, formName, "linear or log", form) &&
         choose(std::array{ElementType::F32, ElementType::F64, ElementType::U64, ElementType::U128},
                elementTypeName, "f32, f64, u64 or u128", type);
}

bool PlanLines::readLogSum(LogSum &logSum) {
  return choose(std::array{LogSum::Running, LogSum::MantissaLoads, LogSum::MantissaTerms},
                logSumName, "running, mantissa-loads or mantissa-terms", logSum);
}

bool PlanLines::readIndex(IndexWidth &width) {
  const auto bits = [](IndexWidth w) { return w == IndexWidth::Bits32 ? "bits=32" : "bits=64"; };
  return choose(std::array{IndexWidth::Bits32, IndexWidth::Bits64}, bits, "bits=32 or bits=64",
                width);
}

bool PlanLines::readYesNo(std::string_view key, bool &yes) {
  const auto named = [key](bool y) { return fmt::format("{}={}", key, y ? "yes" : "no"); };
  return choose(std::array{false, true}, named, fmt::format("{0}=yes or {0}=no", key), yes);
}

bool PlanLines::readLaunch(LaunchShape &launch) {
  return number("grid_blocks", UINT64_MAX, launch.gridBlocks) &&
         number("block_threads", UINT32_MAX, launch.blockThreads) &&
         number("shared_bytes", UINT32_MAX, launch.sharedBytes) &&
         number("min_blocks_per_sm", UINT32_MAX, launch.minBlocksPerSm) &&
         number("estimated_registers", UINT32_MAX, launch.estimatedRegisters);
}

bool PlanLines::readCost(std::vector<CostTerm> &terms) {
  const auto name = lines_.takeWord("the cost term's name");
  const auto time = name ? lines_.takeDoubleKey("time_us") : std::nullopt;
  if (!time || terms.size() == kMaxEntries)
    return time.has_value() && wrong("fewer cost terms");
  terms.push_back({*name, *time});
  return true;
}

bool PlanLines::readPredicted(double &predictedUs, double &floorUs) {
  const auto predicted = lines_.takeDoubleKey("time_us");
  const auto floor = predicted ? lines_.takeDoubleKey("floor_us") : std::nullopt;
  predictedUs = predicted.value_or(0);
  floorUs = floor.value_or(0);
  return floor.has_value();
}

} // namespace mpf
