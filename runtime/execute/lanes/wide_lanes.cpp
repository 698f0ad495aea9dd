#include "runtime/execute/lanes/wide_lanes.h"

#include "dsl/support/counts.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace mpf {

namespace {

/// The greatest distance, in binary orders, of entries that doubles hold with all digits.
constexpr int64_t kMostApart = 1000;

} // namespace

WideLanes::WideLanes(const LaneProgram &program, const CommonTables &common)
    : program_(program), common_(common), decoder_(program), arena_(program.laneElems) {
  for (const LaneOutput &output : program.outputs)
    outputs_.push_back(outputAddresses(output));
  for (size_t number = 0; number < program.schema.weightTableCount(); ++number)
    weights_.emplace_back(program.schema.weightTableElems(number));
}

uint64_t WideLanes::bytes(const LaneProgram &program) {
  uint64_t addresses = 0; // those of the step with the most
  for (const LaneStep &step : program.steps)
    if (const auto *operation = std::get_if<LaneOperation>(&step))
      addresses = std::max(addresses, laneAddressCount(*operation));
  for (const LaneOutput &output : program.outputs)
    addresses = saturatingAdd(addresses, output.sizeElems());
  const uint64_t entries = saturatingAdd(program.laneElems, program.schema.weightCount());
  return saturatingAdd(saturatingMul(entries, sizeof(WideNumber)),
                       saturatingMul(addresses, sizeof(uint64_t)));
}

const WideNumber *WideLanes::entriesOf(uint32_t index) const {
  const LaneTable &table = program_.tables[index];
  switch (table.kind) {
  case LaneTableKind::Message:
    return arena_.data() + table.offsetElems;
  case LaneTableKind::Weights:
    return weights_[table.source].data();
  case LaneTableKind::Values:
  case LaneTableKind::Common:
    return common_.table(index).data();
  case LaneTableKind::Indicator:
    break;
  }
  MPF_UNREACHABLE("kind of table {}", static_cast<int>(table.kind));
}

void WideLanes::loadWeights(const CaseBlock &block, uint32_t i) {
  size_t row = 0;
  for (std::vector<WideNumber> &weights : weights_)
    for (WideNumber &weight : weights)
      weight = WideNumber::of(block.weights()[row++ * block.pitch() + i]);
  const auto far = block.far.find(i);
  if (far == block.far.end())
    return;
  row = 0;
  std::vector<WideNumber *> all;
  for (std::vector<WideNumber> &weights : weights_)
    for (WideNumber &weight : weights)
      all.push_back(&weight);
  for (const FarValue &one : far->second)
    *all[one.index] = WideNumber::of(one.value.mantissa, one.value.exponent);
}

void WideLanes::gather(const LaneGather &gather, const CaseBlock &block, uint32_t i) {
  if (program_.tables[gather.table].kind == LaneTableKind::Indicator)
    return writeAllowed(gather, block.code(gather.codes[0].column, i));
  uint64_t row = 0;
  for (const LaneCode &code : gather.codes)
    row += block.code(code.column, i) * code.strideElems;
  const LaneTable &message = program_.tables[gather.message];
  std::copy_n(common_.table(gather.table).data() + row, message.sizeElems,
              arena_.data() + message.offsetElems);
}

void WideLanes::writeAllowed(const LaneGather &gather, uint32_t code) {
  const LaneTable &message = program_.tables[gather.message];
  WideNumber *const to = arena_.data() + message.offsetElems;
  std::fill_n(to, message.sizeElems, code == message.sizeElems ? WideNumber::of(1) : WideNumber{});
  if (code < message.sizeElems)
    to[code] = WideNumber::of(1);
}

void WideLanes::run(const CaseBlock &block, uint32_t i, CaseAnswers &answers) {
  loadWeights(block, i);
  std::vector<const WideNumber *> tables;
  for (const LaneStep &step : program_.steps) {
    if (const auto *row = std::get_if<LaneGather>(&step)) {
      gather(*row, block, i);
      continue;
    }
    const auto &operation = std::get<LaneOperation>(step);
    tables.clear();
    for (const LaneAccess &operand : operation.operands)
      tables.push_back(entriesOf(operand.table));
    runWide(operation, tables, arena_.data() + program_.tables[operation.result.table].offsetElems);
  }
  for (size_t o = 0; o < program_.outputs.size(); ++o)
    write(o, i, answers.tables[o]);
  if (answers.variables != 0)
    decoder_.decode([this](uint32_t table, uint64_t address) { return entriesOf(table)[address]; },
                    answers.states.data() + i * answers.variables);
}

void WideLanes::write(size_t output, uint32_t i, CaseTable &table) const {
  const WideNumber *const entries = entriesOf(program_.outputs[output].access.table);
  const std::vector<uint64_t> &addresses = outputs_[output];
  int64_t least = INT64_MAX, greatest = INT64_MIN; // exponents
  for (const uint64_t address : addresses)
    if (entries[address].mantissa != 0) {
      least = std::min(least, entries[address].exponent);
      greatest = std::max(greatest, entries[address].exponent);
    }
  table.exponents[i] = 0;
  double *const to = table.entries.data() + i * table.size;
  std::fill_n(to, table.size, 0);
  if (least > greatest) // all are 0
    return;
  double sum = 0;
  for (size_t e = 0; e < addresses.size(); ++e) {
    const WideNumber &entry = entries[addresses[e]];
    to[e] = std::ldexp(entry.mantissa,
                       static_cast<int>(std::max<int64_t>(entry.exponent - greatest, -2000)));
    sum += to[e];
  }
  if (table.normalised) {
    for (size_t e = 0; e < addresses.size(); ++e)
      to[e] = sum == 0 ? 0 : to[e] / sum;
    if (sum == 0)
      return;
  }
  table.exponents[i] = table.normalised ? 0 : static_cast<int32_t>(greatest);
  if (greatest - least <= kMostApart)
    return;
  std::vector<ScaledNumber> all;
  for (const uint64_t address : addresses) {
    const WideNumber &entry = entries[address];
    all.push_back(table.normalised
                      ? ScaledNumber::fromValue(entry.mantissa / sum, entry.exponent - greatest)
                      : ScaledNumber::fromValue(entry.mantissa, entry.exponent));
  }
  static std::mutex isWritten; // the only memory that cases share, and seldom
  const std::lock_guard lock(isWritten);
  table.farApart[i] = std::move(all);
}

} // namespace mpf
