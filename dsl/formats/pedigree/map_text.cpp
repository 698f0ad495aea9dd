#include "dsl/formats/pedigree/pedigree_text.h"
#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace mpf {

namespace {

std::string paramDeclaration(const std::string &name, const std::string &value) {
  return fmt::format("param {} = {}\n", name, value);
}

/// A param as a recombination fraction. One above a half becomes a negative number, with which no
/// table can be made.
std::string fractionOf(const std::string &name) { return fmt::format("fraction({})", name); }
constexpr const char *kFraction = "def fraction(theta) = theta <= 0.5 ? theta : -theta\n";

/// The recombination fraction of two loci as an expression over their distance in centimorgans.
std::string fractionText(const std::string &distance, MapFunction function) {
  if (function == MapFunction::Haldane)
    return fmt::format("0.5 - 0.5 * exp(({}) / -50)", distance);
  return fmt::format("0.5 * (1 - exp(({0}) / -25)) / (1 + exp(({0}) / -25))", distance);
}

/// The markers of a map without the trait.
struct MarkerMap {
  std::vector<size_t> order;
  std::vector<double> places;    ///< in centimorgans; infinite behind unlinked ones
  std::vector<double> fractions; ///< between neighbours
};

MarkerMap markersOf(const LocusMap &map, size_t trait, MapFunction function) {
  MarkerMap markers;
  double since = 0; // the recombination fraction since the last marker
  for (size_t i = 0; i < map.order.size(); ++i) {
    if (i != 0)
      since += map.fractions[i - 1] * (1 - 2 * since);
    if (map.order[i] == trait)
      continue;
    if (!markers.order.empty())
      markers.fractions.push_back(since);
    markers.places.push_back(
        markers.order.empty() ? map.start : markers.places.back() + mapDistance(since, function));
    markers.order.push_back(map.order[i]);
    since = 0;
  }
  return markers;
}

} // namespace

MapText mapText(const LocusMap &map) {
  MapText text{kFraction, {}};
  const bool differ = map.femaleRatio || !map.femaleFractions.empty();
  if (map.femaleRatio)
    text.params += paramDeclaration("female_ratio", formatDouble(*map.femaleRatio));
  for (size_t i = 0; i < map.fractions.size(); ++i) {
    const std::string name = map.fractions.size() == 1 ? "theta" : fmt::format("theta{}", i + 1);
    const std::string father = differ ? name + "_male" : name;
    const std::string mother = differ ? name + "_female" : name;
    text.params += paramDeclaration(father, formatDouble(map.fractions[i]));
    if (map.femaleRatio)
      text.params +=
          paramDeclaration(mother, fmt::format("0.5 - 0.5 * (1 - 2 * {}) ^ female_ratio", father));
    else if (differ)
      text.params += paramDeclaration(mother, formatDouble(map.femaleFractions[i]));
    text.intervals.push_back({fractionOf(father), fractionOf(mother)});
  }
  return text;
}

MapText positionText(LocusMap &map, size_t trait, double position, MapFunction function) {
  const MarkerMap markers = markersOf(map, trait, function);
  for (size_t m = 1; m < markers.order.size(); ++m)
    if (!std::isfinite(markers.places[m]))
      fail(ErrorKind::Usage,
           "{} needs the markers of one chromosome: the recombination fraction of {} and {} is 0.5",
           kPositionOption, excerpt(map.loci[markers.order[m - 1]].name),
           excerpt(map.loci[markers.order[m]].name));
  const auto behind = static_cast<size_t>(std::ranges::upper_bound(markers.places, position) -
                                          markers.places.begin());
  MapText text{kFraction, {}};
  text.params += paramDeclaration("position", formatDouble(position));
  const auto addSide = [&](size_t marker, const char *form) {
    const std::string name = fmt::format("theta{}", text.intervals.size() + 1);
    const std::string place = formatDouble(markers.places[marker]);
    text.params +=
        paramDeclaration(name, fractionText(fmt::format(fmt::runtime(form), place), function));
    text.intervals.push_back({fractionOf(name), fractionOf(name)});
  };
  for (size_t m = 0; m <= markers.order.size(); ++m) {
    if (m == behind && m != 0)
      addSide(m - 1, "position - {}");
    if (m == behind && m != markers.order.size())
      addSide(m, "{} - position");
    if (m != 0 && m != markers.order.size() && m != behind) {
      const std::string fraction = formatDouble(markers.fractions[m - 1]);
      text.intervals.push_back({fraction, fraction});
    }
  }
  map.order = markers.order;
  map.order.insert(map.order.begin() + static_cast<ptrdiff_t>(behind), trait);
  return text;
}

} // namespace mpf
