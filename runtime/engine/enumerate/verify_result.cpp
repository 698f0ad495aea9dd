#include "runtime/engine/enumerate/verify_result.h"

#include "codegen/simplify/state/query_support.h"
#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "runtime/engine/enumerate/enumerate_engine.h"
#include "runtime/engine/full_layout.h"
#include "runtime/engine/take_result.h"
#include "runtime/result/compare.h"
#include "runtime/result/divide_rows.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace mpf {

namespace {

/// Bounds on what is compared, so that --verify of other models costs nothing.
constexpr size_t kMostItems = 256;          ///< variables of the model, and factors of the query
constexpr uint64_t kMostEntries = 1u << 16; ///< entries of all factors of the query
constexpr uint64_t kMostComparedLookUps = 1u << 22; ///< states times variables of all factors

/// Returns the look-ups for one joint state; none: the model is too large to compare. Takes time in
/// proportion to kMostItems, whatever the model.
std::optional<uint64_t> lookUpsOf(const Model &model, const Query &query) {
  if (model.variables.size() > kMostItems || query.factors.size() > kMostItems)
    return std::nullopt;
  uint64_t lookUps = model.variables.size(), entries = 0;
  for (const FactorId id : query.factors) {
    lookUps += model.factor(id).scope.size();
    entries = saturatingAdd(entries, scopeElems(model, model.factor(id).scope));
  }
  return entries <= kMostEntries ? std::optional(lookUps) : std::nullopt;
}

/// Returns why results of a small model are not compared; empty: they are.
std::string incomparable(const Model &model, const Query &query) {
  for (const FactorId id : query.factors)
    if (const Factor &factor = model.factor(id); storedValues(factor) == nullptr)
      return fmt::format("factor {} has no values in the model", factor.name);
    else if (mayBeNegative(factor))
      return fmt::format("factor {} has values below 0, so sums may cancel", factor.name);
  return "";
}

/// Returns the columns of cases that may observe every variable: an assignment is such a case.
CaseSchema allVariables(const Model &model, const Query &query) {
  CaseSchema schema;
  for (size_t v = 0; v < ownVariableCount(model); ++v) {
    const VarId id{v};
    if (!model.evidence.observes(id) &&
        std::ranges::find(query.given, id, &Observation::variable) == query.given.end())
      schema.observed.push_back({id, model.variable(id).extent});
  }
  return schema;
}

/// The accepted differences of a result.
struct Rounding {
  double tolerance = 0; ///< relative
  double lostCost = 0;  ///< sums of costs: what vanishes beside the greatest cost
  double leastLog2 = 0; ///< posteriors below this power of two may be 0
  bool areCosts = false;

  bool accepts(const CaseTable &table, const ScaledNumber &found,
               const ScaledNumber &expected) const {
    if (found.mantissa == expected.mantissa && found.exponent == expected.exponent)
      return true;
    if (areCosts)
      return std::abs(found.nearest() - expected.nearest()) <=
             tolerance * std::abs(expected.nearest()) + lostCost;
    if (found.mantissa == 0)
      return table.normalised && expected.log2() < leastLog2;
    constexpr double kOfLogs = 0x1p-50; // logarithms are exact relative to their magnitude
    return found.sign() == expected.sign() && std::abs(found.log2() - expected.log2()) <=
                                                  tolerance + kOfLogs * std::abs(expected.log2());
  }
};

/// Returns what a result of `type` may differ by. Costs have one scale with the greatest: those
/// that are far below it count as 0 (dsl/LANGUAGE.md).
Rounding roundingOf(const Model &model, const Query &query, ElementType type) {
  const bool isF32 = type == ElementType::F32;
  Rounding rounding{2 * operationTolerance(type), 0, isF32 ? -95.0 : -990.0,
                    addsPlainValues(checkedSemiring(model, query))};
  double greatest = 0;
  for (const FactorId id : query.factors) {
    const Factor &factor = model.factor(id);
    const StoredValues values(*storedValues(factor), scopeElems(model, factor.scope));
    for (uint64_t e = 0; e < values.size(); ++e)
      if (const double value = std::abs(values.at(e).nearest()); std::isfinite(value))
        greatest = std::max(greatest, value);
  }
  rounding.lostCost = greatest * (isF32 ? 0x1p-90 : 0x1p-500);
  return rounding;
}

/// The answers that are compared: case 0 of `expected` observes nothing more than the model, case 1
/// observes the assignment that was found.
struct Comparison {
  const Query &query;
  Rounding rounding;
  uint64_t states;

  void require(const CaseTable &table, const ScaledNumber &found, const ScaledNumber &expected,
               size_t entry, std::string_view what) const {
    if (!rounding.accepts(table, found, expected))
      fail(ErrorKind::Verification,
           "query {}: {} {} of {} is {}*2^{}, an enumeration of {} joint states gives {}*2^{}",
           query.name, what, entry, table.name, found.mantissa, found.exponent, states,
           expected.mantissa, expected.exponent);
  }

  void compare(const CaseAnswers &found, const CaseAnswers &expected) const {
    for (size_t t = 0; t < found.tables.size(); ++t)
      for (size_t e = 0; e < found.tables[t].size; ++e) {
        if (found.tables[t].isInteger &&
            found.tables[t].integerEntries[e] != expected.tables[t].integerEntries[e])
          fail(ErrorKind::Verification,
               "query {}: entry {} of {} is no exact count of {} joint states", query.name, e,
               found.tables[t].name, states);
        require(found.tables[t], found.tables[t].at(0, e), expected.tables[t].at(0, e), e, "entry");
      }
    if (found.variables == 0)
      return;
    const auto hasNone = [](const CaseAnswers &answers) {
      return std::find(answers.states.begin(),
                       answers.states.begin() + static_cast<ptrdiff_t>(answers.variables),
                       CaseAnswers::kNoState) !=
             answers.states.begin() + static_cast<ptrdiff_t>(answers.variables);
    };
    if (hasNone(found) != hasNone(expected))
      fail(ErrorKind::Verification, "query {}: an enumeration of {} joint states finds {}",
           query.name, states, hasNone(expected) ? "no assignment" : "an assignment");
    const CaseTable &best = expected.tables.front();
    if (!hasNone(found))
      require(best, best.at(1), best.at(0), 0, "the value of the assignment, entry");
  }
};

} // namespace

std::optional<VerifiedResult> verifyResult(const Model &model, const Query &query,
                                           const Result &result) {
  const std::optional<uint64_t> lookUps = lookUpsOf(model, query);
  if (!lookUps)
    return std::nullopt;
  const uint64_t states = enumeratedStates(model, query);
  if (states > kMostVerified || states * *lookUps > kMostComparedLookUps)
    return std::nullopt;
  if (std::string why = incomparable(model, query); !why.empty())
    return VerifiedResult{states, std::move(why)};
  CaseSettings settings;
  settings.compile.type = elementTypeNamed(result.element);
  settings.compile.devices = DeviceRequest::cpu();
  const CaseSchema schema = allVariables(model, query);
  const CaseEngine engine = withFullLayout(
      model, schema, query, planEnumeration({model, schema, query, settings, {}, {}}).open());
  const CaseSchema none;
  CaseBlock ofModel(none, 1);
  ofModel.count = 1;
  CaseAnswers found = engine.layout;
  makeRoom(engine.layout, 1, found);
  takeResult({model, none, query}, ofModel, 0, result, found);
  if (query.rowVariables != 0)
    divideRows(found.tables.front(), 1);
  CaseBlock block(schema, 2);
  block.count = 2;
  for (size_t c = 0; c < schema.observed.size(); ++c) {
    block.setCode(c, 0, schema.observed[c].extent);
    const uint32_t state = found.variables == 0 ? CaseAnswers::kNoState
                                                : found.states[schema.observed[c].variable.index()];
    block.setCode(c, 1, std::min(state, schema.observed[c].extent));
  }
  CaseAnswers expected = engine.layout;
  engine.answer(block, expected);
  if (!expected.refused.empty())
    return VerifiedResult{states, expected.refused.front().why};
  Comparison{query, roundingOf(model, query, *settings.compile.type), states}.compare(found,
                                                                                      expected);
  return VerifiedResult{states, ""};
}

} // namespace mpf
