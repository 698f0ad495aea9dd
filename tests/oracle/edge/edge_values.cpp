#include "tests/oracle/edge/edge_values.h"

#include "tests/oracle/models/random_models.h"

#include <cmath>
#include <limits>
#include <map>
#include <span>

namespace mpf::oracle {

namespace {

enum class Magnitudes { Ordinary, Tiny, Huge, Mixture, Anywhere, Count };

constexpr double kTiny[] = {
    5e-324, 1e-320, 1.5e-310, 2.2250738585072014e-308, 2.3e-308, 1e-307, 1e-300,
};
constexpr double kHuge[] = {
    1e300, 1e307, 8.98846567431158e307, 1e308, std::numeric_limits<double>::max(),
};
constexpr double kLogs[] = {
    1, -1, 1e-300, -5e-324, 700, -745.2, 1e3, -1e4, 709.8, 1e6, -1e6, 0.1,
};
constexpr double kLogsBeyond[] = {6e8, 1e9, -1e12, 1e300, -1.7e308};

template <size_t N> double oneOf(std::mt19937_64 &random, const double (&values)[N]) {
  return values[random() % N];
}

double drawMagnitude(std::mt19937_64 &random, Magnitudes magnitudes) {
  switch (magnitudes) {
  case Magnitudes::Tiny:
    return oneOf(random, kTiny);
  case Magnitudes::Huge:
    return oneOf(random, kHuge);
  case Magnitudes::Mixture: {
    const uint64_t which = random() % 4;
    return which == 0   ? oneOf(random, kTiny)
           : which == 1 ? oneOf(random, kHuge)
           : which == 2 ? 1
                        : 1 - unit(random);
  }
  case Magnitudes::Anywhere: {
    const int exponent = static_cast<int>(random() % 2098) - 1074;
    return std::ldexp(1 + unit(random), exponent);
  }
  case Magnitudes::Ordinary:
  case Magnitudes::Count:
    break;
  }
  return 1 - unit(random);
}

double drawLog(std::mt19937_64 &random, Magnitudes magnitudes) {
  if (magnitudes == Magnitudes::Anywhere && random() % 50 == 0)
    return oneOf(random, kLogsBeyond);
  if (magnitudes == Magnitudes::Ordinary)
    return 4 * unit(random) - 2;
  return random() % 2 == 0 ? oneOf(random, kLogs) : 2000 * unit(random) - 1000;
}

/// Draws a zero. Zeros mostly stay, because much of the simplification depends on constraints.
double drawZero(std::mt19937_64 &random, ValueDomain domain, bool infiniteZero) {
  if (infiniteZero)
    return -kInfinity;
  return domain == ValueDomain::Logs || random() % 4 != 0 ? 0.0 : -0.0;
}

} // namespace

ValueDomain domainOf(const Query &query, bool isSigned) {
  if (query.combine == Combine::Plus)
    return !query.reductions.empty() && query.reductions.front().reduce == Reduce::LogSum
               ? ValueDomain::Logs
               : ValueDomain::Costs;
  const bool sums = query.kind != QueryKind::Mpe &&
                    (query.reductions.empty() || query.reductions.front().reduce == Reduce::Sum);
  return isSigned && sums ? ValueDomain::Signed : ValueDomain::Weights;
}

TableValues edgeValues(std::mt19937_64 &random, const std::vector<double> &values,
                       ValueDomain domain, bool infiniteZero) {
  const auto magnitudes =
      static_cast<Magnitudes>(random() % static_cast<uint64_t>(Magnitudes::Count));
  const bool keepsZeros = random() % 4 != 0;
  std::map<double, double> drawn; // -0.0 and 0.0 are one key
  std::vector<double> edge;
  double last = 1;
  for (const double value : values) {
    const auto [at, isNew] = drawn.try_emplace(value, 0);
    if (isNew) {
      double &fresh = at->second;
      if (value == 0 && keepsZeros)
        fresh = drawZero(random, domain, infiniteZero);
      else if (domain == ValueDomain::Logs)
        fresh = drawLog(random, magnitudes);
      else
        fresh = drawMagnitude(random, magnitudes);
      if ((domain == ValueDomain::Signed || domain == ValueDomain::Costs) && random() % 3 == 0)
        fresh = -std::abs(fresh); // 0 becomes -0
      if (domain == ValueDomain::Signed && random() % 8 == 0)
        fresh = -last; // sums that cancel
      last = fresh;
    }
    edge.push_back(at->second);
  }
  return std::make_shared<const std::vector<double>>(std::move(edge));
}

} // namespace mpf::oracle
