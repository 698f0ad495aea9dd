#include "codegen/emit/lanes/lane_statements.h"

#include "codegen/bundle/entry_type_text.h"
#include "codegen/emit/lanes/lane_code_text.h"
#include "codegen/emit/lanes/rescale_text.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace mpf {

namespace {
/// Terms of one line of a long sum.
constexpr size_t kTermsPerLine = 6;
} // namespace

LaneStatements::LaneStatements(const LaneTextParts &parts)
    : parts_(parts), entry_(entryTypeText(parts.type)), entryAt_(parts.program.tables.size()),
      isZero_(parts.program.tables.size()), exponentAt_(parts.program.tables.size(), 0) {
  addWeights();
  for (const LaneStep &step : parts.program.steps)
    std::visit([this](const auto &one) { addStep(one); }, step);
}

uint32_t LaneStatements::add(Statement statement) {
  statements_.push_back(std::move(statement));
  return static_cast<uint32_t>(statements_.size() - 1);
}

uint32_t LaneStatements::add(std::string text, std::vector<uint32_t> reads) {
  return add(Statement{{{std::move(text), std::move(reads)}}, 1});
}

OrderedStatements LaneStatements::ordered(std::span<const uint32_t> roots) const {
  std::vector<uint32_t> all(statements_.size());
  std::iota(all.begin(), all.end(), 0);
  OrderedStatements asWritten = orderStatements(statements_, all);
  OrderedStatements asRead = orderStatements(statements_, roots);
  return std::move(asRead.mostAlive < asWritten.mostAlive ? asRead : asWritten);
}

std::string LaneStatements::nameOf(uint32_t table, uint64_t entry) {
  return fmt::format("t{}_{}", table, entry);
}

void LaneStatements::begin(uint32_t message) {
  const uint64_t size = parts_.program.tables[message].sizeElems;
  isZero_[message].assign(size, 0);
  entryAt_[message].assign(size, 0);
}

void LaneStatements::addWeights() {
  const uint32_t site = sites_.add(SiteKind::GlobalLoad, "weights");
  for (uint32_t t = 0; t < parts_.program.tables.size(); ++t) {
    const LaneTable &table = parts_.program.tables[t];
    if (table.kind != LaneTableKind::Weights)
      continue;
    const uint64_t row = parts_.program.schema.firstWeight(table.source);
    begin(t);
    for (uint64_t e = 0; e < table.sizeElems; ++e)
      entryAt_[t][e] = add(fmt::format("{} {} = MPF_LD({}, weights[{} * pitch + i]);", entry_,
                                       nameOf(t, e), site, row + e),
                           {});
    addRescaling(t, {});
  }
}

void LaneStatements::addStep(const LaneGather &gather) {
  begin(gather.message);
  const LaneTable &table = parts_.program.tables[gather.table];
  if (table.kind == LaneTableKind::Indicator)
    return addIndicator(gather);
  const LaneImageTable &placed = parts_.image.of(gather.table);
  const bool shared = parts_.image.isShared(placed);
  const uint32_t row =
      add(fmt::format("const {} *const r{} = {} + {};", entry_, gather.message,
                      shared ? "tables" : "image", laneRowText(parts_.kernel, gather, placed)),
          {});
  const uint32_t site =
      sites_.add(shared ? SiteKind::SharedLoad : SiteKind::GlobalLoad, table.name);
  for (uint64_t e = 0; e < entryAt_[gather.message].size();)
    e += addLoad(gather.message, e, placed, row, site);
  addRescaling(gather.message, {});
}

void LaneStatements::addIndicator(const LaneGather &gather) {
  const uint32_t message = gather.message;
  const uint64_t states = entryAt_[message].size();
  const uint32_t code = add(fmt::format("const unsigned c{} = {};", message,
                                        laneCodeText(parts_.kernel, gather.codes[0].column)),
                            {});
  for (uint64_t e = 0; e < states; ++e)
    entryAt_[message][e] = add(fmt::format("{0} {1} = c{2} == {3} || c{2} == {4} ? 1 : 0;", entry_,
                                           nameOf(message, e), message, e, states),
                               {code});
  addRescaling(message, {});
}

/// Loads entries from `entry` on, by the widest load that the padding allows; returns how many.
uint64_t LaneStatements::addLoad(uint32_t message, uint64_t entry, const LaneImageTable &placed,
                                 uint32_t row, uint32_t site) {
  const uint64_t size = entryAt_[message].size();
  for (uint64_t width = laneVectorElems(parts_.type); width > 1; width /= 2) {
    if (placed.pitchElems % width != 0 || entry + width > placed.pitchElems)
      continue;
    const std::string name = fmt::format("v{}_{}", message, entry);
    const uint32_t load =
        add(fmt::format("const {0}{1} {2} = MPF_LD({3}, MPF_VEC(const {0}{1}, r{4}[{5}]));", entry_,
                        width, name, site, message, entry),
            {row});
    Statement parts{{}, 0};
    constexpr char kParts[] = "xyzw";
    for (uint64_t part = 0; part < width && entry + part < size; ++part, ++parts.values)
      parts.lines.push_back(
          {fmt::format("{} {} = {}.{};", entry_, nameOf(message, entry + part), name, kParts[part]),
           {load}});
    const uint32_t given = add(std::move(parts));
    for (uint64_t part = 0; part < width && entry + part < size; ++part)
      entryAt_[message][entry + part] = given;
    return width;
  }
  entryAt_[message][entry] = add(fmt::format("{} {} = MPF_LD({}, r{}[{}]);", entry_,
                                             nameOf(message, entry), site, message, entry),
                                 {row});
  return 1;
}

std::string LaneStatements::literal(uint32_t table, uint64_t entry, double &value) const {
  const WideNumber &wide = parts_.common.table(table)[entry];
  const int64_t scale = parts_.plan.scales[table];
  value =
      wide.mantissa == 0 ? 0 : std::ldexp(wide.mantissa, static_cast<int>(wide.exponent - scale));
  if (isFloat())
    value = static_cast<double>(static_cast<float>(value));
  return fmt::format("{:a}{}", value, isFloat() ? "f" : "");
}

/// Returns one product, without text if it is known to be 0.
StatementLine LaneStatements::term(const LaneOperation &operation, const LaneAddresses &addresses,
                                   size_t k, size_t r) const {
  StatementLine line;
  double factor = 1;
  size_t literals = 0;
  std::string only;
  for (size_t s = 0; s < operation.operands.size(); ++s) {
    const uint32_t table = operation.operands[s].table;
    const uint64_t entry = addresses.slots[s].kept[k] + addresses.slots[s].reduced[r];
    if (parts_.program.tables[table].perCase()) {
      if (isZero_[table][entry])
        return {};
      line.text += (line.text.empty() ? "" : " * ") + nameOf(table, entry);
      line.reads.push_back(entryAt_[table][entry]);
      continue;
    }
    double value = 0;
    only = literal(table, entry, value);
    if (value == 0)
      return {};
    factor *= value;
    ++literals;
  }
  if (literals == 0 || (factor == 1 && !line.text.empty()))
    return line;
  const std::string number =
      literals == 1 ? only : fmt::format("{:a}{}", factor, isFloat() ? "f" : "");
  line.text = line.text.empty() ? number : line.text + " * " + number;
  return line;
}

void LaneStatements::addStep(const LaneOperation &operation) {
  const LaneAddresses addresses = laneAddresses(operation);
  const uint32_t result = operation.result.table;
  begin(result);
  // Few sums of many terms are added up side by side, so that all readers of an entry are close
  // together.
  if (addresses.keptCount > 1 && addresses.keptCount < addresses.reducedCount)
    addMessage(operation, addresses);
  else
    for (size_t k = 0; k < addresses.keptCount; ++k)
      addEntry(operation, addresses, k);
  std::vector<uint32_t> operands;
  for (const LaneAccess &operand : operation.operands)
    operands.push_back(operand.table);
  addRescaling(result, operands);
}

StatementLine LaneStatements::maximum(const std::string &name, StatementLine term) const {
  term.text = fmt::format("{0} = mpfMax<{1}>({0}, {2});", name, entry_, term.text);
  return term;
}

void LaneStatements::addZero(uint32_t message, uint64_t entry) {
  isZero_[message][entry] = 1;
  entryAt_[message][entry] =
      add(fmt::format("const {} {} = 0;", entry_, nameOf(message, entry)), {});
}

void LaneStatements::addEntry(const LaneOperation &operation, const LaneAddresses &addresses,
                              size_t k) {
  const uint32_t result = operation.result.table;
  const uint64_t entry = addresses.slots.back().kept[k];
  const std::string name = nameOf(result, entry);
  const bool isMax = operation.semiring.reduce == Reduce::Max;
  Statement sum;
  size_t terms = 0;
  for (size_t r = 0; r < addresses.reducedCount; ++r) {
    StatementLine next = term(operation, addresses, k, r);
    if (next.text.empty())
      continue;
    if (terms == 0) {
      next.text = fmt::format("{} {} = {};", entry_, name, next.text);
      sum.lines.push_back(std::move(next));
    } else if (isMax) {
      sum.lines.push_back(maximum(name, std::move(next)));
    } else if (terms % kTermsPerLine == 0) {
      next.text = fmt::format("{0} = {0} + {1};", name, next.text);
      sum.lines.push_back(std::move(next));
    } else {
      StatementLine &line = sum.lines.back();
      line.text.pop_back();
      line.text += fmt::format(" + {};", next.text);
      line.reads.insert(line.reads.end(), next.reads.begin(), next.reads.end());
    }
    ++terms;
  }
  if (terms == 0)
    addZero(result, entry);
  else
    entryAt_[result][entry] = add(std::move(sum));
}

void LaneStatements::addMessage(const LaneOperation &operation, const LaneAddresses &addresses) {
  const uint32_t result = operation.result.table;
  const bool isMax = operation.semiring.reduce == Reduce::Max;
  Statement sums{{}, 0};
  std::vector<char> isBegun(addresses.keptCount, 0);
  for (size_t r = 0; r < addresses.reducedCount; ++r)
    for (size_t k = 0; k < addresses.keptCount; ++k) {
      StatementLine next = term(operation, addresses, k, r);
      if (next.text.empty())
        continue;
      const std::string name = nameOf(result, addresses.slots.back().kept[k]);
      if (std::exchange(isBegun[k], 1) == 0)
        next.text = fmt::format("{} {} = {};", entry_, name, next.text);
      else if (isMax)
        next = maximum(name, std::move(next));
      else
        next.text = fmt::format("{0} = {0} + {1};", name, next.text);
      sums.lines.push_back(std::move(next));
    }
  for (const char begun : isBegun)
    sums.values += begun;
  const uint32_t given = sums.lines.empty() ? 0 : add(std::move(sums));
  for (size_t k = 0; k < addresses.keptCount; ++k)
    if (const uint64_t entry = addresses.slots.back().kept[k]; isBegun[k])
      entryAt_[result][entry] = given;
    else
      addZero(result, entry);
}

uint32_t LaneStatements::addArray(uint32_t message) {
  std::string entries;
  for (uint64_t e = 0; e < entryAt_[message].size(); ++e)
    entries += (e == 0 ? "" : ", ") + nameOf(message, e);
  return add(Statement{{{fmt::format("const {} a{}[{}] = {{{}}};", entry_, message,
                                     entryAt_[message].size(), entries),
                         entryAt_[message]}},
                       static_cast<uint32_t>(entryAt_[message].size())});
}

/// Adds the exponent of a lane's message, and rescales its entries if the plan rescales them.
void LaneStatements::addRescaling(uint32_t message, const std::vector<uint32_t> &operands) {
  const LinearPlan &plan = parts_.plan;
  if (plan.hasExponent[message] == 0)
    return;
  StatementLine exponent;
  for (const uint32_t operand : operands)
    if (plan.hasExponent[operand] != 0) {
      exponent.text += fmt::format("{}x{}", exponent.text.empty() ? "" : " + ", operand);
      exponent.reads.push_back(exponentAt_[operand]);
    }
  std::vector<std::string> names;
  for (uint64_t e = 0; e < entryAt_[message].size(); ++e)
    if (!isZero_[message][e])
      names.push_back(nameOf(message, e));
  if (plan.rescaled[message] == 0 || names.empty()) {
    exponentAt_[message] =
        add(fmt::format("const int x{} = {};", message,
                        plan.rescaled[message] == 0 ? exponent.text : std::string("0")),
            exponent.reads);
    return;
  }
  Statement rescaling{{}, static_cast<uint32_t>(names.size() + 1)};
  for (std::string &line : rescalingLines(plan, entry_, message, names))
    rescaling.lines.push_back({std::move(line), {}});
  rescaling.lines.front().reads = entryAt_[message];
  if (!exponent.text.empty())
    rescaling.lines.push_back({fmt::format("x{} += {};", message, exponent.text), exponent.reads});
  const uint32_t given = add(std::move(rescaling));
  watching_.push_back(given);
  exponentAt_[message] = given;
  entryAt_[message].assign(entryAt_[message].size(), given);
}

} // namespace mpf
