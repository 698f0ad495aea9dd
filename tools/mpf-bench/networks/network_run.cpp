#include "tools/mpf-bench/networks/network_run.h"

#include "dsl/support/check.h"

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace mpf::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<RunStatus, std::string_view>, 6> kStatusNames = {{
    {RunStatus::Solved, "solved"},
    {RunStatus::Planned, "planned"},
    {RunStatus::Refused, "refused"},
    {RunStatus::TimedOut, "timed out"},
    {RunStatus::NotRun, "not run"},
    {RunStatus::Failed, "failed"},
}};

constexpr std::array<std::pair<const char *, double PhaseSeconds::*>, 11> kPhases = {{
    {"reading", &PhaseSeconds::reading},
    {"simplifying", &PhaseSeconds::simplifying},
    {"planning", &PhaseSeconds::planning},
    {"choosing", &PhaseSeconds::choosing},
    {"opening", &PhaseSeconds::opening},
    {"binding", &PhaseSeconds::binding},
    {"first_run", &PhaseSeconds::firstRun},
    {"run", &PhaseSeconds::run},
    {"transfer", &PhaseSeconds::transfer},
    {"readout", &PhaseSeconds::readout},
    {"repeating", &PhaseSeconds::repeating},
}};

RunStatus statusNamed(std::string_view name) {
  for (const auto &[status, known] : kStatusNames)
    if (known == name)
      return status;
  fail(ErrorKind::BadInput, "a run cannot be \"{}\"", name);
}

NetworkRun runOf(const Json &json) {
  NetworkRun run;
  run.status = statusNamed(json.at("status").get<std::string>());
  run.why = json.value("why", "");
  run.device = json.value("device", "");
  const Json seconds = json.value("seconds", Json::object());
  for (const auto &[name, member] : kPhases)
    run.seconds.*member = seconds.value(name, 0.0);
  run.laterRuns = json.value("later_runs", uint64_t{0});
  run.predictedRunUs = json.value("predicted_run_us", 0.0);
  run.predictedTouchUs = json.value("predicted_touch_us", 0.0);
  run.touchedBytes = json.value("touched_bytes", uint64_t{0});
  run.predictedOpenUs = json.value("predicted_open_us", 0.0);
  run.operations = json.value("operations", uint64_t{0});
  run.log2LargestClique = json.value("log2_largest_clique", 0.0);
  run.peakBytes = json.value("peak_bytes", uint64_t{0});
  run.passSeconds = json.value("pass_seconds", std::map<std::string, double>());
  if (json.contains("log10_value"))
    run.log10Value = json.at("log10_value").is_string() ? -std::numeric_limits<double>::infinity()
                                                        : json.at("log10_value").get<double>();
  run.marginals = json.value("marginals", std::vector<std::vector<double>>());
  return run;
}

} // namespace

std::string_view statusName(RunStatus status) {
  return kStatusNames[static_cast<size_t>(status)].second;
}

std::string runJson(const NetworkRun &run) {
  Json seconds;
  for (const auto &[name, member] : kPhases)
    seconds[name] = run.seconds.*member;
  Json json{{"status", statusName(run.status)},
            {"why", run.why},
            {"device", run.device},
            {"seconds", seconds},
            {"later_runs", run.laterRuns},
            {"predicted_run_us", run.predictedRunUs},
            {"predicted_touch_us", run.predictedTouchUs},
            {"touched_bytes", run.touchedBytes},
            {"predicted_open_us", run.predictedOpenUs},
            {"operations", run.operations},
            {"log2_largest_clique", run.log2LargestClique},
            {"peak_bytes", run.peakBytes},
            {"pass_seconds", run.passSeconds}};
  if (run.log10Value)
    json["log10_value"] = std::isinf(*run.log10Value) ? Json("-inf") : Json(*run.log10Value);
  if (!run.marginals.empty())
    json["marginals"] = run.marginals;
  return json.dump() + "\n";
}

NetworkRun parseRun(std::string_view text) {
  try {
    return runOf(Json::parse(text));
  } catch (const nlohmann::json::exception &error) {
    fail(ErrorKind::BadInput, "no run of a network: {}", error.what());
  }
}

} // namespace mpf::bench
