#include "tests/oracle/edge/exact_brute_force.h"

#include "tests/oracle/edge/exact_enumeration.h"

#include <algorithm>
#include <cmath>

namespace mpf::oracle {

namespace {

void addTerm(Semiring semiring, ExactEntry &entry, const ExactTerm &term,
             std::vector<ExactNumber> *logTerms) {
  if (semiring.reduce == Reduce::Sum) {
    entry.value += term.value;
    entry.magnitude += term.magnitude;
    entry.zero = false;
    return;
  }
  const bool better =
      semiring.reduce == Reduce::Min ? term.value < entry.value : term.value > entry.value;
  if (entry.zero || better)
    entry.value = term.value;
  if (semiring.combine == Combine::Times)
    entry.magnitude = entry.value;
  else if (entry.zero || term.magnitude > entry.magnitude)
    entry.magnitude = term.magnitude;
  entry.zero = false;
  if (logTerms != nullptr)
    logTerms->push_back(term.value);
}

/// Returns ln of the sum of e^(term - greatest).
double correctionOf(const ExactEntry &entry, const std::vector<ExactNumber> &terms) {
  long double sum = 0;
  for (const ExactNumber &term : terms) {
    const ExactNumber::Scaled gap = (entry.value - term).scaled();
    if (gap.exponent < 14) // e^-16384 is below any long double
      sum += std::exp(
          -std::ldexp(gap.mantissa, static_cast<int>(std::max<int64_t>(gap.exponent, -16000))));
  }
  return static_cast<double>(std::log(sum));
}

std::map<std::string, ExactTable> tablesOf(const Model &model, const Query &query) {
  std::vector<char> observed(model.variables.size(), 0);
  for (const Observation &seen : model.evidence.observations())
    observed[seen.variable.index()] = 1;
  std::map<std::string, ExactTable> tables;
  const auto add = [&](const std::string &name, std::vector<VarId> scope, bool normalised) {
    std::erase_if(scope, [&](VarId v) { return observed[v.index()] != 0; });
    ExactTable table;
    table.entries.resize(scopeElems(model, scope));
    table.scope = std::move(scope);
    table.normalised = normalised;
    tables[name] = std::move(table);
  };
  if (query.kind != QueryKind::Marginals) {
    add(query.name, query.output, query.kind == QueryKind::Joint);
    return tables;
  }
  add("evidence", {}, false);
  for (size_t i = 0; i < model.variables.size(); ++i)
    if (!observed[i])
      add(model.variables[i].name, {VarId{i}}, true);
  return tables;
}

} // namespace

ExactAnswer exactBruteForce(const Model &model, const Query &query) {
  ExactEnumeration enumeration(model, query);
  ExactAnswer answer{enumeration.semiring(), tablesOf(model, query)};
  const bool logs = answer.semiring.reduce == Reduce::LogSum;
  std::vector<std::vector<std::vector<ExactNumber>>> logTerms; // by table, by entry
  for (const auto &[name, table] : answer.tables)
    logTerms.emplace_back(logs ? table.entries.size() : 0);
  enumeration.run([&](const ExactTerm &term) {
    size_t t = 0;
    for (auto &[name, table] : answer.tables) {
      const size_t entry = enumeration.entryOf(table.scope);
      addTerm(answer.semiring, table.entries[entry], term, logs ? &logTerms[t][entry] : nullptr);
      ++t;
    }
  });
  size_t t = 0;
  for (auto &[name, table] : answer.tables) {
    for (size_t i = 0; logs && i < table.entries.size(); ++i)
      if (!table.entries[i].zero)
        table.entries[i].logCorrection = correctionOf(table.entries[i], logTerms[t][i]);
    ++t;
  }
  return answer;
}

ExactEntry exactProductAt(const Model &model, const Query &query,
                          const std::vector<uint32_t> &assignment) {
  const ExactTerm term = ExactEnumeration(model, query).termAt(assignment);
  return {term.value, term.magnitude, term.zero, 0};
}

} // namespace mpf::oracle
