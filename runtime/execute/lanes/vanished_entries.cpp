#include "runtime/execute/lanes/vanished_entries.h"

#include "codegen/bundle/table_state.h"
#include "dsl/support/wide_table.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace mpf {

namespace {

/// Tables of probabilities reach as far.
constexpr int64_t kUsualSpread = 64;

/// Binary orders between the entries of a table that are not 0.
class EntrySpread {
public:
  void add(const ScaledNumber &entry) {
    if (entry.mantissa == 0)
      return;
    least_ = std::min(least_, entry.exponent);
    greatest_ = std::max(greatest_, entry.exponent);
  }
  int64_t orders() const { return least_ > greatest_ ? 0 : greatest_ - least_ + 1; }

private:
  int64_t least_ = INT64_MAX, greatest_ = INT64_MIN;
};

/// Entries of a result lie no further apart than those of all operands together.
void addOrders(const LaneOperation &operation, std::vector<int64_t> &orders) {
  int64_t sum = 0;
  for (const LaneAccess &operand : operation.operands)
    sum += orders[operand.table];
  orders[operation.result.table] = sum;
}

} // namespace

VanishedEntries::VanishedEntries(const LaneProgram &program,
                                 std::span<const std::span<const double>> values)
    : program_(program), isAsked_(traitsOf(program.kind).outputs == QueryOutputs::Asked &&
                                  program.outputs.front().normalised) {
  if (!isAsked_)
    return;
  for (size_t v = 0; v < values.size(); ++v) {
    const StoredValues stored(values[v], program.values[v].sizeElems);
    EntrySpread spread;
    for (uint64_t i = 0; i < stored.size(); ++i)
      spread.add(stored.at(i));
    spreads_.push_back(spread.orders());
  }
  for (const VarId variable : program.outputs.front().variables) {
    const auto found =
        std::ranges::find(program.schema.observed, variable, &CaseVariable::variable);
    columns_.push_back(found == program.schema.observed.end()
                           ? kNone
                           : static_cast<size_t>(found - program.schema.observed.begin()));
  }
}

bool VanishedEntries::isRuledOut(const CaseBlock &block, uint32_t i, size_t entry) const {
  const std::vector<uint32_t> &extents = program_.outputs.front().extents;
  for (size_t v = extents.size(); v-- > 0; entry /= extents[v])
    if (columns_[v] != kNone) {
      const uint32_t code = block.code(columns_[v], i);
      if (code < extents[v] && code != entry % extents[v])
        return true;
    }
  return false;
}

bool VanishedEntries::mayVanish(const CaseBlock &block, uint32_t i, ElementType type) const {
  std::vector<int64_t> orders(program_.tables.size(), 0);
  int64_t most = 0;
  for (size_t t = 0; t < program_.tables.size(); ++t) {
    const LaneTable &table = program_.tables[t];
    if (table.kind == LaneTableKind::Values)
      orders[t] = spreads_[table.source];
    if (table.kind == LaneTableKind::Weights) {
      const size_t first = program_.schema.firstWeight(table.source);
      EntrySpread spread;
      for (uint64_t e = 0; e < table.sizeElems; ++e)
        spread.add(block.weight(first + e, i));
      orders[t] = spread.orders();
    }
    most = std::max(most, orders[t]);
  }
  if (most <= kUsualSpread)
    return false;
  for (const LaneOperation &operation : program_.commonOperations)
    addOrders(operation, orders);
  for (const LaneStep &step : program_.steps)
    if (const auto *operation = std::get_if<LaneOperation>(&step))
      addOrders(*operation, orders);
    else if (const auto &gather = std::get<LaneGather>(step); true)
      orders[gather.message] = orders[gather.table];
  constexpr int64_t kRoom = 64; // for sums, and for the scales of messages
  return orders[program_.outputs.front().access.table] + kRoom > exponentRange(type).greatest;
}

void VanishedEntries::add(const CaseBlock &block, const CaseAnswers &answers, ElementType type,
                          std::vector<uint32_t> &left) const {
  if (!isAsked_)
    return;
  const CaseTable &table = answers.tables.front();
  const double leastNormal = std::ldexp(1, exponentRange(type).least);
  for (uint32_t i = 0; i < block.count; ++i) {
    const double *const entries = table.entries.data() + size_t{i} * table.size;
    for (size_t e = 0; e < table.size; ++e) {
      if (std::abs(entries[e]) >= leastNormal || isRuledOut(block, i, e))
        continue;
      if (mayVanish(block, i, type))
        left.push_back(i);
      break;
    }
  }
}

} // namespace mpf
