#include "tools/mpfc/explain/html/draw_memory.h"

#include "dsl/support/number_text.h"
#include "tools/mpfc/explain/facts/facts.h"
#include "tools/mpfc/explain/html/html_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace mpf {

namespace {

constexpr double kWidth = 1000, kHeight = 280;
constexpr double kLeft = 84, kRight = 16, kTop = 22, kBottom = 34;
/// Bounds up to this many times the peak are drawn.
constexpr double kBoundInSight = 2;

std::string bytesText(double bytes) {
  return bytes < 9e18 ? formatBytes(static_cast<uint64_t>(bytes))
                      : fmt::format("2^{:.1f} B", std::log2(bytes));
}

struct Scale {
  double operations, topBytes;
  double x(double operation) const {
    return kLeft + operation / operations * (kWidth - kLeft - kRight);
  }
  double y(double bytes) const {
    return kHeight - kBottom - bytes / topBytes * (kHeight - kTop - kBottom);
  }
};

/// Returns 1, 2 or 5 times a power of ten, about `count` of them below `top`.
double decimalStep(double top, double count) {
  const double ideal = std::max(top / count, 1.0);
  const double power = std::pow(10, std::floor(std::log10(ideal)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= ideal)
      return factor * power;
  return 10 * power;
}

void drawAxes(const Scale &scale, std::string &svg) {
  const auto out = std::back_inserter(svg);
  // Steps are powers of two, because bytes are printed in binary units.
  const double step = std::exp2(std::ceil(std::log2(scale.topBytes / 6)));
  for (double bytes = 0; bytes <= scale.topBytes; bytes += step)
    fmt::format_to(out,
                   "<path class=\"grid\" d=\"M{} {}H{}\"/>"
                   "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                   svgNumber(kLeft), svgNumber(scale.y(bytes)), svgNumber(kWidth - kRight),
                   svgNumber(kLeft - 8), svgNumber(scale.y(bytes) + 4), bytesText(bytes));
  const double every = decimalStep(scale.operations, 8);
  for (double at = 0; at < scale.operations; at += every)
    fmt::format_to(out,
                   "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:.0f}</text>\n",
                   svgNumber(scale.x(at)), svgNumber(kHeight - kBottom + 16), at);
  fmt::format_to(out,
                 "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">operation in order of "
                 "execution</text>\n",
                 svgNumber(kWidth - kRight), svgNumber(kHeight - 4));
}

void drawSteps(const QueryExplanation &query, const Scale &scale, std::string &svg) {
  const auto out = std::back_inserter(svg);
  const MemoryFacts &memory = query.memory;
  const auto startOf = [&](size_t i) {
    // A stretch's worst operation stands for all of it: stretches are equally long.
    return static_cast<double>(i) * static_cast<double>(memory.operations) /
           static_cast<double>(memory.steps.size());
  };
  std::string outline = fmt::format("M{} {}", svgNumber(scale.x(0)), svgNumber(scale.y(0)));
  for (size_t i = 0; i < memory.steps.size(); ++i)
    outline += fmt::format("V{}H{}", svgNumber(scale.y(memory.steps[i].liveBytes)),
                           svgNumber(scale.x(startOf(i + 1))));
  fmt::format_to(out, "<path class=\"live\" d=\"{}V{}Z\"/>\n", outline, svgNumber(scale.y(0)));
  const double inputsTop = scale.y(static_cast<double>(memory.inputBytes));
  fmt::format_to(out, "<rect class=\"inputs\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                 svgNumber(kLeft), svgNumber(inputsTop), svgNumber(kWidth - kLeft - kRight),
                 svgNumber(kHeight - kBottom - inputsTop));
  svg += "<g class=\"hits\">";
  for (size_t i = 0; i < memory.steps.size(); ++i)
    fmt::format_to(
        out, "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}: {}</title></rect>",
        svgNumber(scale.x(startOf(i))), svgNumber(kTop),
        svgNumber(scale.x(startOf(i + 1)) - scale.x(startOf(i))),
        svgNumber(kHeight - kTop - kBottom),
        escapedHtml(query.buckets[memory.steps[i].operation].name),
        bytesText(memory.steps[i].liveBytes));
  svg += "</g>\n";
}

void drawLine(const Scale &scale, std::string_view kind, double bytes, const std::string &text,
              std::string &svg) {
  fmt::format_to(std::back_inserter(svg),
                 "<g class=\"{0}\"><path d=\"M{1} {2}H{3}\"/><text x=\"{4}\" y=\"{5}\" "
                 "text-anchor=\"end\">{6}</text></g>\n",
                 kind, svgNumber(kLeft), svgNumber(scale.y(bytes)), svgNumber(kWidth - kRight),
                 svgNumber(kWidth - kRight - 6), svgNumber(scale.y(bytes) - 5), escapedHtml(text));
}

void drawPeak(const QueryExplanation &query, const Scale &scale, std::string &svg) {
  const MemoryFacts &memory = query.memory;
  const auto worst = std::max_element(
      memory.steps.begin(), memory.steps.end(),
      [](const MemoryStep &a, const MemoryStep &b) { return a.liveBytes < b.liveBytes; });
  const double x = scale.x(static_cast<double>(memory.worstOperation) + 0.5);
  const bool right = x > kWidth / 2;
  fmt::format_to(std::back_inserter(svg),
                 "<g class=\"peak\"><circle cx=\"{}\" cy=\"{}\" r=\"4\"/><text x=\"{}\" y=\"{}\" "
                 "text-anchor=\"{}\">peak {} at {}</text></g>\n",
                 svgNumber(x), svgNumber(scale.y(worst->liveBytes)),
                 svgNumber(x + (right ? -9 : 9)), svgNumber(scale.y(worst->liveBytes) + 13),
                 right ? "end" : "start", bytesText(worst->liveBytes),
                 escapedHtml(query.buckets[memory.worstOperation].name));
}

} // namespace

std::string memorySvg(const QueryExplanation &query) {
  const MemoryFacts &memory = query.memory;
  if (memory.steps.empty())
    return "<p>Nothing is computed: there is no memory to show.</p>\n";
  double top = std::exp2(memory.log2PeakBytes);
  if (memory.peakBytes != UINT64_MAX)
    top = std::max(top, static_cast<double>(memory.peakBytes));
  const double sight = kBoundInSight * top;
  const bool boundShown = memory.boundBytes && static_cast<double>(*memory.boundBytes) <= sight;
  const bool deviceShown = static_cast<double>(memory.deviceBytes) <= sight;
  if (boundShown)
    top = std::max(top, static_cast<double>(*memory.boundBytes));
  if (deviceShown)
    top = std::max(top, static_cast<double>(memory.deviceBytes));
  const Scale scale{static_cast<double>(memory.operations), top * 1.12};
  std::string svg = fmt::format(
      R"(<svg class="memory" viewBox="0 0 {} {}" role="img" aria-label="Memory over time: peak {}">)",
      kWidth, kHeight, escapedHtml(peakText(memory)));
  svg += '\n';
  drawAxes(scale, svg);
  drawSteps(query, scale, svg);
  if (memory.peakBytes != UINT64_MAX)
    drawLine(scale, "promise", static_cast<double>(memory.peakBytes),
             "allocated " + formatBytes(memory.peakBytes), svg);
  if (boundShown)
    drawLine(scale, "bound", static_cast<double>(*memory.boundBytes),
             "bound " + formatBytes(*memory.boundBytes), svg);
  if (deviceShown)
    drawLine(scale, "bound", static_cast<double>(memory.deviceBytes),
             fmt::format("{} has {}", query.target, formatBytes(memory.deviceBytes)), svg);
  drawPeak(query, scale, svg);
  return svg + "</svg>\n";
}

} // namespace mpf
