#include "tools/mpfc/explain/html/tree_layout.h"

#include <algorithm>

namespace mpf {

namespace {

/// Leftmost and rightmost centres by level below a node, relative to the node.
struct Outline {
  std::vector<double> left, right;
};

/// Places subtrees beside each other; sets their roots' positions relative to the first one.
Outline packed(std::vector<Outline> &parts, double spacing, std::vector<double> &offsets) {
  Outline all;
  for (Outline &part : parts) {
    double shift = 0;
    for (size_t d = 0; d < std::min(all.right.size(), part.left.size()); ++d)
      shift = std::max(shift, all.right[d] - part.left[d] + spacing);
    offsets.push_back(shift);
    for (size_t d = 0; d < part.left.size(); ++d) {
      if (d < all.left.size()) {
        all.left[d] = std::min(all.left[d], part.left[d] + shift);
        all.right[d] = part.right[d] + shift;
      } else {
        all.left.push_back(part.left[d] + shift);
        all.right.push_back(part.right[d] + shift);
      }
    }
  }
  return all;
}

} // namespace

TreeLayout layoutTree(const std::vector<TreeNode> &nodes, double spacing) {
  const size_t count = nodes.size();
  // One more place holds a root above all roots.
  std::vector<std::vector<uint32_t>> children(count + 1);
  for (uint32_t n = 0; n < count; ++n)
    children[nodes[n].parent == TreeNode::kNone ? count : nodes[n].parent].push_back(n);
  std::vector<Outline> outlines(count + 1);
  std::vector<double> relative(count + 1, 0);
  for (size_t i = count + 1; i-- > 0;) {
    const size_t n =
        i == 0 ? count : i - 1; // children come after their parents; the extra root last
    std::stable_sort(children[n].begin(), children[n].end(), [&nodes](uint32_t a, uint32_t b) {
      return nodes[a].belowUs > nodes[b].belowUs;
    });
    std::vector<Outline> parts;
    for (const uint32_t child : children[n])
      parts.push_back(std::move(outlines[child]));
    std::vector<double> offsets;
    Outline outline = packed(parts, spacing, offsets);
    const double middle = offsets.empty() ? 0 : (offsets.front() + offsets.back()) / 2;
    for (size_t c = 0; c < offsets.size(); ++c)
      relative[children[n][c]] = offsets[c] - middle;
    for (size_t d = 0; d < outline.left.size(); ++d) {
      outline.left[d] -= middle;
      outline.right[d] -= middle;
    }
    outline.left.insert(outline.left.begin(), 0);
    outline.right.insert(outline.right.begin(), 0);
    outlines[n] = std::move(outline);
  }

  TreeLayout layout;
  const Outline &whole = outlines[count];
  const double left = *std::min_element(whole.left.begin(), whole.left.end());
  const double right = *std::max_element(whole.right.begin(), whole.right.end());
  layout.width = right - left;
  for (uint32_t n = 0; n < count; ++n) {
    TreePlace place;
    const bool isRoot = nodes[n].parent == TreeNode::kNone;
    place.x = relative[n] + (isRoot ? -left : layout.places[nodes[n].parent].x);
    place.depth = isRoot ? 0 : layout.places[nodes[n].parent].depth + 1;
    layout.levels = std::max(layout.levels, place.depth + 1);
    layout.places.push_back(place);
  }
  return layout;
}

} // namespace mpf
