// Draws one plot as SVG text: dots, joined or not.
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
  bool joined = false; ///< each dot with the one before, if that has its colour
  std::vector<std::pair<size_t, size_t>> links; ///< grey lines between dots, by index
};

/// Told apart by people who see few colours (Okabe and Ito); the last is for all further series.
const char *seriesColour(size_t series);

/// An <svg> element; decades as grid lines. A plot without dots is an empty string.
std::string svgText(const Plot &plot);

} // namespace mpf::bench
