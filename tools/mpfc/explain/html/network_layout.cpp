#include "tools/mpfc/explain/html/network_layout.h"

#include "dsl/support/split_mix.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

namespace mpf {

namespace {

using Point = std::complex<double>; ///< x and y

constexpr size_t kSweeps = 30;
/// The first step, as a part of the largest squared distance, and the last one.
constexpr double kLongest = 0.005, kShortest = 0.1;
constexpr double kLeastFirst = 20; ///< of the first step
constexpr double kSecondAxis = 0.3;
constexpr double kWidest = 900; ///< pixels of a row of components
constexpr double kTallest = 2400;
/// A component that is so many times as long as wide lies along the page.
constexpr double kLong = 1.7;

/// Returns how far an arrow points down; to the right counts a little too.
double fallOf(Point edge) { return edge.real() * 0.25 + edge.imag(); }

/// The corners of points.
struct Frame {
  double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;

  explicit Frame(const std::vector<Point> &points) {
    for (const Point &point : points) {
      left = std::min(left, point.real());
      right = std::max(right, point.real());
      top = std::min(top, point.imag());
      bottom = std::max(bottom, point.imag());
    }
  }
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

/// A connected part of the picture, with nodes numbered from 0.
class Component {
public:
  Component(const NetworkPicture &picture, std::vector<uint32_t> nodes)
      : nodes_(std::move(nodes)), near_(nodes_.size()), points_(nodes_.size()) {
    std::vector<uint32_t> localOf(picture.nodes.size(), UINT32_MAX);
    for (uint32_t i = 0; i < nodes_.size(); ++i)
      localOf[nodes_[i]] = i;
    for (const NetworkPicture::Edge &edge : picture.edges)
      if (localOf[edge.from] != UINT32_MAX) {
        const uint32_t from = localOf[edge.from], to = localOf[edge.to];
        near_[from].push_back(to);
        near_[to].push_back(from);
        edges_.push_back({from, to, edge.isArrow});
      }
  }

  /// Sets the points in units of an edge.
  void place() {
    if (nodes_.size() < 2)
      return;
    measureDistances();
    placeByPivots();
    descend();
    turn();
  }

  const std::vector<uint32_t> &nodes() const { return nodes_; }
  std::vector<Point> &points() { return points_; }

private:
  double distance(size_t a, size_t b) const { return distances_[a * nodes_.size() + b]; }

  void measureDistances() {
    const size_t n = nodes_.size();
    distances_.assign(n * n, -1);
    std::vector<uint32_t> queue;
    for (uint32_t root = 0; root < n; ++root) {
      double *of = distances_.data() + root * n;
      of[root] = 0;
      queue.assign(1, root);
      for (size_t next = 0; next < queue.size(); ++next)
        for (const uint32_t v : near_[queue[next]])
          if (of[v] < 0) {
            of[v] = of[queue[next]] + 1;
            queue.push_back(v);
          }
    }
  }

  /// FastMap: a coordinate by the distances to two far nodes, then one by what these leave. The
  /// second one counts less, so that long graphs start straight.
  void placeByPivots() {
    const size_t n = nodes_.size();
    std::vector<double> x(n, 0), y(n, 0);
    const auto left = [&](size_t a, size_t b) {
      return std::max(distance(a, b) * distance(a, b) - (x[a] - x[b]) * (x[a] - x[b]), 0.0);
    };
    const auto farthest = [&](size_t from) {
      size_t best = from;
      for (size_t i = 0; i < n; ++i)
        if (left(from, i) > left(from, best))
          best = i;
      return best;
    };
    for (std::vector<double> *axis : {&x, &y}) {
      const size_t a = farthest(farthest(0)), b = farthest(a);
      const double length = left(a, b);
      std::vector<double> values(n, 0);
      for (size_t i = 0; i < n && length > 0; ++i)
        values[i] = (left(a, i) + length - left(b, i)) / (2 * std::sqrt(length));
      *axis = std::move(values);
    }
    for (size_t i = 0; i < n; ++i) // nodes at one place are moved apart, in directions of their own
      points_[i] = Point(x[i], kSecondAxis * y[i]) + std::polar(0.1, 2.4 * static_cast<double>(i));
  }

  /// Moves pairs of nodes towards their distances, all pairs in each sweep, by steps that get
  /// shorter.
  void descend() {
    struct NodePair {
      uint32_t a, b;
      double wanted;
    };
    uint64_t random = points_.size(); // equal graphs give equal drawings
    std::vector<NodePair> pairs;
    double farthest = 1;
    for (uint32_t a = 0; a < points_.size(); ++a)
      for (uint32_t b = 0; b < a; ++b) {
        pairs.push_back({a, b, distance(a, b)});
        farthest = std::max(farthest, pairs.back().wanted);
      }
    const double longest = std::max(kLongest * farthest * farthest, kLeastFirst),
                 decay = std::log(longest / kShortest);
    for (size_t sweep = 0; sweep < kSweeps; ++sweep) {
      const double step = longest * std::exp(-decay * static_cast<double>(sweep) / (kSweeps - 1));
      for (size_t i = pairs.size(); i > 1; --i)
        std::swap(pairs[i - 1], pairs[nextRandom(random) % i]);
      for (const NodePair &pair : pairs) {
        const Point between = points_[pair.a] - points_[pair.b];
        const double length = std::max(std::abs(between), 1e-9);
        const double share = std::min(step / (pair.wanted * pair.wanted), 1.0);
        const Point move = between * (share * (length - pair.wanted) / (2 * length));
        points_[pair.a] -= move;
        points_[pair.b] += move;
      }
    }
  }

  void turn() {
    Point slope = 0;
    for (const NetworkPicture::Edge &edge : edges_) {
      const Point along = points_[edge.to] - points_[edge.from];
      slope += std::pow(along, 4);
    }
    turnBy(-std::arg(slope) / 4);
    double bestScore = -INFINITY;
    unsigned best = 0;
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      if (const double score = scoreNow(); score > bestScore + 1e-6) {
        bestScore = score;
        best = quarter;
      }
      turnBy(std::numbers::pi / 2);
    }
    turnBy(best * std::numbers::pi / 2);
  }

  void turnBy(double angle) {
    for (Point &point : points_)
      point *= std::polar(1.0, angle);
  }

  /// Prefers wide drawings to high ones, then arrows that point down.
  double scoreNow() const {
    const Frame frame(points_);
    double down = 0;
    for (const NetworkPicture::Edge &edge : edges_)
      down += edge.isArrow ? fallOf(points_[edge.to] - points_[edge.from]) : 0;
    const double shape = frame.height() > kLong * frame.width() ? -2 : 0;
    const bool hasArrows = std::ranges::any_of(edges_, &NetworkPicture::Edge::isArrow);
    return shape + (hasArrows ? down / static_cast<double>(edges_.size())
                              : frame.width() / (frame.width() + frame.height()));
  }

  std::vector<uint32_t> nodes_;
  std::vector<std::vector<uint32_t>> near_;
  std::vector<NetworkPicture::Edge> edges_;
  std::vector<double> distances_; ///< edges between two nodes, n by n
  std::vector<Point> points_;
};

/// Lengths of edges as multiples of a box: along the page and across it. kClosest is the least
/// along the page, in drawings that are shrunk.
constexpr double kAlong = 1.3, kAcross = 1.7, kClosest = 1.05;

/// The width, in rows, above which a drawing is folded.
constexpr double kFolded = 1.4;

/// Scales units to pixels. Shrinks wide drawings somewhat. Folds longer ones into rows, every other
/// one backwards, and shrinks what is still too large.
void scaleToPage(std::vector<Point> &points, NodeBox box) {
  const double row = kWidest - box.width;
  const Frame units(points);
  const double wide = units.width() * kAlong * box.width;
  const double closer = wide > row ? std::max(row / wide, kClosest / kAlong) : 1;
  for (Point &point : points)
    point = {point.real() * kAlong * closer * box.width, point.imag() * kAcross * box.height};
  const Frame frame(points);
  const double width = frame.width(), height = frame.height();
  if (width <= kFolded * row && height <= kTallest)
    return; // the page shrinks it a little
  const double pitch = height + 1.6 * box.height;
  if (pitch * std::ceil(width / row) > kTallest) {
    const double factor = std::min({row / width, kTallest / height, 1.0});
    for (Point &point : points)
      point *= factor;
    return;
  }
  for (Point &point : points) {
    const double at = point.real() - frame.left, number = std::floor(at / row);
    const double along = at - number * row;
    point = {std::fmod(number, 2) == 0 ? along : row - along, point.imag() + number * pitch};
  }
}

/// Moves nodes whose boxes overlap earlier ones to free places near by.
void separate(std::vector<Point> &points, NodeBox box) {
  const auto isFree = [&](size_t count, Point at) {
    return std::none_of(points.begin(), points.begin() + static_cast<ptrdiff_t>(count),
                        [&](Point other) {
                          return std::abs(at.real() - other.real()) < box.width &&
                                 std::abs(at.imag() - other.imag()) < box.height;
                        });
  };
  for (size_t i = 0; i < points.size(); ++i) {
    const Point wanted = points[i];
    for (unsigned ring = 1; !isFree(i, points[i]); ++ring) {
      const unsigned around = 8 * ring;
      for (unsigned k = 0; k < around; ++k) {
        const Point way = std::polar(ring * 0.5, 2 * std::numbers::pi * k / around);
        points[i] = wanted + Point(way.real() * box.width, way.imag() * box.height);
        if (isFree(i, points[i]))
          break;
      }
    }
  }
}

std::vector<Component> componentsOf(const NetworkPicture &picture) {
  std::vector<std::vector<uint32_t>> near(picture.nodes.size());
  for (const NetworkPicture::Edge &edge : picture.edges) {
    near[edge.from].push_back(edge.to);
    near[edge.to].push_back(edge.from);
  }
  std::vector<char> isSeen(picture.nodes.size(), 0);
  std::vector<Component> components;
  for (uint32_t root = 0; root < picture.nodes.size(); ++root) {
    if (isSeen[root])
      continue;
    isSeen[root] = 1;
    std::vector<uint32_t> nodes = {root};
    for (size_t next = 0; next < nodes.size(); ++next)
      for (const uint32_t v : near[nodes[next]])
        if (!std::exchange(isSeen[v], 1))
          nodes.push_back(v);
    std::ranges::sort(nodes);
    components.emplace_back(picture, std::move(nodes));
  }
  std::ranges::stable_sort(components, std::greater(),
                           [](const Component &one) { return one.nodes().size(); });
  return components;
}

} // namespace

NetworkLayout layoutNetwork(const NetworkPicture &picture, NodeBox box) {
  NetworkLayout layout;
  layout.places.resize(picture.nodes.size());
  double x = 0, rowTop = 0, rowBottom = 0; // of the row of components that is being filled
  for (Component &component : componentsOf(picture)) {
    component.place();
    std::vector<Point> &points = component.points();
    scaleToPage(points, box);
    separate(points, box);
    const Frame frame(points);
    const double width = frame.width() + box.width, height = frame.height() + box.height;
    if (x > 0 && x + width > kWidest) {
      x = 0;
      rowTop = rowBottom;
    }
    for (size_t i = 0; i < points.size(); ++i)
      layout.places[component.nodes()[i]] = {x + points[i].real() - frame.left + box.width / 2,
                                             rowTop + points[i].imag() - frame.top +
                                                 box.height / 2};
    x += width;
    rowBottom = std::max(rowBottom, rowTop + height);
    layout.width = std::max(layout.width, x);
  }
  layout.height = rowBottom;
  return layout;
}

} // namespace mpf
