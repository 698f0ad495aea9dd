// Places of nodes in the picture of the network.
#include "dsl/support/split_mix.h"
#include "tools/mpfc/explain/html/network_layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace mpf {
namespace {

NetworkPicture pictureOf(size_t nodes) {
  NetworkPicture picture;
  picture.variables = nodes;
  for (size_t i = 0; i < nodes; ++i)
    picture.nodes.push_back({"x" + std::to_string(i), 2, NetworkPicture::Role::Planned});
  return picture;
}

/// Expects that all boxes are in the drawing and that no two overlap.
void expectApart(const NetworkPicture &picture, NodeBox box) {
  const NetworkLayout layout = layoutNetwork(picture, box);
  ASSERT_EQ(layout.places.size(), picture.nodes.size());
  for (size_t i = 0; i < layout.places.size(); ++i) {
    const NetworkLayout::Place at = layout.places[i];
    EXPECT_GE(at.x, box.width / 2 - 1e-6);
    EXPECT_GE(at.y, box.height / 2 - 1e-6);
    EXPECT_LE(at.x, layout.width - box.width / 2 + 1e-6);
    EXPECT_LE(at.y, layout.height - box.height / 2 + 1e-6);
    for (size_t j = 0; j < i; ++j)
      EXPECT_TRUE(std::abs(at.x - layout.places[j].x) > box.width - 1e-6 ||
                  std::abs(at.y - layout.places[j].y) > box.height - 1e-6)
          << i << " and " << j;
  }
}

TEST(NetworkLayout, NodesOfRandomNetworksStayApart) {
  uint64_t state = 7;
  for (size_t trial = 0; trial < 30; ++trial) {
    NetworkPicture picture = pictureOf(1 + nextRandom(state) % 80);
    const size_t edges = nextRandom(state) % (2 * picture.nodes.size());
    for (size_t e = 0; e < edges; ++e) {
      const auto from = static_cast<uint32_t>(nextRandom(state) % picture.nodes.size());
      const auto to = static_cast<uint32_t>(nextRandom(state) % picture.nodes.size());
      if (from != to)
        picture.edges.push_back({from, to, nextRandom(state) % 2 == 0});
    }
    expectApart(picture, trial % 2 == 0 ? NodeBox{78, 40} : NodeBox{20, 20});
  }
}

TEST(NetworkLayout, AStarAndALongChainStayApart) {
  NetworkPicture star = pictureOf(200), chain = pictureOf(300);
  for (uint32_t i = 1; i < 200; ++i)
    star.edges.push_back({0, i, true});
  for (uint32_t i = 1; i < 300; ++i)
    chain.edges.push_back({i - 1, i, false});
  expectApart(star, {20, 20});
  expectApart(chain, {20, 20});
}

TEST(NetworkLayout, AGridIsDrawnAsAGrid) {
  constexpr uint32_t kSide = 6;
  NetworkPicture picture = pictureOf(size_t{kSide} * kSide);
  for (uint32_t i = 0; i < kSide; ++i)
    for (uint32_t j = 0; j < kSide; ++j) {
      if (i + 1 < kSide)
        picture.edges.push_back({i * kSide + j, (i + 1) * kSide + j, false});
      if (j + 1 < kSide)
        picture.edges.push_back({i * kSide + j, i * kSide + j + 1, false});
    }
  const NetworkLayout layout = layoutNetwork(picture, {20, 20});
  for (const NetworkPicture::Edge &edge : picture.edges) {
    const double dx = std::abs(layout.places[edge.from].x - layout.places[edge.to].x);
    const double dy = std::abs(layout.places[edge.from].y - layout.places[edge.to].y);
    EXPECT_LT(std::min(dx, dy), 0.4 * std::max(dx, dy)) << edge.from << " to " << edge.to;
  }
  const NetworkLayout again = layoutNetwork(picture, {20, 20});
  for (size_t i = 0; i < layout.places.size(); ++i)
    EXPECT_EQ(layout.places[i].x, again.places[i].x);
}

TEST(NetworkLayout, ArrowsPointDown) {
  constexpr uint32_t kSide = 4;
  for (const bool isReversed : {false, true}) {
    NetworkPicture picture = pictureOf(size_t{kSide} * kSide);
    for (uint32_t i = 0; i < kSide; ++i)
      for (uint32_t j = 0; j + 1 < kSide; ++j) {
        const uint32_t first = i * kSide + j, below = first + 1;
        picture.edges.push_back({isReversed ? below : first, isReversed ? first : below, true});
        picture.edges.push_back({j * kSide + i, (j + 1) * kSide + i, false});
      }
    const NetworkLayout layout = layoutNetwork(picture, {20, 20});
    for (const NetworkPicture::Edge &edge : picture.edges)
      if (edge.isArrow) {
        EXPECT_GT(layout.places[edge.to].y, layout.places[edge.from].y) << isReversed;
      }
  }
}

TEST(NetworkLayout, NoNodesTakeNoRoom) {
  const NetworkLayout layout = layoutNetwork(NetworkPicture(), {20, 20});
  EXPECT_EQ(layout.width, 0);
  EXPECT_EQ(layout.height, 0);
}

} // namespace
} // namespace mpf
