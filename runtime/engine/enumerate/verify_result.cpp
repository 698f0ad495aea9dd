#include "runtime/engine/enumerate/verify_result.h"

#include "dsl/support/check.h"
#include "runtime/engine/enumerate/enumerate_engine.h"
#include "runtime/engine/full_layout.h"
#include "runtime/engine/take_result.h"
#include "runtime/result/compare.h"
#include "runtime/result/divide_rows.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

bool isCompared(const Model &model, const Query &query) {
  return std::ranges::none_of(query.factors, [&model](FactorId id) {
    return storedValues(model.factor(id)) == nullptr || mayBeNegative(model.factor(id));
  });
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

bool isClose(const CaseTable &table, const ScaledNumber &found, const ScaledNumber &expected,
             ElementType type) {
  const double tolerance = operationTolerance(type);
  if (table.normalised)
    return std::abs(found.nearest() - expected.nearest()) <= tolerance;
  if (found.mantissa == expected.mantissa && found.exponent == expected.exponent)
    return true;
  // Entries in logarithms are exact relative to their magnitude.
  return found.sign() == expected.sign() && closeLogs(found.log2(), expected.log2(), 2 * tolerance);
}

/// The answers that are compared: case 0 of `expected` observes nothing more than the model, case 1
/// observes the assignment that was found.
struct Comparison {
  const Query &query;
  ElementType type;
  uint64_t states;

  void require(const CaseTable &table, const ScaledNumber &found, const ScaledNumber &expected,
               size_t entry, std::string_view what) const {
    if (!isClose(table, found, expected, type))
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

std::optional<uint64_t> verifyResult(const Model &model, const Query &query, const Result &result) {
  if (!isCompared(model, query))
    return std::nullopt;
  const uint64_t states = enumeratedStates(model, query);
  if (states > kMostVerified)
    return std::nullopt;
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
  if (!expected.refused.empty()) // a count of 2^64 or more
    return std::nullopt;
  Comparison{query, *settings.compile.type, states}.compare(found, expected);
  return states;
}

} // namespace mpf
