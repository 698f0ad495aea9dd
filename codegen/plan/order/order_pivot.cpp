#include "codegen/plan/order/order_pivot.h"

#include "dsl/support/check.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mpf {

namespace {

constexpr size_t kFewestVertices = 9;

struct Point {
  int64_t x = 0, y = 0;
  int64_t cross(const Point &other) const { return x * other.y - y * other.x; }
  int64_t dot(const Point &other) const { return x * other.x + y * other.y; }
};

std::vector<int64_t> distancesFrom(InteractionGraph &graph, Vertex start) {
  std::vector<int64_t> distance(graph.vertexCount(), -1);
  std::vector<Vertex> queue{start};
  distance[start] = 0;
  for (size_t head = 0; head < queue.size(); ++head)
    for (const Vertex u : graph.neighbours(queue[head]))
      if (distance[u] < 0) {
        distance[u] = distance[queue[head]] + 1;
        queue.push_back(u);
      }
  return distance;
}

Vertex farthest(const std::vector<int64_t> &distance) {
  return static_cast<Vertex>(std::max_element(distance.begin(), distance.end()) - distance.begin());
}

/// Returns coordinates: differences of distances to two landmarks far apart, and to two more
/// across.
std::vector<Point> draw(InteractionGraph &graph) {
  const size_t count = graph.vertexCount();
  const std::vector<int64_t> a = distancesFrom(graph, farthest(distancesFrom(graph, 0)));
  const std::vector<int64_t> b = distancesFrom(graph, farthest(a));
  std::vector<int64_t> apart(count); // distance to the nearer landmark
  for (size_t v = 0; v < count; ++v) {
    MPF_CHECK(a[v] >= 0 && b[v] >= 0, "vertex {} of {} has no path to a landmark", v, count);
    apart[v] = std::min(a[v], b[v]);
  }
  // Among the vertices halfway between the landmarks, find the one farthest to a side.
  const Vertex between = farthest(apart);
  std::vector<int64_t> aside = distancesFrom(graph, between);
  for (size_t v = 0; v < count; ++v)
    if (apart[v] + 1 < apart[between])
      aside[v] = -1;
  const std::vector<int64_t> c = distancesFrom(graph, farthest(aside));
  const std::vector<int64_t> d = distancesFrom(graph, farthest(c));
  std::vector<Point> points(count);
  for (size_t v = 0; v < count; ++v)
    points[v] = {a[v] - b[v], c[v] - d[v]};
  return points;
}

/// The pivot becomes the origin, coordinates are multiplied by the number of points.
void centre(std::vector<Point> &points) {
  Point sum;
  for (const Point &point : points)
    sum = {sum.x + point.x, sum.y + point.y};
  const auto count = static_cast<int64_t>(points.size());
  for (Point &point : points)
    point = {point.x * count - sum.x, point.y * count - sum.y};
}

std::vector<Vertex> byAngle(const std::vector<Point> &points, const Point &from) {
  const auto half = [&from](const Point &p) {
    const int64_t side = from.cross(p);
    return side > 0 || (side == 0 && from.dot(p) >= 0) ? 0 : 1;
  };
  std::vector<Vertex> sequence(points.size());
  for (size_t v = 0; v < points.size(); ++v)
    sequence[v] = static_cast<Vertex>(v);
  std::sort(sequence.begin(), sequence.end(), [&](Vertex v, Vertex w) {
    const Point &p = points[v], &q = points[w];
    if (half(p) != half(q))
      return half(p) < half(q);
    const int64_t turn = p.cross(q);
    if (turn != 0)
      return turn > 0;
    const int64_t near = p.dot(p), far = q.dot(q);
    return near != far ? near < far : v < w;
  });
  return sequence;
}

} // namespace

std::vector<std::vector<Vertex>> pivotSweeps(InteractionGraph &graph) {
  if (graph.vertexCount() < kFewestVertices || graph.vertexCount() > kMostPivotVertices)
    return {};
  std::vector<Point> points = draw(graph);
  centre(points);
  constexpr std::array<Point, 8> kDirections = {
      {{1, 1}, {1, 0}, {-1, 1}, {0, 1}, {-1, -1}, {-1, 0}, {1, -1}, {0, -1}}};
  std::vector<std::vector<Vertex>> sequences;
  for (const Point &direction : kDirections)
    sequences.push_back(byAngle(points, direction));
  return sequences;
}

} // namespace mpf
