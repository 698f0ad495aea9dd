#include "tools/mpf-bench/report/against.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace mpf::bench {

namespace {

/// Returns the times in a report, by BucketJob::groupName and the bucket's name.
std::map<std::string, double> timesOf(const nlohmann::json &report) {
  std::map<std::string, double> times;
  for (const auto &bucket : report.at("buckets")) {
    const bool measured = bucket.at("time_us").is_number();
    if (!measured && bucket.at("outcome") != outcomeName(Outcome::Predicted))
      continue;
    const auto word = [&](const char *key) { return bucket.at(key).get<std::string>(); };
    const auto timeUs = bucket.at(measured ? "time_us" : "predicted_us").get<double>();
    if (timeUs > 0)
      times[fmt::format("{} {} {} {} {}", word("set"), word("type"), word("form"), word("semiring"),
                        word("name"))] = timeUs;
  }
  return times;
}

} // namespace

void readAgainst(const std::string &file, const std::string &text, std::vector<BucketJob> &jobs) {
  try {
    const std::map<std::string, double> times = timesOf(nlohmann::json::parse(text));
    for (BucketJob &job : jobs)
      if (const auto at = times.find(job.groupName() + " " + job.shape.name); at != times.end())
        job.otherUs = at->second;
  } catch (const nlohmann::json::exception &problem) {
    fail(ErrorKind::BadInput, "{} is no report of mpf-bench: {}", file, problem.what());
  }
}

std::string againstText(const std::vector<BucketJob> &jobs) {
  struct Gain {
    std::string group;
    size_t count = 0;
    double logSum = 0, least = INFINITY, greatest = 0;
  };
  std::vector<Gain> gains;
  for (const BucketJob &job : jobs) {
    const std::optional<double> gain = job.gain();
    if (!gain)
      continue;
    auto at = std::find_if(gains.begin(), gains.end(),
                           [&](const Gain &g) { return g.group == job.groupName(); });
    if (at == gains.end())
      at = gains.insert(gains.end(), Gain{job.groupName()});
    ++at->count;
    at->logSum += std::log(*gain);
    at->least = std::min(at->least, *gain);
    at->greatest = std::max(at->greatest, *gain);
  }
  std::string text;
  for (const Gain &g : gains)
    text += fmt::format(
        "{}: {} buckets against the other report, other time / time: geometric mean "
        "{:.3f}, least {:.3f}, greatest {:.3f}\n",
        g.group, g.count, std::exp(g.logSum / static_cast<double>(g.count)), g.least, g.greatest);
  return text;
}

} // namespace mpf::bench
