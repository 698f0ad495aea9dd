#include "codegen/bundle/lanes/linear_plan.h"

#include "codegen/bundle/lanes/shared_tables.h"
#include "codegen/bundle/table_state.h"

#include <algorithm>

namespace mpf {

namespace {

/// Binary orders, by element type.
struct Orders {
  int64_t product;  ///< the most of a product: between normal numbers and what sums may add to
  int64_t rescaled; ///< of a rescaled message
};
constexpr Orders ordersOf(ElementType type) {
  return type == ElementType::F32 ? Orders{220, 72} : Orders{1900, 600};
}

/// Where products of many messages do not fit, each is held to less, down to this part.
constexpr int64_t kLeastShare = 4;

/// Messages of so many entries are rescaled only where they must be.
constexpr int64_t kManyEntries = 12;

class LinearPlanner {
public:
  LinearPlanner(const LaneProgram &program, const CommonTables &common, ElementType type,
                const Orders &orders)
      : program_(program), common_(common), orders_(orders), least_(exponentRange(type).least),
        spreads_(program.tables.size(), 0) {
    plan_.scales.assign(program.tables.size(), 0);
    plan_.rescaled.assign(program.tables.size(), 0);
    plan_.greatestExponent = static_cast<int>(orders_.rescaled / 2) - 1;
    plan_.orders = static_cast<int>(orders_.rescaled) - 1;
  }

  LinearPlan plan() {
    addShared();
    for (const LaneStep &step : program_.steps)
      if (const auto *gather = std::get_if<LaneGather>(&step))
        addGather(*gather);
      else
        addOperation(std::get<LaneOperation>(step));
    for (const LaneTraceback &step : program_.traceback) {
      std::vector<uint32_t> tables;
      for (const LaneTraceback::Table &table : step.tables)
        tables.push_back(table.access.table);
      fit(tables);
    }
    findExponents();
    return std::move(plan_);
  }

private:
  void addShared() {
    for (uint32_t i = 0; i < program_.tables.size(); ++i) {
      if (program_.tables[i].kind == LaneTableKind::Weights) { // of any magnitude
        rescale(i);
        plan_.isSigned |= !program_.schema.isNonNegative(program_.tables[i].source);
      }
      if (program_.tables[i].kind == LaneTableKind::Indicator)
        spreads_[i] = 1;
    }
    for (const uint32_t i : sharedTables(program_)) {
      const ExponentBounds bounds = common_.bounds(i);
      plan_.isSigned |= bounds.negative;
      if (bounds.allZero())
        continue;
      spreads_[i] = bounds.greatest + 1 - bounds.least;
      plan_.scales[i] = bounds.least + spreads_[i] / 2;
      plan_.possible &= bounds.least - plan_.scales[i] >= least_;
    }
  }

  void addGather(const LaneGather &gather) {
    plan_.scales[gather.message] = plan_.scales[gather.table];
    spreads_[gather.message] = spreads_[gather.table];
  }

  void addOperation(const LaneOperation &operation) {
    std::vector<uint32_t> tables;
    for (const LaneAccess &operand : operation.operands)
      tables.push_back(operand.table);
    fit(tables);
    const uint32_t result = operation.result.table;
    for (const uint32_t table : tables)
      plan_.scales[result] += plan_.scales[table];
    spreads_[result] = spreadOf(tables);
    // Sums of values of both signs may cancel to any magnitude.
    if ((plan_.isSigned && operation.semiring.reduce == Reduce::Sum) ||
        spreads_[result] > rescaledAbove(result))
      rescale(result);
  }

  int64_t spreadOf(const std::vector<uint32_t> &tables) const {
    int64_t spread = 0;
    for (const uint32_t table : tables)
      spread += spreads_[table];
    return spread;
  }

  /// Small messages are rescaled as soon as that gains anything, so that large ones need not be.
  int64_t rescaledAbove(uint32_t message) const {
    const auto entries = static_cast<int64_t>(program_.tables[message].sizeElems);
    return orders_.rescaled + (orders_.product / 2 - orders_.rescaled) *
                                  std::min(entries, kManyEntries) / kManyEntries;
  }

  /// Rescales messages among `tables` until their product is within the type: those first that gain
  /// most for each of their entries.
  void fit(const std::vector<uint32_t> &tables) {
    while (spreadOf(tables) > orders_.product) {
      const auto gain = [this](uint32_t table) {
        return program_.tables[table].perCase()
                   ? static_cast<double>(spreads_[table] - orders_.rescaled) /
                         static_cast<double>(program_.tables[table].sizeElems)
                   : 0;
      };
      const uint32_t best =
          *std::max_element(tables.begin(), tables.end(),
                            [&gain](uint32_t a, uint32_t b) { return gain(a) < gain(b); });
      if (gain(best) <= 0) {
        plan_.possible = false;
        return;
      }
      rescale(best);
    }
  }

  void rescale(uint32_t table) {
    plan_.rescaled[table] = 1;
    spreads_[table] = orders_.rescaled;
  }

  void findExponents() {
    plan_.hasExponent = plan_.rescaled;
    for (const LaneStep &step : program_.steps)
      if (const auto *operation = std::get_if<LaneOperation>(&step))
        for (const LaneAccess &operand : operation->operands)
          plan_.hasExponent[operation->result.table] |= plan_.hasExponent[operand.table];
  }

  const LaneProgram &program_;
  const CommonTables &common_;
  const Orders orders_;
  const int64_t least_;          ///< exponent of normal numbers
  std::vector<int64_t> spreads_; ///< by table
  LinearPlan plan_;
};

} // namespace

LinearPlan planLinear(const LaneProgram &program, const CommonTables &common, ElementType type) {
  LinearPlan plan;
  for (int64_t share = 1; share <= kLeastShare; ++share) {
    Orders orders = ordersOf(type);
    orders.rescaled /= share;
    plan = LinearPlanner(program, common, type, orders).plan();
    if (plan.possible)
      break;
  }
  return plan;
}

} // namespace mpf
