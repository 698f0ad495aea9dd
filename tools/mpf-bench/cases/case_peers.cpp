#include "tools/mpf-bench/cases/case_peers.h"

#include "dsl/formats/uai/uai_writer.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_output.h"
#include "runtime/compile/child_process.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace mpf::bench {

namespace {

/// Tolerance of logarithms and posteriors. Programs compute in f64, on tables that differ in their
/// last bits.
constexpr double kPeerTolerance = 1e-6;
constexpr uint32_t kComparedRows = 200;
constexpr double kStartSeconds = 120; ///< time to import, read and compile, besides answering
constexpr const char *kResultName = "rate.json";

double numberOf(const nlohmann::json &json) {
  return json.is_string() ? -std::numeric_limits<double>::infinity() : json.get<double>();
}

bool isSame(double a, double b) {
  return a == b ||
         (std::isfinite(a) && std::abs(a - b) <= kPeerTolerance * std::max(1.0, std::abs(a)));
}

RunStatus statusOf(const std::string &name) {
  for (const RunStatus status :
       {RunStatus::Solved, RunStatus::Refused, RunStatus::NotRun, RunStatus::Failed})
    if (statusName(status) == name)
      return status;
  fail(ErrorKind::BadInput, "a peer cannot be \"{}\"", name);
}

} // namespace

std::vector<std::string> casePeerNames() { return {"pyagrum", "pgmpy", "jax"}; }

std::string peerRows(const CaseSchema &schema, const CaseBlock &block, uint64_t rows) {
  std::string text;
  for (uint32_t i = 0; i < std::min<uint64_t>(rows, block.count); ++i)
    for (size_t column = 0; column < schema.observed.size(); ++column) {
      const uint32_t code = block.code(column, i);
      char number[16] = "-1";
      char *end = number + 2;
      if (code != schema.observed[column].extent)
        end = std::to_chars(number, number + sizeof number, code).ptr;
      text.append(number, end);
      text += column + 1 == schema.observed.size() ? '\n' : ' ';
    }
  return text;
}

PeerAnswers peerAnswersOf(const CaseAnswers &answers, uint32_t rows) {
  PeerAnswers found(std::min(rows, answers.count));
  for (uint32_t i = 0; i < found.size(); ++i) {
    for (const CaseTable &table : answers.tables)
      for (size_t e = 0; table.normalised && e < table.size; ++e)
        found[i].push_back(table.at(i, e).value().value_or(0));
    if (found[i].empty())
      found[i] = {answers.tables.front().at(i).ln()};
  }
  return found;
}

std::string peerDifference(const PeerAnswers &right, const PeerAnswers &found) {
  for (size_t i = 0; i < std::min(right.size(), found.size()); ++i) {
    if (right[i].size() != found[i].size())
      return fmt::format("row {}: {} numbers instead of {}", i, found[i].size(), right[i].size());
    for (size_t e = 0; e < right[i].size(); ++e)
      if (!isSame(right[i][e], found[i][e]))
        return fmt::format("row {}, number {}: {:.9g} instead of {:.9g}", i, e, found[i][e],
                           right[i][e]);
  }
  return {};
}

CaseRate parsePeerRate(std::string_view text, PeerAnswers &answers) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    CaseRate rate;
    rate.status = statusOf(json.at("status").get<std::string>());
    rate.why = json.value("why", "");
    rate.device = json.value("device", "");
    rate.rows = json.value("rows", uint64_t{0});
    rate.passes = json.value("passes", 0U);
    rate.medianSeconds = json.value("median_seconds", 0.0);
    rate.bestSeconds = json.value("best_seconds", 0.0);
    rate.compileSeconds = json.value("opening_seconds", 0.0);
    answers.clear();
    for (const nlohmann::json &row : json.value("answers", nlohmann::json::array())) {
      answers.emplace_back();
      for (const nlohmann::json &number : row)
        answers.back().push_back(numberOf(number));
    }
    return rate;
  } catch (const nlohmann::json::exception &error) {
    fail(ErrorKind::BadInput, "no rate of a peer: {}", error.what());
  }
}

CasePeers::CasePeers(const Model &model, const CaseSchema &schema, const CaseBlock &block,
                     const CaseBenchOptions &options, const std::string &folder)
    : options_(options), uai_(folder + "/network.uai"), rows_(folder + "/rows.txt") {
  writeFile(uai_, writeUai(model));
  writeFile(rows_,
            peerRows(schema, block, kPeerCells / std::max<size_t>(schema.observed.size(), 1)));
}

CaseRate CasePeers::run(const std::string &peer, const std::string &task,
                        const PeerAnswers &right) const {
  ChildProgram program;
  program.argv = {"/usr/bin/env",
                  options_.python,
                  options_.peerScript,
                  "--peer",
                  peer,
                  "--task",
                  task,
                  "--uai",
                  uai_,
                  "--rows",
                  rows_,
                  "--seconds",
                  fmt::format("{}", options_.peerSeconds),
                  "--compared",
                  fmt::format("{}", kComparedRows),
                  "--json",
                  std::string(kChildFolder) + "/" + kResultName};
  program.timeout = std::chrono::milliseconds(
      static_cast<int64_t>((options_.peerSeconds * 2 + kStartSeconds) * 1e3));
  program.resultName = kResultName;
  const ChildResult child = runChild(program);
  CaseRate rate;
  PeerAnswers answers;
  if (child.result)
    rate = parsePeerRate(*child.result, answers);
  rate.solver = peer;
  rate.isPeer = true;
  if (child.timedOut) {
    rate.status = RunStatus::TimedOut;
    rate.why = "took longer than its limit";
  } else if (!child.result) {
    rate.why = child.output.empty() ? fmt::format("exit status {}", child.exitCode)
                                    : child.output.substr(0, child.output.find('\n'));
  }
  rate.checked = static_cast<uint32_t>(std::min(right.size(), answers.size()));
  rate.difference = peerDifference(right, answers);
  return rate;
}

} // namespace mpf::bench
