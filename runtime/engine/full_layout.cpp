#include "runtime/engine/full_layout.h"

#include "dsl/model/query_model.h"
#include "dsl/source/text_error.h"
#include "dsl/support/check.h"
#include "dsl/support/spares.h"
#include "runtime/result/case_entries.h"
#include "runtime/result/divide_rows.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace mpf {

namespace {

CaseTable tableOver(const Model &model, std::string name, const std::vector<VarId> &variables) {
  CaseTable table;
  table.name = std::move(name);
  for (const VarId id : variables) {
    table.variables.push_back(model.variable(id).name);
    table.extents.push_back(model.variable(id).extent);
    table.size *= model.variable(id).extent;
  }
  return table;
}

bool haveSameShape(const CaseAnswers &a, const CaseAnswers &b) {
  return std::ranges::equal(a.tables, b.tables, {}, &CaseTable::variables, &CaseTable::variables);
}

/// One table of the full layout, with the places of an engine's entries in it.
struct FilledTable {
  std::optional<size_t> source; ///< none: a posterior of a variable that all cases observe
  std::vector<size_t> places;
};

class FilledEngine {
public:
  FilledEngine(const Model &model, const Query &query, CaseEngine engine, CaseAnswers layout)
      : engine_(std::move(engine)), layout_(std::move(layout)), rest_(valueOfOtherStates(query)) {
    const auto stateOf = [&](const std::string &name) {
      const auto found = std::ranges::find(model.variables, name, &Variable::name);
      const VarId id{static_cast<size_t>(found - model.variables.begin())};
      std::optional<uint32_t> state = model.evidence.state(id);
      for (const Observation &seen : query.given)
        if (seen.variable == id)
          state = seen.state;
      MPF_CHECK(state.has_value(), "no answer speaks of {}, and no case observes it", name);
      return *state;
    };
    const std::vector<CaseTable> &narrow = engine_.layout.tables;
    std::unordered_map<std::string_view, size_t> places;
    for (size_t t = 0; t < narrow.size(); ++t)
      places.emplace(narrow[t].name, t);
    for (const CaseTable &full : layout_.tables) {
      FilledTable filled;
      // The engine has no posteriors of observed variables, and may have some of auxiliary ones and
      // of those that are not asked for.
      const auto source = places.find(full.name);
      if (layout_.tables.size() == 1)
        filled.source = 0;
      else if (source != places.end())
        filled.source = source->second;
      filled.places = placesIn(
          full, filled.source ? narrow[*filled.source].variables : std::vector<std::string>(),
          stateOf);
      filled_.push_back(std::move(filled));
    }
  }

  const CaseAnswers &layout() const { return layout_; }

  void answer(const CaseBlock &block, CaseAnswers &answers) {
    narrow_.with([&](CaseAnswers &narrow) {
      engine_.answer(block, narrow);
      makeRoom(layout_, block.count, answers);
      for (size_t t = 0; t < filled_.size(); ++t)
        for (uint32_t i = 0; i < block.count; ++i)
          fill(filled_[t], narrow, i, answers.tables[t]);
      answers.states = narrow.states;
      answers.refused = narrow.refused;
    });
  }

private:
  void fill(const FilledTable &filled, const CaseAnswers &narrow, uint32_t i, CaseTable &to) const {
    double *const entries = to.entries.data() + size_t{i} * to.size;
    std::fill_n(entries, to.size, to.normalised ? 0 : rest_);
    if (!filled.source) { // 1 if the evidence is possible
      entries[filled.places.front()] = narrow.tables.front().at(i).mantissa == 0 ? 0 : 1;
      return;
    }
    const CaseTable &from = narrow.tables[*filled.source];
    for (size_t e = 0; e < from.size; ++e)
      entries[filled.places[e]] = from.entries[i * from.size + e];
    if (to.isInteger)
      for (size_t e = 0; e < from.size; ++e)
        to.integerEntries[i * to.size + filled.places[e]] = from.integerEntries[i * from.size + e];
    to.exponents[i] = from.exponents[i];
    const auto apart = from.farApart.find(i);
    if (apart == from.farApart.end())
      return;
    std::vector<ScaledNumber> &numbers = to.farApart[i];
    numbers.assign(to.size, ScaledNumber::fromValue(to.normalised ? 0 : rest_));
    for (size_t e = 0; e < from.size; ++e)
      numbers[filled.places[e]] = apart->second[e];
  }

  CaseEngine engine_;
  const CaseAnswers layout_;
  const double rest_;
  std::vector<FilledTable> filled_; ///< by table of the layout
  Spares<CaseAnswers> narrow_;      ///< answers of the blocks in work
};

} // namespace

CaseAnswers fullLayout(const Model &model, const Query &query) {
  const QueryTraits &traits = traitsOf(query.kind);
  if (!traits.fitsCases())
    failAt(ErrorKind::Unsupported, query.place,
           "query {}: lists of cases (observe cases) are not supported for {} yet", query.name,
           traits.name);
  CaseAnswers layout;
  switch (traits.outputs) {
  case QueryOutputs::Number:
  case QueryOutputs::Asked:
    layout.tables.push_back(tableOver(model, query.name, query.output));
    layout.tables.back().normalised = traits.isQuotient;
    layout.tables.back().rowVariables = query.rowVariables;
    break;
  case QueryOutputs::Joints:
    layout.tables.push_back(tableOver(model, "evidence", {}));
    for (const JoinedQuery &joined : query.joined) {
      layout.tables.push_back(tableOver(model, joined.name, joined.output));
      layout.tables.back().normalised = true;
      layout.tables.back().rowVariables = joined.rowVariables;
    }
    break;
  case QueryOutputs::Posteriors:
    layout.tables.push_back(tableOver(model, "evidence", {}));
    for (size_t v = 0; v < ownVariableCount(model); ++v) {
      if (!isAsked(query, VarId{v}))
        continue;
      layout.tables.push_back(tableOver(model, model.variables[v].name, {VarId{v}}));
      layout.tables.back().normalised = true;
    }
    break;
  }
  layout.variables = traits.decoding ? ownVariableCount(model) : 0;
  return layout;
}

double valueOfOtherStates(const Query &query) {
  const Reduce reduce = query.reductions.empty() ? Reduce::Max : query.reductions.front().reduce;
  return reduceIdentity(semiringOfNumbers({reduce, query.combine}));
}

namespace {

/// Returns `engine` with observed states in its assignments. An expression need not use all
/// variables, so the engine does not know the states that a case observes of the others.
CaseEngine withObservedStates(const CaseSchema &schema, CaseEngine engine) {
  CaseEngine made = engine;
  made.answer = [observed = schema.observed, engine = std::move(engine)](const CaseBlock &block,
                                                                         CaseAnswers &answers) {
    engine.answer(block, answers);
    for (uint32_t i = 0; i < block.count; ++i) {
      uint32_t *const states = answers.states.data() + size_t{i} * answers.variables;
      for (size_t c = 0; c < observed.size(); ++c) {
        uint32_t &state = states[observed[c].variable.index()];
        const uint32_t code = block.code(c, i);
        if (code < observed[c].extent && state != CaseAnswers::kNoState)
          state = code;
      }
    }
  };
  made.send = {};
  return made;
}

/// Returns `engine` with the rows of its tables divided as those of `layout`, P(x | y).
CaseEngine withDividedRows(const CaseAnswers &layout, CaseEngine engine) {
  std::vector<uint32_t> rows; // by table
  for (const CaseTable &table : layout.tables)
    rows.push_back(table.rowVariables);
  if (std::ranges::count(rows, 0) == std::ssize(rows))
    return engine;
  CaseEngine made = engine;
  for (size_t t = 0; t < rows.size(); ++t)
    made.layout.tables[t].rowVariables = rows[t];
  made.answer = [rows, engine = std::move(engine)](const CaseBlock &block, CaseAnswers &answers) {
    engine.answer(block, answers);
    for (size_t t = 0; t < rows.size(); ++t) {
      answers.tables[t].rowVariables = rows[t];
      divideRows(answers.tables[t], block.count);
    }
  };
  made.send = {};
  return made;
}

} // namespace

CaseEngine withFullLayout(const Model &model, const CaseSchema &schema, const Query &query,
                          CaseEngine engine) {
  const CaseAnswers layout = fullLayout(model, query);
  if (layout.variables != 0 && traitsOf(query.kind).isExpression())
    engine = withObservedStates(schema, std::move(engine));
  if (haveSameShape(layout, engine.layout))
    return withDividedRows(layout, std::move(engine));
  const auto filled = std::make_shared<FilledEngine>(model, query, engine, layout);
  CaseEngine made = std::move(engine);
  made.layout = filled->layout();
  made.answer = [filled](const CaseBlock &block, CaseAnswers &answers) {
    filled->answer(block, answers);
  };
  made.send = {};
  return withDividedRows(layout, std::move(made));
}

} // namespace mpf
