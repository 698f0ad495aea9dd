#include "dsl/formats/bif/bif_writer.h"

#include "dsl/formats/network/network_to_write.h"

#include <algorithm>
#include <cctype>

namespace mpf {

namespace {

constexpr NetworkRules kBifRules = {".bif", isQuotableText, isQuotableText};

/// The name, in quotes unless every program reads it without them.
std::string spelled(std::string_view name) {
  const bool isWord = std::ranges::all_of(name, [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || std::string_view("_-.+").find(static_cast<char>(c)) !=
                                               std::string_view::npos);
  });
  return isWord ? std::string(name) : fmt::format("\"{}\"", name);
}

void appendVariable(std::string &out, const NetworkToWrite &network, VarId id) {
  out += fmt::format("variable {} {{\n  type discrete [ {} ] {{ ", spelled(network.name(id)),
                     network.extent(id));
  for (uint64_t state = 0; state < network.extent(id); ++state)
    out += fmt::format("{}{}", state == 0 ? "" : ", ", spelled(network.label(id, state)));
  out += " };\n}\n";
}

/// Appends one row: the states of the parents, the last one fastest, and the numbers.
void appendRow(std::string &out, const NetworkToWrite &network, VarId child, uint64_t row) {
  const std::vector<VarId> &parents = network.table(child).parents;
  std::vector<uint64_t> states(parents.size());
  uint64_t rest = row;
  for (size_t i = parents.size(); i-- > 0;) {
    states[i] = rest % network.extent(parents[i]);
    rest /= network.extent(parents[i]);
  }
  out += parents.empty() ? "  table " : "  (";
  for (size_t i = 0; i < parents.size(); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : ", ", spelled(network.label(parents[i], states[i])));
  out += parents.empty() ? "" : ") ";
  const uint64_t extent = network.extent(child);
  for (uint64_t state = 0; state < extent; ++state)
    out += fmt::format("{}{}", state == 0 ? "" : ", ", network.entry(child, row * extent + state));
  out += ";\n";
}

} // namespace

WrittenModel writeBif(const Model &model) {
  const NetworkToWrite network(model, kBifRules);
  std::string out = fmt::format("network {} {{\n}}\n", spelled(network.modelName()));
  for (size_t i = 0; i < network.size(); ++i)
    appendVariable(out, network, VarId(i));
  for (size_t i = 0; i < network.size(); ++i) {
    const VarId child(i);
    out += fmt::format("probability ( {}", spelled(network.name(child)));
    const std::vector<VarId> &parents = network.table(child).parents;
    for (size_t parent = 0; parent < parents.size(); ++parent)
      out +=
          fmt::format("{}{}", parent == 0 ? " | " : ", ", spelled(network.name(parents[parent])));
    out += " ) {\n";
    for (uint64_t row = 0; row < network.entries(child) / network.extent(child); ++row)
      appendRow(out, network, child, row);
    out += "}\n";
  }
  return {out, network.losses()};
}

} // namespace mpf
