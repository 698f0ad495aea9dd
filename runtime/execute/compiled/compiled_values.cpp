#include "runtime/execute/compiled/compiled_values.h"

namespace mpf {

bool CompiledValues::plus() const {
  return plan_.semiring == StoredSemiring::MaxPlus || plan_.semiring == StoredSemiring::MinPlus;
}

std::string CompiledValues::combined(const std::string &a, const std::string &b) const {
  return a.empty() ? b : fmt::format("{} {} {}", a, plus() ? "+" : "*", b);
}

std::string CompiledValues::reduced(const std::string &a, const std::string &b) const {
  switch (plan_.semiring) {
  case StoredSemiring::SumTimes:
    return fmt::format("{} + {}", a, b);
  case StoredSemiring::MaxTimes:
  case StoredSemiring::MaxPlus:
    return fmt::format("mpfMax({}, {})", a, b);
  default:
    return fmt::format("mpfMin({}, {})", a, b);
  }
}

std::string CompiledValues::identity() const {
  switch (plan_.semiring) {
  case StoredSemiring::SumTimes:
  case StoredSemiring::MaxTimes: // entries are not negative
    return "0";
  case StoredSemiring::MaxPlus:
    return "-seen.kInfinity";
  default:
    return "seen.kInfinity";
  }
}

std::string CompiledValues::vectorType(size_t v) const {
  return vectors[v].count == 1 ? "T" : fmt::format("V{}", vectors[v].count);
}

std::string CompiledValues::termValue(size_t v, uint64_t term, uint64_t copy) {
  const std::string fixed = product(v, term, copy, {true, false});
  const std::string moving = product(v, term, copy, {true, true});
  if (fixed.empty() && moving.empty())
    return fmt::format("mpfAll<{}, T>({})", vectorType(v), plus() ? "0" : "1");
  return fixed.empty() ? moving : moving.empty() ? fixed : combined(fixed, moving);
}

std::string CompiledValues::product(size_t v, uint64_t term, uint64_t copy,
                                    CompiledFactors factors) {
  std::string value;
  size_t count = 0;
  std::string single;
  for (const bool lanes : {false, true}) // operands that all lanes share are multiplied first
    for (size_t s = 0; s < plan_.operandCount; ++s) {
      const bool byTerm =
          CompiledKernelPlan::moves(plan_.sums, s) || CompiledKernelPlan::moves(plan_.terms, s);
      const bool byInner = plan_.inner.strides[s] != 0;
      if (byTerm != factors.byTerm || byInner != factors.byInner ||
          CompiledKernelPlan::moves(plan_.lanes, s) != lanes)
        continue;
      single = entry(s, v, term, copy);
      value = combined(value, single);
      ++count;
    }
  if (count < 2)
    return single;
  return declare(value, vectorType(v), 'm');
}

/// Returns the name of a vector of one operand, which is loaded once in each scope.
std::string CompiledValues::entry(size_t slot, size_t v, uint64_t term, uint64_t copy) {
  const uint64_t base =
      CompiledKernelPlan::offsetOf(plan_.terms, slot, term) + copy * plan_.inner.strides[slot];
  const CompiledVector &vector = vectors[v];
  std::string offsets;
  bool same = true, dense = true;
  const uint64_t first = CompiledKernelPlan::offsetOf(plan_.lanes, slot, vector.first);
  for (uint64_t lane = 0; lane < vector.count; ++lane) {
    const uint64_t offset = CompiledKernelPlan::offsetOf(plan_.lanes, slot, vector.first + lane);
    same &= offset == first;
    dense &= offset == first + lane;
    offsets += fmt::format("{}{}[{}]", lane == 0 ? "" : ", ", pointers[slot], base + offset);
  }
  const std::string type = vectorType(v);
  if (same)
    return declare(fmt::format("mpfAll<{}, T>({}[{}])", type, pointers[slot], base + first), type,
                   'a');
  if (dense)
    return declare(fmt::format("mpfLoad<{}>({} + {})", type, pointers[slot], base + first), type,
                   'a');
  return declare(fmt::format("{}{{{}}}", type, offsets), type, 'a');
}

std::string CompiledValues::declare(const std::string &value, const std::string &type,
                                    char letter) {
  for (const auto &scope : scopes_)
    if (const auto known = scope.find(value); known != scope.end())
      return known->second;
  const std::string name = fmt::format("{}{}", letter, names_++);
  out_.line("const {} {} = {};", type, name, value);
  scopes_.back().emplace(value, name);
  return name;
}

} // namespace mpf
