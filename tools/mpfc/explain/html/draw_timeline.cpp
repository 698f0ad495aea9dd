#include "tools/mpfc/explain/html/draw_timeline.h"

#include "dsl/support/number_text.h"
#include "tools/mpfc/explain/facts/facts.h"
#include "tools/mpfc/explain/facts/timeline_facts.h"
#include "tools/mpfc/explain/html/html_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace mpf {

namespace {

/// Bars [first, last] of a lane, drawn as one.
struct DrawnBar {
  size_t first = 0, last = 0, bars = 0, operations = 0;
  double startUs = 0, endUs = 0;
};

class Drawing {
public:
  explicit Drawing(const QueryExplanation &query) : query_(query), line_(query.timeline) {}

  std::string svg() {
    svg_ = fmt::format("<svg class=\"timeline\" viewBox=\"0 0 {} {}\" role=\"img\" "
                       "aria-label=\"Time line: {}\">\n",
                       svgNumber(kWidth), svgNumber(bottom() + kBottom),
                       escapedHtml(timelineTitle(query_)));
    drawTicks();
    for (uint32_t lane = 0; lane < line_.lanes.size(); ++lane)
      drawLane(lane);
    return svg_ + "</svg>\n";
  }

private:
  static constexpr double kWidth = 1000, kLeft = 84, kRight = 16, kTop = 8, kBottom = 26;
  static constexpr double kLane = 34, kBar = 22;
  /// Bars and gaps narrower than this are drawn as one bar.
  static constexpr double kNarrow = 3;
  /// Bars of at least this width contain their name, as far as it fits.
  static constexpr double kNamed = 40, kCodePoint = 7;
  static constexpr size_t kTicks = 6;

  double x(double us) const { return kLeft + us / line_.endUs * (kWidth - kLeft - kRight); }
  double bottom() const { return kTop + kLane * static_cast<double>(line_.lanes.size()); }

  /// Returns the colour class of a lane, equal for all GPUs; copies up and down share one.
  std::string laneClass(uint32_t lane) const {
    const std::string &name = line_.lanes[lane];
    return name == query_.target ? "gpu" : name == kCpuDevice ? name : "copies";
  }

  void drawTicks() {
    for (size_t i = 0; i <= kTicks; ++i) {
      const double us = line_.endUs * static_cast<double>(i) / kTicks;
      fmt::format_to(std::back_inserter(svg_),
                     "<path class=\"grid\" d=\"M{0} {1}V{2}\"/><text class=\"tick\" x=\"{0}\" "
                     "y=\"{3}\" text-anchor=\"{4}\">{5}</text>\n",
                     svgNumber(x(us)), svgNumber(kTop), svgNumber(bottom()),
                     svgNumber(bottom() + 17), i == kTicks ? "end" : "middle", formatTime(us));
    }
  }

  std::vector<DrawnBar> drawnBars(uint32_t lane) const {
    std::vector<DrawnBar> drawn;
    for (size_t i = 0; i < line_.bars.size(); ++i) {
      const TimelineBarFacts &bar = line_.bars[i];
      if (bar.lane != lane || bar.endUs <= bar.startUs)
        continue;
      if (drawn.empty() || x(bar.endUs) - x(drawn.back().startUs) > kNarrow)
        drawn.push_back({.first = i, .startUs = bar.startUs});
      DrawnBar &into = drawn.back();
      into.last = i;
      ++into.bars;
      into.operations += bar.operations;
      into.endUs = bar.endUs;
    }
    return drawn;
  }

  std::string titleOf(const DrawnBar &drawn) const {
    const TimelineBarFacts &bar = line_.bars[drawn.first];
    std::string what = bar.what;
    if (drawn.bars > 1)
      what = fmt::format("{} bars, {} to {}", drawn.bars, what, line_.bars[drawn.last].what);
    if (drawn.operations > 1)
      what += fmt::format(" ({} operations)", drawn.operations);
    if (drawn.bars == 1 && bar.bytes > 0)
      what += fmt::format(" ({})", formatBytes(static_cast<uint64_t>(bar.bytes)));
    const std::string start = drawn.startUs > 0 ? formatTime(drawn.startUs) : "0";
    return fmt::format("{}\n{} from {}", displayText(what), formatTime(drawn.endUs - drawn.startUs),
                       start);
  }

  void drawLane(uint32_t lane) {
    const auto out = std::back_inserter(svg_);
    const double top = kTop + kLane * lane + (kLane - kBar) / 2;
    fmt::format_to(out,
                   "<g class=\"lane {}\"><text class=\"tick\" x=\"{}\" y=\"{}\" "
                   "text-anchor=\"end\">{}</text>\n",
                   laneClass(lane), svgNumber(kLeft - 8), svgNumber(top + kBar / 2 + 4),
                   escapedHtml(line_.lanes[lane]));
    for (const DrawnBar &bar : drawnBars(lane)) {
      const double width = std::max(x(bar.endUs) - x(bar.startUs), 0.5);
      const bool isWait =
          bar.bars == 1 && bar.operations == 0 && line_.lanes[lane] == query_.target;
      fmt::format_to(out,
                     "<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title>"
                     "</rect>",
                     isWait ? " class=\"wait\"" : "", svgNumber(x(bar.startUs)), svgNumber(top),
                     svgNumber(width), svgNumber(kBar), escapedHtml(titleOf(bar)));
      if (bar.bars == 1 && width >= kNamed)
        fmt::format_to(out, "<text x=\"{}\" y=\"{}\">{}</text>", svgNumber(x(bar.startUs) + 4),
                       svgNumber(top + kBar / 2 + 4),
                       escapedHtml(elided(displayText(line_.bars[bar.first].what),
                                          static_cast<size_t>((width - 8) / kCodePoint))));
      svg_ += '\n';
    }
    svg_ += "</g>\n";
  }

  const QueryExplanation &query_;
  const TimelineFacts &line_;
  std::string svg_;
};

} // namespace

std::string timelineSvg(const QueryExplanation &query) {
  return query.timeline.endUs > 0 ? Drawing(query).svg() : std::string();
}

} // namespace mpf
