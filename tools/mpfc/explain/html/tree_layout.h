// Computes the places of a tree view's nodes in a tidy drawing (Reingold and Tilford 1981): roots
// on top, subtrees side by side as close as their outlines allow, parents above the middle of their
// children, costliest child first.
#pragma once

#include "tools/mpfc/explain/html/tree_view.h"

#include <vector>

namespace mpf {

struct TreePlace {
  double x = 0;     ///< centre, in units of the drawing
  size_t depth = 0; ///< 0: a root
};

struct TreeLayout {
  std::vector<TreePlace> places; ///< by node
  double width = 0;
  size_t levels = 0;
};

/// `spacing`: least distance of two nodes of one level. No recursion: chains may be long.
TreeLayout layoutTree(const std::vector<TreeNode> &nodes, double spacing);

} // namespace mpf
