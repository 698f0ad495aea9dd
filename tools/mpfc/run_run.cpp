// mpfc run: model (or bundle) to answers.
#include "codegen/pipeline.h"
#include "dsl/formats/result_file.h"
#include "dsl/support/check.h"
#include "dsl/support/file_input.h"
#include "runtime/api/mpf.h"
#include "runtime/result/print_result.h"
#include "runtime/result/result_json.h"
#include "tools/mpfc/commands.h"
#include "tools/mpfc/compile_queries.h"
#include "tools/mpfc/output.h"

#include <algorithm>
#include <limits>

namespace mpf::driver {

namespace {

SessionOptions sessionOptions(const Options &options) {
  SessionOptions session;
  session.device = options.device;
  session.threads = options.threads;
  session.verifySamples = options.verify ? 16 : 0;
  session.profile = options.profile;
  return session;
}

/// Every variable's marginal; what was observed has all its weight on one state.
std::vector<std::vector<double>> marginalsOf(const Result &result) {
  std::vector<std::vector<double>> marginals;
  for (const ResultVariable &variable : result.variables) {
    std::vector<double> row(variable.extent, 0);
    if (variable.observed)
      row[*variable.observed] = 1;
    marginals.push_back(std::move(row));
  }
  size_t next = 0; // tables come in the order of the variables, the observed ones left out
  for (const ResultTable &table : result.tables) {
    if (table.variables.size() != 1 || !table.normalised || table.entries.empty())
      continue;
    while (next < result.variables.size() && result.variables[next].name != table.variables[0])
      ++next;
    MPF_CHECK(next < result.variables.size(), "marginal of {} out of order", table.variables[0]);
    marginals[next] = table.entries;
  }
  return marginals;
}

/// The competition's form of a result; errors where it has none.
std::string competitionText(const Result &result) {
  ResultFile file;
  if (result.kind == "marginals") {
    if (result.zeroProbability)
      fail(ErrorKind::BadInput, "the evidence has probability zero: there are no marginals");
    file.task = ResultTask::Mar;
    file.marginals = marginalsOf(result);
  } else if (result.kind == "best") {
    if (!result.assignment)
      fail(ErrorKind::BadInput, "every assignment has value zero: there is no best one");
    file.task = ResultTask::Mpe;
    file.states = result.assignment->states;
  } else if (result.tables.size() == 1 && result.tables[0].variables.empty() &&
             result.tables[0].at(0).sign() >= 0) {
    file.task = ResultTask::Pr;
    file.log10Value = result.tables[0].at(0).log10();
  } else {
    fail(ErrorKind::Usage,
         "query {}: -o is for one number, marginals or a best assignment; --json "
         "holds any result",
         result.query);
  }
  return formatResult(file);
}

} // namespace

int runRun(const Options &options) {
  std::string json;
  std::vector<Result> results;
  for (const Program &program : compileQueries(options)) {
    Session session(program, sessionOptions(options));
    results.push_back(session.run());
  }
  if (!options.output.empty() && results.size() != 1)
    fail(ErrorKind::Usage,
         "-o takes one result, the model has {} queries: choose with "
         "--query-name or --task",
         results.size());
  for (const Result &result : results) {
    PrintOptions print;
    print.profile = options.profile;
    if (options.output.empty() && options.json != "-") {
      if (results.size() > 1)
        fmt::print("query {}\n", result.query);
      fmt::print("{}", printResult(result, print));
    }
    json += resultToJson(result);
  }
  if (!options.output.empty())
    writeResult(options, competitionText(results.front()));
  if (options.json == "-")
    fmt::print("{}", json);
  else if (!options.json.empty())
    writeFileAtomically(options.json, json);
  return 0;
}

} // namespace mpf::driver
