#include "runtime/python/native/questions.h"
#include "runtime/python/native/interrupts.h"
#include "runtime/python/native/process_lock.h"
#include "runtime/python/native/without_gil.h"

#include "dsl/support/check.h"
#include "runtime/api/network.h"
#include "runtime/api/session.h"
#include "runtime/result/case_answers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace mpf::python {

namespace {

bool isClose(int64_t exponent) {
  return exponent >= std::numeric_limits<int32_t>::min() &&
         exponent <= std::numeric_limits<int32_t>::max();
}

/// Returns a table of one run as that of one case.
CaseTable caseTable(const ResultTable &from) {
  CaseTable table;
  table.name = from.name;
  table.variables = from.variables;
  table.extents = from.extents;
  table.normalised = from.normalised;
  table.rowVariables = from.rowVariables;
  table.undefinedRows = from.undefinedRows;
  table.logValues = from.logValues;
  for (const uint32_t extent : from.extents)
    table.size *= extent;
  table.entries = from.entries;
  table.entries.resize(table.size, 0); // a posterior of impossible evidence has no entries
  table.exponents = {0};
  if (from.entries.empty())
    return table;
  if (!from.logEntries && isClose(from.exponent)) {
    table.exponents[0] = static_cast<int32_t>(from.exponent);
    return table;
  }
  std::vector<ScaledNumber> &numbers = table.farApart[0];
  for (size_t e = 0; e < table.size; ++e) {
    numbers.push_back(from.at(e));
    table.entries[e] = numbers.back().nearest();
  }
  return table;
}

/// One session. A program for observed variables alone leaves out what evidence separates from the
/// answer, and what the zeros of its tables exclude.
class Question {
public:
  /// `names`: the variables that each call observes, besides those that the network observes.
  Question(Network network, const std::vector<std::string> &names, CompileOptions options,
           const SessionOptions &session, std::optional<double> seconds)
      : names_(names) {
    for (const std::string &name : names)
      network.observe(name, 0);
    for (const auto &[name, state] : network.observations())
      states_[name] = state;
    interrupts_.start(seconds);
    options.watch = interrupts_.watch();
    options.finalTables = true;
    SessionOptions watched = session;
    watched.watch = options.watch;
    const Program program = compile(std::move(network), options);
    variables_ = program.variables();
    session_.emplace(program, watched);
  }

  /// `states`: one for each name.
  CaseAnswers run(const std::vector<uint32_t> &states, std::optional<double> seconds) {
    const std::lock_guard lock(lock_);
    if (states.size() != names_.size())
      fail(ErrorKind::Internal, "{} states of {} variables", states.size(), names_.size());
    interrupts_.start(seconds);
    for (size_t n = 0; n < states.size(); ++n) {
      session_->observe(names_[n], states[n]);
      states_[names_[n]] = states[n];
    }
    return answersOf(session_->run());
  }

private:
  CaseAnswers answersOf(const Result &result) const {
    CaseAnswers answers;
    answers.count = 1;
    if (result.kind == QueryKind::Marginals)
      addMarginals(result, answers);
    else
      for (const ResultTable &table : result.tables)
        answers.tables.push_back(caseTable(table));
    if (!traitsOf(result.kind).decoding)
      return answers;
    answers.variables = variables_.size();
    if (result.assignments.empty() || result.zeroProbability)
      answers.states.assign(variables_.size(), CaseAnswers::kNoState);
    else
      answers.states = result.assignments.front().states;
    return answers;
  }

  /// Adds the posteriors in the order of the model. Those of observed variables are known.
  void addMarginals(const Result &result, CaseAnswers &answers) const {
    answers.tables.push_back(caseTable(result.tables.front()));
    size_t next = 1;
    for (const VariableInfo &variable : variables_) {
      const auto seen = states_.find(variable.name);
      if (seen == states_.end()) {
        answers.tables.push_back(caseTable(result.tables.at(next++)));
        continue;
      }
      CaseTable &known = answers.tables.emplace_back();
      known.name = variable.name;
      known.variables = {variable.name};
      known.extents = {variable.states};
      known.normalised = true;
      known.size = variable.states;
      known.entries.assign(variable.states, 0);
      known.entries[seen->second] = result.zeroProbability ? 0 : 1;
      known.exponents = {0};
    }
  }

  Interrupts interrupts_; ///< of the constructor, and of the call that has the lock
  const std::vector<std::string> names_;
  std::map<std::string, uint32_t> states_; ///< of all observed variables
  std::vector<VariableInfo> variables_;
  std::optional<Session> session_;
  ProcessLock lock_;
};

} // namespace

void defineQuestions(nb::module_ &module) {
  nb::class_<Question>(module, "Question")
      .def(
          "__init__",
          [](Question *self, const Network &network, const std::string &query,
             const std::vector<std::string> &names, const std::string &type,
             const std::string &device, std::optional<uint64_t> memory, unsigned threads,
             std::optional<double> seconds) {
            CompileOptions options;
            options.query = query;
            options.type = type;
            options.device = device;
            options.maxMemoryBytes = memory;
            SessionOptions session;
            session.device = device;
            session.threads = threads;
            Network copy = network; // another thread may change the network without the GIL
            const WithoutGil others;
            new (self) Question(std::move(copy), names, options, session, seconds);
          },
          nb::arg("network"), nb::arg("query"), nb::arg("names"), nb::arg("type"),
          nb::arg("device"), nb::arg("memory").none(), nb::arg("threads"),
          nb::arg("seconds").none())
      .def("run", &Question::run, nb::arg("states"), nb::arg("seconds").none(),
           nb::call_guard<WithoutGil>(), "The Answers for a state of each name");
}

} // namespace mpf::python
