#include "tools/mpf-bench/report/plot.h"

#include "tools/mpf-bench/report/html_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>

namespace mpf::bench {

namespace {

constexpr double kWidth = 640, kHeight = 400, kLeft = 64, kRight = 28, kTop = 12, kBottom = 44;

/// Maps values of one axis to pixels.
class Scale {
public:
  Scale(double least, double most, bool log, double from, double to)
      : low_(log ? std::floor(std::log10(least)) : least),
        high_(log ? std::ceil(std::log10(most)) : most), log_(log), from_(from), to_(to) {
    if (high_ <= low_)
      high_ = low_ + 1;
  }
  double at(double value) const {
    const double place = std::clamp(log_ ? std::log10(value) : value, low_, high_);
    return from_ + (place - low_) / (high_ - low_) * (to_ - from_);
  }
  /// Returns the grid lines: decades, or tenths of a linear axis.
  std::vector<double> ticks() const {
    std::vector<double> values;
    if (log_)
      for (double decade = low_; decade <= high_; ++decade)
        values.push_back(std::pow(10.0, decade));
    else
      for (int i = 0; i <= 6; ++i)
        values.push_back(low_ + (high_ - low_) * i / 6);
    return values;
  }
  std::string label(double value) const {
    return log_ ? fmt::format("1e{:.0f}", std::log10(value)) : fmt::format("{:.1f}", value);
  }

private:
  double low_, high_;
  bool log_;
  double from_, to_;
};

Scale scaleX(const Plot &plot) {
  const auto [least, most] =
      std::minmax_element(plot.dots.begin(), plot.dots.end(),
                          [](const PlotDot &a, const PlotDot &b) { return a.x < b.x; });
  return {plot.logX ? least->x : 0, most->x, plot.logX, kLeft, kWidth - kRight};
}

Scale scaleY(const Plot &plot) {
  if (!plot.logY)
    return {plot.leastY, plot.mostY, false, kHeight - kBottom, kTop};
  const auto [least, most] =
      std::minmax_element(plot.dots.begin(), plot.dots.end(),
                          [](const PlotDot &a, const PlotDot &b) { return a.y < b.y; });
  double low = least->y, high = most->y; // with room for the lines
  for (const double line : plot.lines)
    low = std::min(low, line), high = std::max(high, line);
  return {low, high, true, kHeight - kBottom, kTop};
}

std::string gridText(const Scale &x, const Scale &y) {
  std::string text;
  for (const double tick : x.ticks())
    text += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
                        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
                        x.at(tick), kTop, kHeight - kBottom, kHeight - kBottom + 16, x.label(tick));
  for (const double tick : y.ticks())
    text +=
        fmt::format("<line class=\"grid\" x1=\"{1}\" x2=\"{2}\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/>"
                    "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
                    y.at(tick), kLeft, kWidth - kRight, kLeft - 6, y.at(tick) + 4, y.label(tick));
  return text;
}

std::string joinText(const Plot &plot, const Scale &x, const Scale &y) {
  std::string text;
  for (size_t i = 1; plot.joined && i < plot.dots.size(); ++i) {
    const PlotDot &from = plot.dots[i - 1], &to = plot.dots[i];
    if (from.colour == to.colour)
      text += fmt::format("<line stroke=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" "
                          "y2=\"{:.1f}\"/>\n",
                          to.colour, x.at(from.x), y.at(from.y), x.at(to.x), y.at(to.y));
  }
  return text;
}

std::string linkText(const Plot &plot, const Scale &x, const Scale &y) {
  std::string text;
  for (const auto &[from, to] : plot.links)
    text += fmt::format("<line stroke=\"#bbb\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" "
                        "y2=\"{:.1f}\"/>\n",
                        x.at(plot.dots[from].x), y.at(plot.dots[from].y), x.at(plot.dots[to].x),
                        y.at(plot.dots[to].y));
  return text;
}

} // namespace

const char *seriesColour(size_t series) {
  constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#000000"};
  return kColours[std::min(series, kColours.size() - 1)];
}

std::string svgText(const Plot &plot) {
  if (plot.dots.empty())
    return {};
  const Scale x = scaleX(plot), y = scaleY(plot);
  std::string text = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">\n", kWidth, kHeight);
  text += gridText(x, y);
  for (const double line : plot.lines)
    text += fmt::format("<line class=\"mark\" x1=\"{1}\" x2=\"{2}\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/>"
                        "\n",
                        y.at(line), kLeft, kWidth - kRight);
  text += linkText(plot, x, y) + joinText(plot, x, y);
  for (const PlotDot &dot : plot.dots) {
    text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"", x.at(dot.x),
                        y.at(dot.y), dot.colour);
    text += dot.title.empty() ? "/>\n"
                              : fmt::format("><title>{}</title></circle>\n", escapeHtml(dot.title));
  }
  text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                      (kLeft + kWidth - kRight) / 2, kHeight - 8, escapeHtml(plot.xLabel));
  text += fmt::format("<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}"
                      "</text>\n</svg>\n",
                      (kTop + kHeight - kBottom) / 2, escapeHtml(plot.yLabel));
  return text;
}

} // namespace mpf::bench
