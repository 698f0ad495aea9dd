#include "runtime/session/session_inputs.h"

#include "codegen/bundle/table_map.h"
#include "dsl/support/check.h"
#include "dsl/support/system/memory_error.h"
#include "runtime/execute/host/bind_input.h"
#include "runtime/execute/host/sum_exponent.h"

#include <cstdlib>

namespace mpf {

SessionInputs::SessionInputs(const Bundle &bundle)
    : bundle_(bundle), evidence_(bundle.evidence), bound_(bundle.inputs.size()),
      wideScales_(bundle.inputs.size(), 0), isChanged_(bundle.inputs.size(), true),
      greatest_(bundle.inputs.size()) {}

/// Calls f(input, what is bound to it) for each input of a factor that takes `elems` values.
template <class F> void SessionInputs::change(std::string_view factor, uint64_t elems, F f) {
  bool found = false;
  for (size_t i = 0; i < bundle_.inputs.size(); ++i) {
    const BundleInput &input = bundle_.inputs[i];
    if (input.factor != factor || input.raw)
      continue;
    const uint64_t size = valueCount(bundle_, input);
    if (elems != size)
      fail(ErrorKind::Usage, "input {} has {} entries, {} values were given", factor, size, elems);
    if (bundle_.answer && input.table)
      fail(ErrorKind::Usage, "the values of {} were final when the program was compiled", factor);
    f(input, bound_[i]);
    forget(i);
    found = true;
  }
  if (!found)
    fail(ErrorKind::Usage, "the program has no input {}", factor);
}

void SessionInputs::bind(std::string_view factor, std::span<const double> stored, uint64_t elems) {
  change(factor, elems, [&](const BundleInput &input, Bound &bound) {
    const auto magnitudes = checkInput(bundle_, input, StoredValues(stored, elems));
    namingMemory([&] { return fmt::format("a new table of query {}", bundle_.name); },
                 [&] { bound.own.assign(stored.begin(), stored.end()); });
    bound.values = bound.own;
    bound.magnitudes = magnitudes;
  });
}

void SessionInputs::lend(std::string_view factor, std::span<const double> values) {
  change(factor, values.size(), [&](const BundleInput &input, Bound &bound) {
    const auto magnitudes = checkInput(bundle_, input, StoredValues(values, values.size()));
    bound = {{}, values, magnitudes};
  });
}

VarId SessionInputs::observedVariable(std::string_view name) const {
  for (size_t i = 0; i < bundle_.variables.size(); ++i) {
    if (bundle_.variables[i].name != name)
      continue;
    const Finding *finding = bundle_.declaredEvidence().find(VarId{i});
    if (finding == nullptr)
      fail(ErrorKind::Usage,
           "variable {} is not observed in the compiled program; only states of observed "
           "variables can change",
           name);
    if (finding->fixed)
      fail(ErrorKind::Usage, "the state of {} was final when the program was compiled", name);
    return VarId{i};
  }
  fail(ErrorKind::Usage, "there is no variable {}", name);
}

void SessionInputs::observe(VarId variable, uint32_t state) {
  if (evidence_.state(variable) == state)
    return;
  evidence_.setState(variable, state);
  for (size_t i = 0; i < isChanged_.size(); ++i)
    for (const VarId id : bundle_.inputs[i].scope)
      if (id == variable)
        isChanged_[i] = true;
}

/// Returns the input's values: those that were bound, else those of the program.
std::span<const double> SessionInputs::valuesOf(size_t input) const {
  if (!bound_[input].values.empty())
    return bound_[input].values;
  const BundleInput &declared = bundle_.inputs[input];
  if (!declared.table)
    fail(ErrorKind::Usage, "input {} was not bound", declared.factor);
  return *bundle_.tables[*declared.table];
}

bool SessionInputs::isWide(size_t input) const {
  const std::span<const double> values = valuesOf(input);
  const BundleInput &declared = bundle_.inputs[input];
  return StoredValues(values, declared.raw ? values.size() : valueCount(bundle_, declared))
      .isWide();
}

/// Throws Error(BadInput) if the sum of all scales is too large: results have it in 32 bits.
void SessionInputs::refuseBeyondScales() const {
  constexpr int64_t kMost = int64_t{1} << 30;
  int64_t sum = 0;
  for (const int64_t scale : wideScales_)
    sum += std::abs(scale);
  if (sum > kMost)
    fail(ErrorKind::BadInput,
         "query {}: products of its tables may reach 2^{}, the greatest magnitude is 2^{}",
         bundle_.name, sum, kMost);
}

/// Finds the common exponent of all tables, for sums of costs. If it changes, all inputs are bound
/// again.
void SessionInputs::updateSumExponent(const std::vector<bool> &elsewhere) {
  if (!hasPlainTables(bundle_) || isIntegerType(bundle_.type))
    return;
  for (size_t i = 0; i < isChanged_.size(); ++i)
    if (isChanged_[i])
      greatest_[i] =
          elsewhere[i] ? 0 : greatestExponent(bundle_, bundle_.inputs[i], valuesOf(i), evidence_);
  const int32_t exponent = sumExponent(bundle_, greatest_);
  if (exponent != tablesExponent_)
    forgetAll();
  tablesExponent_ = exponent;
}

void SessionInputs::give(Executor &executor, const std::vector<bool> &elsewhere,
                         NeededOperations &needed) {
  MPF_CHECK(elsewhere.size() == isChanged_.size(), "{} flags for {} inputs", elsewhere.size(),
            isChanged_.size());
  updateSumExponent(elsewhere);
  for (size_t i = 0; i < isChanged_.size(); ++i) {
    if (!isChanged_[i] || elsewhere[i])
      continue;
    const BundleInput &input = bundle_.inputs[i];
    const TableState state =
        bindInput(bundle_, input, valuesOf(i), evidence_, executor.inputMemory(input.buffer),
                  tablesExponent_, bound_[i].magnitudes);
    executor.setInput(input.buffer, state);
    wideScales_[i] = isWide(i) ? state.scale : 0;
    needed.inputChanged(input.buffer);
    isChanged_[i] = false;
  }
  refuseBeyondScales();
}

} // namespace mpf
