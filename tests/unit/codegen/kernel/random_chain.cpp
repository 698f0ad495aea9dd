#include "tests/unit/codegen/kernel/random_chain.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace mpf::test {

namespace {

constexpr uint64_t kExtents[] = {2, 2, 2, 3, 4, 5, 7, 8, 11, 13};

/// A digit while the dice roll: its number in the form is known at the end only.
struct Rolled {
  uint64_t extent = 2;
  bool reduced = false;
};

/// Digits by their index into ChainDice::digits_.
struct RolledStep {
  std::vector<std::vector<size_t>> factors;
  std::vector<size_t> introduced, reduced;
};

class ChainDice {
public:
  ChainDice(uint64_t seed, double limit) : random_(seed), limit_(limit) {}

  ChainForm roll() {
    const size_t inMessage = 1 + pick(5), stepCount = 1 + pick(6);
    for (size_t i = 0; i < inMessage; ++i)
      if (const auto digit = newDigit())
        live_.push_back(*digit);
    const std::vector<size_t> message = live_;
    std::vector<RolledStep> steps(stepCount);
    for (RolledStep &step : steps)
      rollStep(step);
    return formOf(message, steps);
  }

private:
  void rollStep(RolledStep &step) {
    const size_t factors = pick(3);
    const std::vector<size_t> before = live_;
    for (size_t i = 0; factors > 0 && i < pick(3); ++i)
      if (const auto digit = newDigit()) {
        step.introduced.push_back(*digit);
        live_.push_back(*digit);
      }
    for (size_t f = 0; f < factors; ++f)
      step.factors.push_back(someOf(live_, 3));
    for (const size_t digit : step.introduced) // in one factor at least
      if (auto &factor = step.factors[pick(factors)];
          std::find(factor.begin(), factor.end(), digit) == factor.end())
        factor.push_back(digit);
    step.reduced = someOf(before, 1 + pick(2));
    for (const size_t digit : step.reduced) {
      digits_[digit].reduced = true;
      std::erase(live_, digit);
    }
  }

  ChainForm formOf(const std::vector<size_t> &message, const std::vector<RolledStep> &steps) {
    ChainForm form;
    const std::vector<DigitId> numberOf = numberDigits(form);
    const bool planned = pick(2) == 0;
    const auto access = [&](std::vector<size_t> scope) {
      if (!planned)
        std::shuffle(scope.begin(), scope.end(), random_);
      else // reduced ones least significant, as the global order has them
        std::stable_sort(scope.begin(), scope.end(),
                         [&](size_t a, size_t b) { return numberOf[a] < numberOf[b]; });
      DigitAccess result{TableId(0), std::vector<uint64_t>(numberOf.size(), 0), 1};
      for (size_t i = scope.size(); i-- > 0; result.sizeElems *= digits_[scope[i]].extent)
        result.stridesElems[numberOf[scope[i]].index()] = result.sizeElems;
      return result;
    };
    form.message = access(message);
    for (const RolledStep &step : steps) {
      ChainStep &made = form.steps.emplace_back();
      made.firstFactor = static_cast<uint32_t>(form.factors.size());
      made.factorCount = static_cast<uint32_t>(step.factors.size());
      for (const auto &factor : step.factors)
        form.factors.push_back(access(factor));
      for (const size_t digit : step.introduced)
        made.introduced.push_back(numberOf[digit]);
      for (const size_t digit : step.reduced)
        made.reduced.push_back(numberOf[digit]);
    }
    form.result = access(live_);
    return form;
  }

  /// Gives the form its digits, the kept ones first. Returns the number of each.
  std::vector<DigitId> numberDigits(ChainForm &form) const {
    std::vector<size_t> order(digits_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_partition(order.begin(), order.end(),
                          [&](size_t digit) { return !digits_[digit].reduced; });
    std::vector<DigitId> numberOf(order.size());
    for (size_t i = 0; i < order.size(); ++i) {
      numberOf[order[i]] = DigitId(i);
      form.digits.push_back({digits_[order[i]].extent, digits_[order[i]].reduced, {}});
    }
    return numberOf;
  }

  size_t pick(size_t n) { return static_cast<size_t>(random_() % n); }

  std::optional<size_t> newDigit() {
    const uint64_t extent = kExtents[pick(std::size(kExtents))];
    if (addresses_ * static_cast<double>(extent) > limit_)
      return std::nullopt;
    addresses_ *= static_cast<double>(extent);
    digits_.push_back({extent, false});
    return digits_.size() - 1;
  }

  std::vector<size_t> someOf(std::vector<size_t> all, size_t most) {
    std::shuffle(all.begin(), all.end(), random_);
    all.resize(std::min(all.size(), pick(most + 1)));
    return all;
  }

  std::mt19937_64 random_;
  double limit_, addresses_ = 1;
  std::vector<Rolled> digits_;
  std::vector<size_t> live_;
};

} // namespace

ChainForm randomChain(uint64_t seed, double limit) {
  ChainForm form = ChainDice(seed, limit).roll();
  const std::string fault = findFault(form);
  MPF_CHECK(fault.empty(), "chain of seed {}: {}", seed, fault);
  return form;
}

ChainForm binaryChain(unsigned log2Elems, unsigned bits, bool inPlace) {
  // Kept: the upper digit, then the new ones, most significant first; reduced: the old ones.
  ChainForm form;
  const uint64_t elems = uint64_t{1} << log2Elems, upper = elems >> bits;
  const size_t first = upper > 1 ? 1 : 0, count = first + 2 * bits;
  form.message = form.result = {TableId(0), std::vector<uint64_t>(count, 0), elems};
  const auto access = [&] { return DigitAccess{TableId(0), std::vector<uint64_t>(count, 0), 4}; };
  if (upper > 1) {
    form.digits.push_back({upper, false, {}});
    form.message.stridesElems[0] = uint64_t{1} << bits;
    form.result.stridesElems[0] = inPlace ? uint64_t{1} << bits : 1;
  }
  for (unsigned b = 0; b < 2 * bits; ++b)
    form.digits.push_back({2, b >= bits, {}});
  for (unsigned t = 0; t < bits; ++t) {
    const size_t old = first + bits + t, fresh = first + bits - 1 - t;
    form.message.stridesElems[old] = uint64_t{1} << t;
    form.result.stridesElems[fresh] = inPlace ? uint64_t{1} << t : upper << t;
    DigitAccess factor = access();
    factor.stridesElems[old] = 2;
    factor.stridesElems[fresh] = 1;
    form.factors.push_back(factor);
    form.steps.push_back({t, 1, {DigitId(fresh)}, {DigitId(old)}});
  }
  return form;
}

} // namespace mpf::test
