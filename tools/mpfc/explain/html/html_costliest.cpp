// The costliest buckets: one row for each, with its kernel on demand.
#include "codegen/kernel/plan/kernel_shape.h"
#include "tools/mpfc/explain/html/html_sections.h"
#include "tools/mpfc/explain/html/html_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace mpf {

namespace {

/// Returns bars for the terms of the cost model, on one scale with the floor's two terms.
std::string costBars(const BucketFacts &bucket, const KernelHeader &kernel) {
  double longest = std::max(bucket.floorBytesUs, bucket.floorArithmeticUs);
  for (const CostTerm &term : kernel.costTerms)
    longest = std::max(longest, term.timeUs);
  std::string html = "<table class=\"terms\"><tbody>\n";
  const auto add = [&](const std::string &name, double timeUs, const char *kind) {
    html += fmt::format("<tr class=\"{}\"><th scope=\"row\">{}</th><td class=\"number\">{}</td>"
                        "<td class=\"wide\"><span class=\"bar\" style=\"width:{}%\"></span></td>"
                        "</tr>\n",
                        kind, escapedHtml(name), formatTime(timeUs),
                        svgNumber(longest > 0 ? 100 * timeUs / longest : 0));
  };
  add("floor: bytes / copy limit", bucket.floorBytesUs, "floor");
  add("floor: arithmetic / peak", bucket.floorArithmeticUs, "floor");
  for (const CostTerm &term : kernel.costTerms)
    add(term.name, term.timeUs, "term");
  return html + "</tbody></table>\n";
}

std::string launchText(const KernelPlan &plan) {
  const KernelHeader &kernel = plan.header();
  return fmt::format("{} kernel, {} blocks of {} threads, {} B shared memory, about {} registers; "
                     "predicted {}, floor {}",
                     plan.family(), kernel.launch.gridBlocks, kernel.launch.blockThreads,
                     kernel.launch.sharedBytes, kernel.launch.estimatedRegisters,
                     formatTime(kernel.predictedUs), formatTime(kernel.floorUs));
}

std::string column(const char *name, bool isNumber) {
  return fmt::format("<th scope=\"col\"{}>{}</th>", isNumber ? " class=\"number\"" : "", name);
}

std::string number(const std::string &text) {
  return fmt::format("<td class=\"number\">{}</td>", text);
}

} // namespace

std::string costliestSection(const QueryExplanation &query, size_t index) {
  const bool showsGpu = query.showsGpu();
  std::string html;
  if (showsGpu)
    html = fmt::format(
        "<p>Times on {0}. \xE2\x80\x9CGPU\xE2\x80\x9D is how the operation would run: on the "
        "table-driven kernels, or on a specialised one where compiling it pays. The floor is what "
        "no kernel goes below: every table moved once, every operation at the peak rate.</p>\n",
        escapedHtml(query.target));
  html += "<div class=\"scroll\"><table class=\"costliest\"><thead><tr>";
  html += column("#", false) + column("bucket", false) + column("eliminates", false);
  for (const char *name : {"share", "variables", "addresses", "message"})
    html += column(name, true);
  html += column(showsGpu ? "CPU" : "time", true);
  if (showsGpu)
    html += column("GPU", true) + column("own kernel", true) + column("floor", true);
  html += "</tr></thead><tbody>\n";
  std::string details;
  for (size_t rank = 0; rank < query.costliest.size(); ++rank) {
    const DearBucket &dear = query.costliest[rank];
    const BucketFacts &bucket = query.buckets[dear.bucket];
    const std::string name = escapedHtml(bucket.name);
    html += fmt::format(
        "<tr><th scope=\"row\"><a href=\"#q{0}-tree\" data-find=\"{1}\" aria-label=\"show number "
        "{1} in the tree\">{1}</a></th><td>{2}{3}</td><td>{4}</td>",
        index, rank + 1, name, bucket.downward ? " <small>downward</small>" : "",
        escapedHtml(joinNames(bucket.reduced, 4)));
    html += number(formatShare(dear.share)) + number(fmt::format("{}", bucket.variables)) +
            number(formatCount(bucket.addresses)) + number(formatCount(bucket.entries)) +
            number(formatTime(bucket.cpuUs) + (bucket.cpuCompiled ? " *" : ""));
    if (showsGpu)
      html += number(formatTime(bucket.gpuUs) + (bucket.specialisedKernel ? " *" : "")) +
              number(dear.kernel ? formatTime(dear.ownUs) : "-") +
              number(formatTime(std::max(bucket.floorBytesUs, bucket.floorArithmeticUs)));
    html += "</tr>\n";
    if (dear.kernel)
      details += fmt::format("<details><summary>{}. {}: {}</summary>\n<div class=\"kernel\">{}<div "
                             "class=\"scroll\"><pre>{}</pre></div></div></details>\n",
                             rank + 1, name, escapedHtml(launchText(*dear.kernel)),
                             costBars(bucket, dear.kernel->header()), escapedHtml(dear.kernelText));
  }
  html += "</tbody></table></div>\n";
  if (std::ranges::any_of(query.costliest, [&](const DearBucket &dear) {
        const BucketFacts &bucket = query.buckets[dear.bucket];
        return bucket.cpuCompiled || (showsGpu && bucket.specialisedKernel);
      }))
    html += "<p>* compiles a specialised kernel.</p>\n";
  return showsGpu && !details.empty() ? html + "<h4>Their kernel plans</h4>\n" + details : html;
}

} // namespace mpf
