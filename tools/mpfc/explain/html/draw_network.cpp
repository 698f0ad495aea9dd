#include "tools/mpfc/explain/html/draw_network.h"

#include "dsl/support/check.h"
#include "tools/mpfc/explain/facts/facts.h"
#include "tools/mpfc/explain/facts/network_picture.h"
#include "tools/mpfc/explain/html/html_text.h"
#include "tools/mpfc/explain/html/network_layout.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace mpf {

namespace {

using Role = NetworkPicture::Role;

constexpr size_t kNamedNodes = 120; ///< larger pictures have names in titles only
/// Code points of a name that fit a box; scripts beside ASCII may have wide letters.
constexpr size_t kAsciiCodePoints = 10, kWideCodePoints = 6;
constexpr NodeBox kNamedBox = {78, 40}, kPlainBox = {20, 20};
constexpr double kRadius = 6, kNameDrop = 17, kMargin = 12;

struct RoleText {
  Role role;
  const char *style, *text;
};
constexpr RoleText kRoles[] = {{Role::Asked, "asked", "asked for"},
                               {Role::Observed, "observed", "observed"},
                               {Role::Planned, "planned", "eliminated by the plan"},
                               {Role::Removed, "removed", "removed before planning"}};

const RoleText &textOf(Role role) {
  for (const RoleText &text : kRoles)
    if (text.role == role)
      return text;
  MPF_UNREACHABLE("role {}", static_cast<int>(role));
}

std::string legendOf(const NetworkPicture &picture) {
  std::string legend = "<ul class=\"legend\" aria-label=\"Colours: what becomes of a variable\">";
  for (const RoleText &role : kRoles)
    if (std::ranges::find(picture.nodes, role.role, &NetworkPicture::Node::role) !=
        picture.nodes.end())
      legend += legendItem(fmt::format("role-{}", role.style), role.text);
  return legend + "</ul>\n";
}

/// Returns a name that fits a box. The last index of a long name stays.
std::string shownName(const std::string &name) {
  const bool isAscii = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
  const size_t tail = name.ends_with(']') ? name.size() - name.rfind('[') : 0;
  if (isAscii && name.size() > kAsciiCodePoints && tail > 0 && tail + 4 <= kAsciiCodePoints)
    return elided(name, kAsciiCodePoints - tail) + name.substr(name.size() - tail);
  return elided(name, isAscii ? kAsciiCodePoints : kWideCodePoints);
}

/// Returns the line of an edge between the rims of its nodes, and the head of an arrow.
std::string edgeSvg(const NetworkPicture::Edge &edge, NetworkLayout::Place from,
                    NetworkLayout::Place to) {
  const double width = to.x - from.x, height = to.y - from.y;
  // std::hypot of GCC 12 would need glibc 2.35.
  const double length = std::max(std::sqrt(width * width + height * height), 1e-9);
  const double dx = width / length, dy = height / length;
  const double startX = from.x + kRadius * dx, startY = from.y + kRadius * dy;
  const double endX = to.x - (kRadius + 1) * dx, endY = to.y - (kRadius + 1) * dy;
  std::string svg = fmt::format(R"(<path d="M{} {}L{} {}"/>)", svgNumber(startX), svgNumber(startY),
                                svgNumber(endX), svgNumber(endY));
  if (edge.isArrow)
    svg += fmt::format(R"(<path class="head" d="M{} {}L{} {}L{} {}Z"/>)", svgNumber(endX),
                       svgNumber(endY), svgNumber(endX - 6 * dx - 3 * dy),
                       svgNumber(endY - 6 * dy + 3 * dx), svgNumber(endX - 6 * dx + 3 * dy),
                       svgNumber(endY - 6 * dy - 3 * dx));
  return svg;
}

std::string networkSvg(const NetworkPicture &picture) {
  const bool isNamed = picture.nodes.size() <= kNamedNodes;
  NetworkLayout layout = layoutNetwork(picture, isNamed ? kNamedBox : kPlainBox);
  const double lift = isNamed ? kNameDrop / 2 : 0; // the name is the lower half of the box
  for (NetworkLayout::Place &place : layout.places) {
    place.x += kMargin;
    place.y += kMargin - lift;
  }
  std::string svg = fmt::format(
      R"(<svg class="network" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="group" aria-label="Network, {2} variables">)",
      svgNumber(layout.width + 2 * kMargin), svgNumber(layout.height + 2 * kMargin),
      picture.nodes.size());
  svg += "\n<g class=\"edges\">";
  for (const NetworkPicture::Edge &edge : picture.edges)
    svg += edgeSvg(edge, layout.places[edge.from], layout.places[edge.to]);
  svg += "</g>\n";
  for (size_t n = 0; n < picture.nodes.size(); ++n) {
    const NetworkPicture::Node &node = picture.nodes[n];
    const RoleText &role = textOf(node.role);
    const std::string name = displayText(node.name);
    svg += fmt::format(
        R"svg(<g class="variable role-{}" transform="translate({} {})" role="img">)svg"
        "<title>{}: {} state{}, {}</title>{}{}</g>",
        role.style, svgNumber(layout.places[n].x), svgNumber(layout.places[n].y), escapedHtml(name),
        node.extent, node.extent == 1 ? "" : "s", role.text,
        node.role == Role::Observed ? R"(<rect x="-6" y="-6" width="12" height="12"/>)"
                                    : R"(<circle r="6"/>)",
        isNamed ? fmt::format(R"(<text y="{}">{}</text>)", kNameDrop, escapedHtml(shownName(name)))
                : "");
    svg += '\n';
  }
  return svg + "</svg>\n";
}

} // namespace

std::string networkSection(const NetworkPicture &picture) {
  if (picture.nodes.empty())
    return "<p>The network has no variables.</p>\n";
  std::string text = "Each node is a variable. ";
  if (std::ranges::any_of(picture.edges, &NetworkPicture::Edge::isArrow))
    text += "An arrow goes from a parent to the child of a conditional table. ";
  if (!std::ranges::all_of(picture.edges, &NetworkPicture::Edge::isArrow))
    text += "A line joins two variables of a factor. ";
  if (picture.hasStars)
    text += fmt::format("A factor of more than {} variables has lines from its first to the others "
                        "only. ",
                        kPairedScope);
  if (picture.nodes.size() < picture.variables)
    text += fmt::format("Drawn are {} of {} variables: those nearest to what the query asks for, "
                        "or to the variable with the most neighbours. ",
                        picture.nodes.size(), picture.variables);
  if (picture.nodes.size() > kNamedNodes)
    text += "Point at a node for its name.";
  return fmt::format("<p>{}</p>\n{}<div class=\"scroll drawing\">{}</div>\n", text,
                     legendOf(picture), networkSvg(picture));
}

} // namespace mpf
