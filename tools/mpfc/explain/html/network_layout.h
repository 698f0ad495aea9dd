// Computes the places of the nodes in the picture of the network. Distances in the drawing follow
// those in the graph, by stochastic gradient descent (Zheng, Pawar and Goodman 2019, algorithm 1)
// from places by FastMap (Faloutsos and Lin 1995).
// The drawing is turned so that many edges are level or upright, and arrows point down where it is
// not much wider than high. Long thin networks are folded into rows; components stand side by side.
// No two nodes overlap.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"

#include <vector>

namespace mpf {

/// The room of a node with its name, in pixels.
struct NodeBox {
  double width, height;
};

struct NetworkLayout {
  struct Place {
    double x = 0, y = 0; ///< centre of the box
  };
  std::vector<Place> places; ///< by node
  double width = 0, height = 0;
};

/// Places the nodes of `picture` in boxes of one size. Equal pictures give equal places. Takes time
/// in the square of the nodes.
NetworkLayout layoutNetwork(const NetworkPicture &picture, NodeBox box);

} // namespace mpf
