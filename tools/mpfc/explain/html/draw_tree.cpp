#include "tools/mpfc/explain/html/draw_tree.h"

#include "dsl/support/check.h"
#include "tools/mpfc/explain/facts/facts.h"
#include "tools/mpfc/explain/html/html_text.h"
#include "tools/mpfc/explain/html/tree_layout.h"
#include "tools/mpfc/explain/html/tree_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace mpf {

namespace {

struct CostStep {
  double least; ///< least share of the run of a bucket in this class
  const char *text;
};
constexpr std::array<CostStep, kCostClasses> kSteps = {{{0, "below 0.01 %"},
                                                        {0.0001, "0.01 to 0.1 %"},
                                                        {0.001, "0.1 to 1 %"},
                                                        {0.01, "1 to 5 %"},
                                                        {0.05, "5 to 20 %"},
                                                        {0.2, "20 % and more"}}};

/// Views of at most this many nodes have room for names.
constexpr size_t kLabelledNodes = 60;
constexpr size_t kLabelCodePoints = 11;

struct Measures {
  double spacing, level, margin;
};

std::string titleOf(const QueryExplanation &query, const TreeNode &node, double totalUs) {
  const BucketFacts &bucket = query.buckets[node.bucket];
  const std::string cost = fmt::format("{} ({} of the run)", formatTime(node.costUs),
                                       formatShare(totalUs > 0 ? node.costUs / totalUs : 0));
  if (node.kind == TreeNode::Kind::Run)
    return fmt::format("{} buckets between two dearer ones, up to {}\ntogether {}\n"
                       "largest bucket {} addresses\nmessage of {} entries to the bucket above",
                       node.buckets, bucket.name, cost, formatCount(node.largestAddresses),
                       formatCount(node.messageEntries));
  if (node.kind == TreeNode::Kind::Subtree)
    return fmt::format("{} cheaper buckets below\ntogether {}\nlargest bucket {} addresses",
                       node.buckets, cost, formatCount(node.largestAddresses));
  std::string ranks;
  for (const uint32_t rank : node.ranks)
    ranks += fmt::format("{}number {}", ranks.empty() ? " \xC2\xB7 " : ", ", rank + 1);
  return fmt::format("{}{}\neliminates {}\n{} variables, {} addresses\nmultiplies {}\n"
                     "message of {} entries\n{}",
                     displayText(bucket.name), ranks,
                     bucket.reduced.empty() ? "nothing: a product" : joinNames(bucket.reduced, 12),
                     bucket.variables, formatCount(bucket.addresses),
                     joinNames(bucket.operands, 12), formatCount(bucket.entries), cost);
}

/// Returns the name of a node's kind for screen readers.
std::string roleOf(const TreeNode &node) {
  switch (node.kind) {
  case TreeNode::Kind::Bucket:
    return "bucket";
  case TreeNode::Kind::Run:
    return "run";
  case TreeNode::Kind::Subtree:
    return "subtree";
  }
  MPF_UNREACHABLE("tree node kind {}", static_cast<int>(node.kind));
}

std::string shapeOf(const TreeNode &node, double share) {
  if (node.kind == TreeNode::Kind::Run)
    return R"(<rect x="-15" y="-8" width="30" height="16" rx="8"/>)";
  if (node.kind == TreeNode::Kind::Subtree)
    return R"(<path d="M0-11 19 10H-19Z"/>)";
  return fmt::format(R"(<circle r="{}"/>)", svgNumber(6 + 8 * std::sqrt(std::min(share, 1.0))));
}

/// Returns the number inside a node: its rank among the costliest, or the number of folded buckets.
std::string innerText(const TreeNode &node) {
  if (node.kind == TreeNode::Kind::Bucket)
    return node.ranks.empty() ? "" : fmt::format("{}", node.ranks.front() + 1);
  return node.buckets < 10000 ? fmt::format("{}", node.buckets)
                              : fmt::format("{}k", node.buckets / 1000);
}

/// The device of a node's operations: its class in the page's style, the letters beside it, and
/// words.
struct NodeDevice {
  std::string style, letters, words;
};

/// Returns the device only if both devices run; otherwise it is the same for all nodes.
NodeDevice deviceOf(const QueryExplanation &query, const TreeNode &node) {
  if (!query.usesBothDevices() || !(node.onCpu || node.onGpu))
    return {};
  if (node.onCpu && node.onGpu)
    return {" on-both", "C+G", "\non both devices"};
  return node.onGpu ? NodeDevice{" on-gpu", "G", "\non " + query.target}
                    : NodeDevice{" on-cpu", "C", "\non cpu"};
}

std::string labelOf(const QueryExplanation &query, const TreeNode &node) {
  const BucketFacts &bucket = query.buckets[node.bucket];
  if (node.kind != TreeNode::Kind::Bucket)
    return {};
  const std::string name = bucket.reduced.empty() ? bucket.name : joinNames(bucket.reduced, 3);
  return fmt::format(R"(<text class="label" y="25">{}</text>)",
                     escapedHtml(elided(displayText(name), kLabelCodePoints)));
}

} // namespace

unsigned costClass(double share) {
  unsigned found = 0;
  for (unsigned i = 1; i < kCostClasses; ++i)
    if (share >= kSteps[i].least)
      found = i;
  return found;
}

std::string costClassText(unsigned costClass) {
  MPF_CHECK(costClass < kCostClasses, "cost class {} of {}", costClass, kCostClasses);
  return kSteps[costClass].text;
}

std::string treeSvg(const QueryExplanation &query, size_t maxNodes) {
  const std::vector<TreeNode> nodes = treeView(query, maxNodes);
  const bool labelled = nodes.size() <= kLabelledNodes;
  const Measures measures = labelled ? Measures{72, 56, 40} : Measures{34, 36, 24};
  const TreeLayout layout = layoutTree(nodes, measures.spacing);
  const double totalUs = query.runUs();
  const double width = layout.width + 2 * measures.margin;
  const double height =
      static_cast<double>(layout.levels - 1) * measures.level + 2 * measures.margin;
  const auto y = [&](size_t n) {
    return measures.margin + static_cast<double>(layout.places[n].depth) * measures.level;
  };
  const auto x = [&](size_t n) { return measures.margin + layout.places[n].x; };
  std::string svg = fmt::format(
      R"(<svg class="bucket-tree" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="group" aria-label="Bucket tree, {2} nodes">)",
      svgNumber(width), svgNumber(height), nodes.size());
  const auto out = std::back_inserter(svg);
  svg += "\n<g class=\"edges\">";
  for (size_t n = 0; n < nodes.size(); ++n)
    if (const uint32_t p = nodes[n].parent; p != TreeNode::kNone) {
      const double wide = 1 + std::log2(std::max(nodes[n].messageEntries, 1.0)) / 5;
      fmt::format_to(out, R"(<path{} d="M{} {}C{} {} {} {} {} {}" stroke-width="{}"/>)",
                     query.usesBothDevices() && nodes[n].crosses ? " class=\"crosses\"" : "",
                     svgNumber(x(p)), svgNumber(y(p)), svgNumber(x(p)),
                     svgNumber(y(p) + measures.level / 2), svgNumber(x(n)),
                     svgNumber(y(n) - measures.level / 2), svgNumber(x(n)), svgNumber(y(n)),
                     svgNumber(std::min(wide, 8.0)));
    }
  svg += "</g>\n";
  for (size_t n = 0; n < nodes.size(); ++n) {
    const TreeNode &node = nodes[n];
    const double share = totalUs > 0 ? node.costUs / totalUs : 0;
    const std::string inner = innerText(node);
    const NodeDevice device = deviceOf(query, node);
    std::string ranks;
    for (const uint32_t rank : node.ranks)
      ranks += fmt::format("{}{}", ranks.empty() ? "" : " ", rank + 1);
    fmt::format_to(
        out,
        R"svg(<g class="node {} c{}{}" transform="translate({} {})" tabindex="{}")svg"
        R"svg( data-up="{}" data-ranks="{}" role="img"><title>{}</title>{}{}{}{}</g>)svg",
        roleOf(node), costClass(share), device.style, svgNumber(x(n)), svgNumber(y(n)),
        n == 0 ? 0 : -1, node.parent == TreeNode::kNone ? -1 : int(node.parent), ranks,
        escapedHtml(titleOf(query, node, totalUs) + device.words), shapeOf(node, share),
        inner.empty() ? ""
                      : fmt::format("<text y=\"{}\">{}</text>",
                                    node.kind == TreeNode::Kind::Subtree ? 7 : 3.5, inner),
        labelled ? labelOf(query, node) : "",
        device.letters.empty() ? ""
                               : fmt::format(R"(<text class="device" x="{}" y="-9">{}</text>)",
                                             labelled ? 16 : 12, device.letters));
    svg += '\n';
  }
  return svg + "</svg>\n";
}

} // namespace mpf
