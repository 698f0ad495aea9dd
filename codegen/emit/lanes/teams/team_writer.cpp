#include "codegen/emit/lanes/teams/team_writer.h"

#include "codegen/emit/lanes/rescale_text.h"

#include <algorithm>

namespace mpf {

bool TeamWriter::watches() const {
  return std::any_of(plan.rescaled.begin(), plan.rescaled.end(), [](char one) { return one != 0; });
}

uint32_t TeamWriter::loadSite(const TeamPlace &place, const std::string &object) {
  return sites.add(place.far ? SiteKind::GlobalLoad : SiteKind::SharedLoad, object, !place.far);
}
uint32_t TeamWriter::storeSite(const TeamPlace &place, const std::string &object) {
  return sites.add(place.far ? SiteKind::GlobalStore : SiteKind::SharedStore, object, !place.far);
}

std::string TeamWriter::load(const TeamPlace &place, const std::string &index,
                             const std::string &object) {
  return fmt::format("MPF_LD({}, {}[({}u + {}) * {}])", loadSite(place, object), arena(place),
                     place.offsetElems, index, kTeamLanes);
}

void TeamWriter::store(const TeamPlace &place, const std::string &index, const std::string &object,
                       const std::string &value) {
  out.line("MPF_ST({}, {}[({}u + {}) * {}], {});", storeSite(place, object), arena(place),
           place.offsetElems, index, kTeamLanes, value);
}

std::string TeamWriter::sum(char prefix, std::span<const size_t> digits,
                            std::span<const uint64_t> strides) {
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i)
    text += fmt::format("{}{}{} * {}u", text.empty() ? "" : " + ", prefix, digits[i], strides[i]);
  return text.empty() ? "0u" : text;
}

void TeamWriter::loadRow(const std::string &name, uint64_t count, uint64_t pitch,
                         const std::string &from, SiteKind kind, const std::string &object) {
  const uint32_t site = sites.add(kind, object);
  constexpr char kParts[] = "xyzw";
  for (uint64_t e = 0; e < count;) {
    uint64_t width = vectorElems();
    while (width > 1 && (pitch % width != 0 || e % width != 0))
      width /= 2;
    if (width == 1) {
      out.line("{0} {1}{2} = MPF_LD({3}, {4}[{2}]);", entry, name, e, site, from);
    } else {
      out.line("const {0}{1} v{2}{3} = MPF_LD({4}, MPF_VEC(const {0}{1}, {5}[{3}]));", entry, width,
               name, e, site, from);
      for (uint64_t part = 0; part < width && e + part < count; ++part)
        out.line("{0} {1}{2} = v{1}{3}.{4};", entry, name, e + part, e, kParts[part]);
    }
    e += width;
  }
}

std::string TeamWriter::loadExponent(uint32_t message) {
  const TeamPlace &place = schedule.exponents[message];
  return fmt::format("MPF_LD({}, MPF_VEC(const int, near[{}]))", loadSite(place, "exponents"),
                     place.offsetElems * kTeamLanes);
}

std::string TeamWriter::exponentsOf(const std::vector<uint32_t> &operands) {
  std::string text;
  for (const uint32_t operand : operands)
    if (plan.hasExponent[operand] != 0)
      text += (text.empty() ? "" : " + ") + loadExponent(operand);
  return text.empty() ? "0" : text;
}

void TeamWriter::storeExponent(uint32_t message, const std::string &value) {
  const TeamPlace &place = schedule.exponents[message];
  out.line("MPF_ST({}, MPF_VEC(int, near[{}]), {});", storeSite(place, "exponents"),
           place.offsetElems * kTeamLanes, value);
}

void TeamWriter::finishEntries(const TeamTask &task, const std::vector<std::string> &names,
                               const std::vector<uint32_t> &operands) {
  const uint32_t message = task.message;
  if (plan.hasExponent[message] == 0)
    return;
  if (plan.rescaled[message] != 0 && task.tiles == 1) {
    for (const std::string &line : rescalingLines(plan, entry, message, names))
      out.text(line);
    return storeExponent(message, fmt::format("x{} + {}", message, exponentsOf(operands)));
  }
  if (plan.rescaled[message] != 0)
    out.line("greatest{0} = mpfMax<{1}>(greatest{0}, {2});", message, entry,
             greatestText(plan, entry, names));
  out.open("if (tile == 0u)");
  storeExponent(message, exponentsOf(operands));
  out.close();
}

} // namespace mpf
