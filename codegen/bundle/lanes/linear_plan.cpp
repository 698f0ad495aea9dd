#include "codegen/bundle/lanes/linear_plan.h"

#include "codegen/bundle/lanes/shared_tables.h"
#include "codegen/bundle/table_state.h"

#include <algorithm>
#include <variant>

namespace mpf {

namespace {

/// Limits of spreads, in binary orders, by element type.
struct Orders {
  /// Limit for a product: its entries are normal, and sums of them do not overflow.
  int64_t product;
  int64_t rescaled; ///< spread of a rescaled message
};

/// Returns the bounds of a type. With those of F64, a rescaled message may be multiplied by three
/// rescaled tables before its product is rescaled; one pass of butterflies takes as many. F32 has
/// no orders to spare for that.
constexpr Orders ordersOf(ElementType type) {
  return type == ElementType::F32 ? Orders{220, 72} : Orders{1900, 475};
}

/// If products of many messages do not fit, the orders of each message are bounded by less, down to
/// this part.
constexpr int64_t kLeastShare = 4;

/// A bound of scales, in binary orders; sums of a few scales fit the 32 bits that a case has for
/// them. No message of a model reaches it, but a hostile program may multiply a message by itself
/// again and again.
constexpr int64_t kMostOrders = int64_t{1} << 28;

/// A bound of a lane's exponents, which add up like scales and are added to them. Half a million
/// rescaled messages of a model do not reach it.
constexpr int64_t kMostExponent = int64_t{1} << 30;

/// Returns the most that one rescaling of a message may add to the exponent of a lane: it may move
/// any entry of the type to any other magnitude.
constexpr int64_t orderRange(ElementType type) {
  return exponentRange(type).greatest - exponentRange(type).least + 1;
}

/// The cost of rescaling a message in addition to its entries, in entries.
constexpr uint64_t kPriceElems = 2;

class LinearPlanner {
public:
  LinearPlanner(const LaneProgram &program, const CommonTables &common, ElementType type,
                const Orders &orders)
      : program_(program), common_(common), orders_(orders), least_(exponentRange(type).least),
        orderRange_(orderRange(type)), spreads_(program.tables.size(), 0),
        producers_(program.tables.size(), nullptr) {
    plan_.scales.assign(program.tables.size(), 0);
    plan_.rescaled.assign(program.tables.size(), 0);
    plan_.greatestExponent = static_cast<int>(orders_.rescaled / 2) - 1;
    plan_.orders = static_cast<int>(orders_.rescaled) - 1;
  }

  LinearPlan plan() {
    addShared();
    for (const LaneStep &step : program_.steps) {
      if (const auto *gather = std::get_if<LaneGather>(&step)) {
        addGather(*gather);
      } else {
        const auto &operation = std::get<LaneOperation>(step);
        const std::vector<uint32_t> operands = operandsOf(operation);
        fit(operands);
        addOperation(operation, operands);
      }
      producers_[messageOf(step)] = &step;
    }
    for (const LaneTraceback &step : program_.traceback) {
      std::vector<uint32_t> tables;
      for (const LaneTraceback::Table &table : step.tables)
        tables.push_back(table.access.table);
      fit(tables);
    }
    findExponents();
    findOutputOrders();
    return std::move(plan_);
  }

private:
  void addShared() {
    for (uint32_t i = 0; i < program_.tables.size(); ++i) {
      if (program_.tables[i].kind == LaneTableKind::Weights) { // they may have any magnitude
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
      const int64_t least = held(bounds.least), greatest = held(bounds.greatest);
      spreads_[i] = greatest + 1 - least;
      plan_.scales[i] = least + spreads_[i] / 2;
      plan_.possible &= least - plan_.scales[i] >= least_;
    }
  }

  /// Returns a scale within kMostOrders, so that sums of scales cannot overflow. If `orders` is
  /// beyond, linear arithmetic is not possible.
  int64_t held(int64_t orders) {
    const int64_t nearest = std::clamp(orders, -kMostOrders, kMostOrders);
    plan_.possible &= nearest == orders;
    return nearest;
  }

  void addGather(const LaneGather &gather) {
    plan_.scales[gather.message] = plan_.scales[gather.table];
    spreads_[gather.message] = spreads_[gather.table];
  }

  static std::vector<uint32_t> operandsOf(const LaneOperation &operation) {
    std::vector<uint32_t> tables;
    for (const LaneAccess &operand : operation.operands)
      tables.push_back(operand.table);
    return tables;
  }

  static uint32_t messageOf(const LaneStep &step) {
    const auto *gather = std::get_if<LaneGather>(&step);
    return gather != nullptr ? gather->message : std::get<LaneOperation>(step).result.table;
  }

  void addOperation(const LaneOperation &operation, const std::vector<uint32_t> &operands) {
    const uint32_t result = operation.result.table;
    int64_t scale = 0;
    for (const uint32_t table : operands)
      scale += plan_.scales[table];
    plan_.scales[result] = held(scale);
    spreads_[result] = spreadOf(operands);
    // Sums of values of both signs may cancel to any magnitude.
    if (plan_.isSigned && operation.semiring.reduce == Reduce::Sum)
      rescale(result);
  }

  int64_t spreadOf(const std::vector<uint32_t> &tables) const {
    int64_t spread = 0;
    for (const uint32_t table : tables)
      spread += spreads_[table];
    return std::min(spread, kMostOrders);
  }

  /// Rescales messages until the product of `tables` is within the type. Each time it chooses,
  /// among all messages that lead to the product, the one that gains most for each of its entries.
  void fit(const std::vector<uint32_t> &tables) {
    while (plan_.possible && spreadOf(tables) > orders_.product) {
      const int64_t excess = spreadOf(tables) - orders_.product;
      const std::vector<uint32_t> leading = leadingTo(tables);
      double best = 0;
      uint32_t chosen = 0;
      for (const uint32_t table : leading) {
        const int64_t gain = std::min(spreads_[table] - orders_.rescaled, excess);
        const double worth = static_cast<double>(gain) /
                             static_cast<double>(kPriceElems + program_.tables[table].sizeElems);
        if (worth > best) {
          best = worth;
          chosen = table;
        }
      }
      plan_.possible = best > 0;
      if (!plan_.possible)
        return;
      rescale(chosen);
      for (size_t i = leading.size(); i-- > 0;) // writers come after their readers in the list
        if (plan_.rescaled[leading[i]] == 0)
          spreads_[leading[i]] = spreadOfProduced(leading[i]);
    }
  }

  /// Returns the messages among `tables` and those that they depend on, up to rescaled ones.
  /// Readers come before the messages that they read.
  std::vector<uint32_t> leadingTo(const std::vector<uint32_t> &tables) const {
    std::vector<uint32_t> leading;
    std::vector<char> isIn(program_.tables.size(), 0);
    const auto add = [&](uint32_t table) {
      if (program_.tables[table].kind == LaneTableKind::Message && isIn[table] == 0 &&
          plan_.rescaled[table] == 0) {
        isIn[table] = 1;
        leading.push_back(table);
      }
    };
    for (const uint32_t table : tables)
      add(table);
    for (size_t i = 0; i < leading.size(); ++i)
      if (const auto *operation = std::get_if<LaneOperation>(producers_[leading[i]]))
        for (const LaneAccess &operand : operation->operands)
          add(operand.table);
    // The messages that are written last come first.
    std::sort(leading.begin(), leading.end(),
              [this](uint32_t a, uint32_t b) { return producers_[a] > producers_[b]; });
    return leading;
  }

  int64_t spreadOfProduced(uint32_t message) const {
    const LaneStep &step = *producers_[message];
    if (const auto *gather = std::get_if<LaneGather>(&step))
      return spreads_[gather->table];
    return spreadOf(operandsOf(std::get<LaneOperation>(step)));
  }

  void rescale(uint32_t table) {
    plan_.rescaled[table] = 1;
    spreads_[table] = orders_.rescaled;
  }

  void findExponents() {
    plan_.hasExponent = plan_.rescaled;
    std::vector<int64_t> greatest(program_.tables.size(), 0); // magnitude of a lane's exponent
    for (uint32_t i = 0; i < program_.tables.size(); ++i)
      greatest[i] = plan_.rescaled[i] != 0 ? orderRange_ : 0;
    for (const LaneStep &step : program_.steps)
      if (const auto *operation = std::get_if<LaneOperation>(&step)) {
        const uint32_t result = operation->result.table;
        for (const LaneAccess &operand : operation->operands) {
          plan_.hasExponent[result] |= plan_.hasExponent[operand.table];
          greatest[result] = std::min(greatest[result] + greatest[operand.table], kMostExponent);
        }
        plan_.possible &= greatest[result] < kMostExponent;
      }
  }

  /// Adds up spreads as the steps do. A sum may exceed its greatest term; spreads_ leaves the room
  /// for that to the limits of Orders.
  void findOutputOrders() {
    std::vector<int64_t> apart = spreads_;
    for (const LaneStep &step : program_.steps)
      if (const auto *operation = std::get_if<LaneOperation>(&step)) {
        const uint32_t result = operation->result.table;
        if (plan_.rescaled[result] != 0)
          continue;
        int64_t sum = operation->termsLog2();
        for (const LaneAccess &operand : operation->operands)
          sum += apart[operand.table];
        apart[result] = std::min(sum, kMostOrders);
      }
    for (const LaneOutput &output : program_.outputs)
      plan_.outputOrders.push_back(apart[output.access.table] + ceilLog2(output.sizeElems()));
  }

  const LaneProgram &program_;
  const CommonTables &common_;
  const Orders orders_;
  const int64_t least_;                     ///< exponent of normal numbers
  const int64_t orderRange_;                ///< of the type's normal numbers
  std::vector<int64_t> spreads_;            ///< by table
  std::vector<const LaneStep *> producers_; ///< by table: the step that writes it
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

bool mayVanish(const LaneProgram &program, const LinearPlan &plan, size_t output,
               ElementType type) {
  return program.outputs[output].normalised &&
         plan.outputOrders[output] > -exponentRange(type).least;
}

} // namespace mpf
