#include "tools/mpf-bench/report/scatter_page.h"

#include "tools/mpf-bench/report/html_page.h"
#include "tools/mpf-bench/report/plot.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace mpf::bench {

namespace {

/// Colours for people with colour blindness (Okabe and Ito); all further families have the last
/// one.
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#000000"};
constexpr const char *kFloorColour = "#d0d0d0";

std::vector<std::string> familiesOf(const std::vector<BucketJob> &jobs) {
  std::vector<std::string> names;
  for (const BucketJob &job : jobs)
    if (job.judgedUs() && std::find(names.begin(), names.end(), job.family) == names.end())
      names.push_back(job.family);
  std::sort(names.begin(), names.end());
  return names;
}

std::string colourOf(const std::vector<std::string> &families, const std::string &family) {
  const auto at = std::find(families.begin(), families.end(), family) - families.begin();
  return kColours[std::min(static_cast<size_t>(at), kColours.size() - 1)];
}

std::string titleOf(const BucketJob &job) {
  return fmt::format(
      "{} ({})\n{} functions, {:.3g} operations, {:.3g} bytes\nfloor {:.2f} us, model "
      "{:.2f} us, {} {:.2f} us\nfloor / time {:.2f}",
      job.shape.name, job.family, job.shape.operands.size(), job.operations(),
      job.compulsoryBytes(), job.plan->header().floorUs, job.predictedUs(),
      job.result.timeUs ? "time" : "predicted", *job.judgedUs(), *job.fraction());
}

std::string groupText(const GroupSummary &summary, const std::vector<BucketJob> &jobs,
                      const std::vector<std::string> &families) {
  Plot speed{
      "operations (multiplications and additions)", "10^9 operations / s", true, 0, 0, {}, {}};
  Plot share{
      "operations (multiplications and additions)", "floor / time", false, 0, 1.2, {0.5, 1}, {}};
  for (const BucketJob &job : jobs)
    if (job.groupName() == summary.name && job.judgedUs())
      speed.dots.push_back({job.operations(), job.operations() / job.plan->header().floorUs * 1e-3,
                            kFloorColour, ""});
  Plot gain{"operations (multiplications and additions)", "other time / time", true, 0, 0, {1}, {}};
  for (const BucketJob &job : jobs)
    if (job.groupName() == summary.name && job.judgedUs()) {
      const std::string colour = colourOf(families, job.family), title = titleOf(job);
      speed.dots.push_back(
          {job.operations(), job.operations() / *job.judgedUs() * 1e-3, colour, title});
      share.dots.push_back({job.operations(), *job.fraction(), colour, title});
      if (job.gain())
        gain.dots.push_back({job.operations(), *job.gain(), colour, title});
    }
  const bool timed = summary.modelError.has_value();
  std::string text = fmt::format(
      "<h2>{}</h2>\n<p>{} of {} buckets{}; geometric mean of floor / time {:.3f}, least {:.3f}, "
      "{:.1f} % under 0.5",
      escapeHtml(summary.name), summary.judged, summary.jobs, timed ? "" : ", predicted only",
      summary.meanFraction, summary.leastFraction, 100 * summary.shareUnderHalf);
  if (timed)
    text += fmt::format("; median of |model / time - 1| {:.3f}", *summary.modelError);
  text += fmt::format("; {} wrong, {} skipped, {} failed.</p>\n", summary.wrong, summary.skipped,
                      summary.failed);
  for (const Plot *plot : {&speed, &share, &gain})
    if (!plot->dots.empty())
      text += "<figure>\n" + svgText(*plot) + "</figure>\n";
  return text;
}

} // namespace

std::string scatterPage(const ReportHead &head, const std::vector<BucketJob> &jobs,
                        const std::vector<GroupSummary> &summaries) {
  const std::vector<std::string> families = familiesOf(jobs);
  std::string text = pageHead("Bucket benchmark");
  text += fmt::format("<p>{}; <code>{}</code></p>\n<p>", escapeHtml(head.device),
                      escapeHtml(head.command));
  for (const std::string &family : families)
    text += fmt::format("<span class=\"key\" style=\"background:{}\"></span> {} &nbsp; ",
                        colourOf(families, family), escapeHtml(family));
  text += fmt::format("<span class=\"key\" style=\"background:{}\"></span> the same bucket at its "
                      "floor. Dots have titles.</p>\n",
                      kFloorColour);
  for (const GroupSummary &summary : summaries)
    if (summary.judged > 0)
      text += groupText(summary, jobs, families);
  return text + "</body>\n</html>\n";
}

} // namespace mpf::bench
