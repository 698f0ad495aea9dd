#include "tests/oracle/interpret/interpret_kernel.h"

#include "codegen/kernel/plan/bank_conflicts.h"
#include "codegen/kernel/plan/kernel_shape.h"
#include "codegen/kernel/plan/page_sequence.h"
#include "tests/oracle/brute/reduce_values.h"
#include "tests/oracle/interpret/interpret_matrix.h"

#include <map>
#include <optional>

namespace mpf {

namespace {
using Indices = std::vector<uint64_t>; ///< current index of every axis
using Value = std::optional<double>;   ///< nothing: outside a guarded extent, or not yet written

class Interpreter {
public:
  Interpreter(const NestPlan &plan, const std::vector<std::vector<double>> &operands)
      : plan_(plan), operands_(operands), rules_(plan.form.semiring, plan.valueForm),
        registers_(axesOfRole(plan, AxisRole::Register)), sums_(axesOfRole(plan, AxisRole::Sum)),
        index_(plan.axes.size(), 0), result_(plan.form.result.sizeElems),
        shared_(plan.launch.sharedBytes / elementBytes(plan.type)) {}

  Interpretation run();

private:
  void runBlock();
  void runThreadPage(uint32_t thread);
  void stage(const Segment &segment);
  void runSums(uint32_t depth);
  void loadFragment(uint32_t operand);
  void formProduct(uint32_t step);
  void reduceTerms();

  void setMixedRadix(AxisRange axes, uint64_t number) {
    for (uint32_t a = axes.end; a-- > axes.begin;) {
      index_[a] = number % plan_.axes[a].extent;
      number /= plan_.axes[a].extent;
    }
  }
  uint64_t digitValue(size_t digit) const {
    uint64_t value = 0;
    for (size_t a = 0; a < plan_.axes.size(); ++a)
      if (plan_.axes[a].digit.index() == digit)
        value += index_[a] * plan_.axes[a].step;
    return value;
  }
  bool inside(const DigitAccess *access, bool reducedOnly = false) const {
    for (size_t d = 0; d < plan_.form.digits.size(); ++d) {
      if (access != nullptr && access->stridesElems[d] == 0)
        continue;
      if (reducedOnly && !plan_.form.digits[d].reduced)
        continue;
      if (digitValue(d) >= plan_.form.digits[d].extent)
        return false;
    }
    return true;
  }
  uint64_t offset(const DigitAccess &access) const {
    uint64_t at = 0;
    for (size_t d = 0; d < plan_.form.digits.size(); ++d)
      at += digitValue(d) * access.stridesElems[d];
    return at;
  }
  Value readTable(uint32_t operand) {
    const DigitAccess &access = plan_.form.operands[operand];
    if (!inside(&access))
      return {};
    const uint64_t at = offset(access);
    if (at >= operands_[operand].size()) {
      fault(fmt::format("operand {} read at {} of {}", operand, at, operands_[operand].size()));
      return {};
    }
    return operands_[operand][at];
  }
  void fault(std::string what) {
    if (fault_.empty())
      fault_ = std::move(what);
  }
  /// Calls `body` for every combination of the axes for which `varies` holds.
  template <class Varies, class Body> void forAxes(AxisRange axes, Varies varies, Body body) {
    forAxesFrom(axes.begin, axes.end, varies, body);
  }
  template <class Varies, class Body>
  void forAxesFrom(uint32_t axis, uint32_t end, Varies varies, Body body) {
    if (axis == end)
      return body();
    const uint64_t saved = index_[axis];
    const uint64_t extent = varies(axis) ? plan_.axes[axis].extent : 1;
    for (uint64_t i = 0; i < extent; ++i) {
      index_[axis] = extent == 1 ? saved : i;
      forAxesFrom(axis + 1, end, varies, body);
    }
    index_[axis] = saved;
  }
  /// Returns the register (and for preloaded fragments sum) indices that a source's value belongs
  /// to.
  std::vector<uint64_t> slot(uint32_t source) const {
    std::vector<uint64_t> key;
    for (uint32_t a = registers_.begin; a < registers_.end; ++a)
      key.push_back(sourceVaries(plan_, source, a) ? index_[a] : 0);
    if (source < plan_.segments.size() && plan_.segments[source].placement == Placement::Registers)
      for (uint32_t a = sums_.begin; a < sums_.end; ++a)
        key.push_back(sourceVaries(plan_, source, a) ? index_[a] : 0);
    return key;
  }

  const NestPlan &plan_;
  const std::vector<std::vector<double>> &operands_;
  ValueRules rules_;
  AxisRange registers_, sums_;
  Indices index_;
  std::vector<Value> result_;
  std::vector<Value> shared_;
  std::vector<bool> sharedWritten_;
  std::vector<std::map<std::vector<uint64_t>, Value>> sources_; ///< sources of the running thread
  /// Accumulators by thread and register index: they live over inner pages.
  std::vector<std::map<std::vector<uint64_t>, double>> accumulators_;
  std::vector<std::vector<std::map<std::vector<uint64_t>, Value>>> kept_; ///< Registers fragments
  const Page *page_ = nullptr;
  std::string fault_;
};

Interpretation Interpreter::run() {
  for (uint64_t block = 0; block < plan_.launch.gridBlocks; ++block) {
    setMixedRadix(axesOfRole(plan_, AxisRole::Block), block);
    runBlock();
  }
  return finished(result_, std::move(fault_));
}

void Interpreter::runBlock() {
  sharedWritten_.assign(shared_.size(), false);
  accumulators_.assign(plan_.launch.blockThreads, {});
  kept_.assign(plan_.launch.blockThreads, {});
  const AxisRange pageAxes = axesOfRole(plan_, AxisRole::Page);
  const auto pages = pageSequence(plan_, UINT64_MAX);
  for (size_t p = 0; p < pages.size(); ++p) {
    page_ = &pages[p];
    for (uint32_t a = pageAxes.begin; a < pageAxes.end; ++a)
      index_[a] = pages[p].indices[a - pageAxes.begin];
    bool firstTerms = true, lastTerms = true; // of the kept page
    for (uint32_t a = pageAxes.begin; a < pageAxes.end; ++a)
      if (plan_.form.digits[plan_.axes[a].digit.index()].reduced) {
        firstTerms &= index_[a] == 0;
        lastTerms &= index_[a] + 1 == plan_.axes[a].extent;
      }
    for (const Segment &segment : plan_.segments)
      if (segment.placement == Placement::Shared && pages[p].invalid[segment.operand])
        stage(segment);
    for (uint32_t thread = 0; thread < plan_.launch.blockThreads; ++thread) {
      setMixedRadix(axesOfRole(plan_, AxisRole::Thread), thread);
      if (firstTerms)
        accumulators_[thread].clear();
      runThreadPage(thread);
      if (lastTerms) {
        sources_.clear();
        const auto &accumulators = accumulators_[thread];
        forAxes(
            registers_, [](uint32_t) { return true; },
            [&] {
              if (!inside(&plan_.form.result))
                return;
              Value &entry = result_[offset(plan_.form.result)];
              if (entry)
                fault(fmt::format("entry {} of the result is written twice",
                                  offset(plan_.form.result)));
              std::vector<uint64_t> key(index_.begin() + registers_.begin,
                                        index_.begin() + registers_.end);
              const auto found = accumulators.find(key);
              entry = found == accumulators.end() ? rules_.identity() : found->second;
            });
      }
    }
    for (uint32_t a = axesOfRole(plan_, AxisRole::Thread).begin; a < plan_.axes.size(); ++a)
      index_[a] = 0;
  }
}

void Interpreter::stage(const Segment &segment) {
  const uint64_t elementStride = fetchElementStride(plan_, segment);
  const uint64_t count = fetchCount(segment);
  for (uint64_t number = 0; number < count; ++number) {
    const FetchPlace place = fetchPlace(plan_, segment, number);
    Indices saved = index_;
    uint64_t rest = number;
    for (size_t i = segment.fetchParts.size(); i-- > 0;) {
      const FetchPart &part = segment.fetchParts[i];
      index_[part.axis] += rest % part.extent * part.step;
      rest /= part.extent;
    }
    uint32_t unit = 0;
    for (uint32_t axis : segment.tagAxes)
      if (plan_.axes[axis].extent > 1 && globalStride(plan_, segment.operand, axis) == 1)
        unit = axis;
    bool anyInside = false, anyOutside = false;
    for (uint32_t j = 0; j < segment.fetchVector; ++j) {
      const Value value = readTable(segment.operand);
      (value ? anyInside : anyOutside) = true;
      const uint64_t at = segment.offsetElems + place.sharedElems + j * elementStride;
      if (at >= shared_.size())
        return fault(fmt::format("staging writes element {} of {}", at, shared_.size()));
      shared_[at] = value;
      sharedWritten_[at] = true;
      if (j + 1 < segment.fetchVector)
        ++index_[unit];
    }
    if (anyInside && anyOutside)
      fault(fmt::format("a fetch of segment {} crosses a guard", segment.operand));
    index_ = std::move(saved);
  }
}

void Interpreter::runThreadPage(uint32_t thread) {
  sources_.assign(plan_.form.operands.size() + plan_.products.size(), {});
  kept_[thread].resize(plan_.segments.size());
  for (const Segment &segment : plan_.segments)
    if (segment.placement == Placement::Registers) {
      const uint32_t operand = segment.operand;
      if (page_->invalid[operand]) {
        loadFragment(operand);
        kept_[thread][operand] = sources_[operand];
      }
      sources_[operand] = kept_[thread][operand];
    }
  accumulators_.push_back(std::move(accumulators_[thread])); // the running thread's are last
  runSums(0);
  accumulators_[thread] = std::move(accumulators_.back());
  accumulators_.pop_back();
}

void Interpreter::runSums(uint32_t depth) {
  for (uint32_t i = 0; i < plan_.segments.size(); ++i)
    if (plan_.segments[i].placement != Placement::Registers && loopDepth(plan_, i) == depth)
      loadFragment(i);
  for (uint32_t k = 0; k < plan_.products.size(); ++k)
    if (loopDepth(plan_, static_cast<uint32_t>(plan_.form.operands.size() + k)) == depth)
      formProduct(k);
  if (depth == sums_.size())
    return reduceTerms();
  const uint32_t axis = sums_.begin + depth;
  for (index_[axis] = 0; index_[axis] < plan_.axes[axis].extent; ++index_[axis])
    runSums(depth + 1);
  index_[axis] = 0;
}

void Interpreter::loadFragment(uint32_t operand) {
  const Segment &segment = plan_.segments[operand];
  const auto varies = [&](uint32_t a) { return sourceVaries(plan_, operand, a); };
  const auto loadOne = [&] {
    if (segment.placement != Placement::Shared) {
      sources_[operand][slot(operand)] = readTable(operand);
      return;
    }
    uint64_t at = segment.offsetElems;
    for (size_t i = 0; i < segment.tagAxes.size(); ++i)
      at += index_[segment.tagAxes[i]] * segment.stridesElems[i];
    if (at >= shared_.size() || !sharedWritten_[at])
      return fault(fmt::format("segment {} is read at {} before it is written", operand, at));
    sources_[operand][slot(operand)] = shared_[at];
  };
  if (segment.placement == Placement::Registers)
    forAxes(registers_, varies, [&] { forAxes(sums_, varies, loadOne); });
  else
    forAxes(registers_, varies, loadOne);
}

void Interpreter::formProduct(uint32_t step) {
  const auto source = static_cast<uint32_t>(plan_.form.operands.size() + step);
  const ProductStep &product = plan_.products[step];
  const auto listed = [&](uint32_t axis) {
    return std::find(product.registerAxes.begin(), product.registerAxes.end(), axis) !=
           product.registerAxes.end();
  };
  forAxes(registers_, listed, [&] {
    const auto left = sources_[product.left].find(slot(product.left));
    const auto right = sources_[product.right].find(slot(product.right));
    if (left == sources_[product.left].end() || right == sources_[product.right].end())
      return fault(fmt::format("product {} uses a value that is not there yet", step));
    Value value;
    if (left->second && right->second)
      value = rules_.combine(*left->second, *right->second);
    sources_[source][slot(source)] = value;
  });
}

void Interpreter::reduceTerms() {
  if (!inside(nullptr, true))
    return;
  const uint32_t source = reducedSource(plan_);
  forAxes(
      registers_, [](uint32_t) { return true; },
      [&] {
        std::vector<uint64_t> key(index_.begin() + registers_.begin,
                                  index_.begin() + registers_.end);
        const auto value = sources_[source].find(slot(source));
        if (value == sources_[source].end())
          return fault("a term is reduced before it is formed");
        if (!value->second) {
          if (inside(&plan_.form.result))
            fault("a value outside a guarded extent reaches an output");
          return;
        }
        const auto sum = accumulators_.back().try_emplace(key, rules_.identity()).first;
        sum->second = rules_.reduce(sum->second, *value->second);
      });
}

Interpretation interpret(const NestPlan &plan, const std::vector<std::vector<double>> &operands) {
  return Interpreter(plan, operands).run();
}

Interpretation interpret(const MatrixPlan &plan, const std::vector<std::vector<double>> &operands) {
  return interpretMatrix(plan, operands);
}

/// Plans of other families are compared with the definition of their operation by tests/simt.
template <class Plan>
Interpretation interpret(const Plan &plan, const std::vector<std::vector<double>> &) {
  return {.result = {}, .fault = plan.name + " is of a family that has no interpreter"};
}
} // namespace

Interpretation interpretKernel(const KernelPlan &plan,
                               const std::vector<std::vector<double>> &operands) {
  return std::visit([&](const auto &any) { return interpret(any, operands); }, plan);
}

} // namespace mpf
