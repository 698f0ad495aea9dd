// Draws one plot as SVG text: dots, with or without lines.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace mpf::bench {

struct PlotDot {
  double x = 0, y = 0; ///< positive on logarithmic axes
  std::string colour;  ///< CSS colour
  std::string title;   ///< shown while the pointer rests on the dot; empty: none
};

struct Plot {
  std::string xLabel, yLabel;
  bool logY = true;
  double leastY = 0, mostY = 0; ///< linear y only: the range shown, dots outside sit on its edge
  std::vector<double> lines;    ///< dashed horizontal lines
  std::vector<PlotDot> dots;    ///< later dots over earlier ones
  bool logX = true;
  bool joined = false; ///< whether a line joins each dot to the one before, if colours are equal
  std::vector<std::pair<size_t, size_t>> links; ///< grey lines between dots, by index
};

/// Returns the colour of a series, from a palette for people with colour blindness (Okabe and Ito).
/// All further series have the last colour.
const char *seriesColour(size_t series);

/// Returns an <svg> element with decades as grid lines; empty for a plot without dots.
std::string svgText(const Plot &plot);

} // namespace mpf::bench
