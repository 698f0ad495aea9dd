#include "runtime/api/single_case.h"

#include "codegen/bundle/head/program_head.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <utility>

namespace mpf {

struct SingleCase::State {
  State(const CaseProgram &compiled, const SessionOptions &options)
      : program(compiled), session(compiled, options, {1}), block(compiled.block(1)) {
    block.count = 1;
    result.query = head().name;
    result.kind = head().kind;
    for (const HeadVariable &variable : head().variables)
      if (!variable.auxiliary)
        result.variables.push_back({variable.name, variable.extent, variable.labels});
    fixed = head().evidence.observations();
  }

  const ProgramHead &head() const { return program.head(); }

  void readTable(const CaseTable &from, ResultTable &to) const {
    to.name = from.name;
    to.variables = from.variables;
    to.extents = from.extents;
    to.normalised = from.normalised;
    to.rowVariables = from.rowVariables;
    to.undefinedRows = from.undefinedRows;
    to.logValues = from.logValues;
    to.logEntries = !from.farApart.empty();
    to.exponent = to.logEntries ? 0 : from.exponents[0];
    to.integerEntries = from.integerEntries;
    to.signs.clear();
    to.entries.assign(from.entries.begin(),
                      from.entries.begin() + static_cast<ptrdiff_t>(from.size));
    for (size_t e = 0; to.logEntries && e < from.size; ++e) {
      const ScaledNumber number = from.at(0, e);
      to.entries[e] = number.log2();
      to.signs.push_back(number.mantissa < 0 ? -1 : 1);
    }
    if (to.normalised && std::ranges::all_of(from.entries, [](double entry) { return entry == 0; }))
      to.entries.clear();
  }

  void readAnswers() {
    result.tables.resize(answers.tables.size());
    result.zeroProbability = false;
    for (size_t t = 0; t < answers.tables.size(); ++t) {
      readTable(answers.tables[t], result.tables[t]);
      result.zeroProbability |= result.tables[t].normalised && result.tables[t].entries.empty();
    }
    result.assignments.clear();
    const auto states = answers.states.begin();
    if (answers.variables == 0)
      return;
    if (std::ranges::count(answers.states, CaseAnswers::kNoState) != 0)
      result.zeroProbability = true;
    else
      result.assignments.push_back(
          {{states, states + static_cast<ptrdiff_t>(result.variables.size())}});
  }

  void readEvidence() {
    std::vector<Observation> observed;
    const CaseSchema &schema = program.schema();
    for (size_t column = 0; column < schema.observed.size(); ++column)
      if (const uint32_t code = block.code(column, 0); code != schema.observed[column].extent)
        observed.push_back({schema.observed[column].variable, code});
    observed.insert(observed.end(), fixed.begin(), fixed.end());
    result.evidence = {};
    result.evidence.add(std::move(observed));
  }

  CaseProgram program;
  std::vector<Observation> fixed; ///< the observations that no case changes
  CaseSession session;
  CaseBlock block;
  CaseAnswers answers;
  Result result;
};

SingleCase::SingleCase(const CaseProgram &program, const SessionOptions &options)
    : state_(std::make_unique<State>(program, options)) {}
SingleCase::~SingleCase() = default;
SingleCase::SingleCase(SingleCase &&) noexcept = default;
SingleCase &SingleCase::operator=(SingleCase &&) noexcept = default;

void SingleCase::observe(std::string_view variable, uint32_t state) {
  state_->program.observe(state_->block, 0, variable, state);
}

void SingleCase::observe(std::string_view variable, std::string_view label) {
  state_->program.observe(state_->block, 0, variable, label);
}

void SingleCase::unobserve(std::string_view variable) {
  const size_t column = state_->program.columnOf(variable);
  state_->block.setCode(column, 0, state_->program.schema().observed[column].extent);
}

void SingleCase::unobserveAll() {
  const CaseSchema &schema = state_->program.schema();
  for (size_t column = 0; column < schema.observed.size(); ++column)
    state_->block.setCode(column, 0, schema.observed[column].extent);
}

void SingleCase::weigh(std::string_view variable, std::span<const double> weights) {
  const CaseSchema &schema = state_->program.schema();
  for (size_t v = 0; v < schema.likelihoods.size(); ++v) {
    const auto &[id, extent] = schema.likelihoods[v];
    if (state_->head().variables[id.index()].name != variable)
      continue;
    if (weights.size() != extent)
      fail(ErrorKind::Usage, "variable {} has {} states, {} weights were given", variable, extent,
           weights.size());
    std::ranges::copy(weights, state_->block.weights().begin() +
                                   static_cast<ptrdiff_t>(schema.firstWeight(v)));
    return;
  }
  fail(ErrorKind::Usage, "cases of query {} do not weigh a variable {}", state_->head().name,
       variable);
}

void SingleCase::setParam(std::string_view param, double value) {
  state_->program.setParam(state_->block, 0, param, value);
}

void SingleCase::bind(std::string_view factor, std::span<const double> values) {
  state_->session.bind(factor, values);
}

const Result &SingleCase::run() {
  state_->session.run(state_->block, state_->answers);
  state_->readAnswers();
  state_->readEvidence();
  return state_->result;
}

} // namespace mpf
