#include "dsl/formats/net/net_writer.h"

#include "dsl/formats/net/net_reader.h"
#include "dsl/formats/network/network_to_write.h"

namespace mpf {

namespace {

constexpr NetworkRules kNetRules = {".net", isAsciiName, isQuotableText, nullptr, kNetRowTolerance};

/// Appends the numbers with a pair of parentheses for each parent's states and for each row.
void appendData(std::string &out, const NetworkToWrite &network, VarId child) {
  std::vector<uint64_t> extents;
  for (const VarId parent : network.table(child).parents)
    extents.push_back(network.extent(parent));
  extents.push_back(network.extent(child));
  for (uint64_t i = 0; i < network.entries(child); ++i) {
    uint64_t opens = 0, closes = 0;
    for (uint64_t block = 1, axis = extents.size(); axis-- > 0;) {
      block *= extents[axis];
      opens += i % block == 0 ? 1 : 0;
      closes += (i + 1) % block == 0 ? 1 : 0;
    }
    if (opens != 0 && i != 0)
      out += "\n        ";
    out.append(opens, '(');
    out += fmt::format("{}{}", opens != 0 ? "" : " ", network.entry(child, i));
    out.append(closes, ')');
  }
}

} // namespace

WrittenModel writeNet(const Model &model) {
  const NetworkToWrite network(model, kNetRules);
  std::string out = fmt::format("net\n{{\n    name = \"{}\";\n}}\n", network.modelName());
  for (size_t i = 0; i < network.size(); ++i) {
    out += fmt::format("node {}\n{{\n    states = (", network.name(VarId(i)));
    for (uint64_t state = 0; state < network.extent(VarId(i)); ++state)
      out += fmt::format("{}\"{}\"", state == 0 ? "" : " ", network.label(VarId(i), state));
    out += ");\n}\n";
  }
  for (size_t i = 0; i < network.size(); ++i) {
    const std::vector<VarId> &parents = network.table(VarId(i)).parents;
    out += fmt::format("potential ({}{}", network.name(VarId(i)), parents.empty() ? "" : " | ");
    appendNames(out, network, parents, " ");
    out += ")\n{\n    data = ";
    appendData(out, network, VarId(i));
    out += ";\n}\n";
  }
  return {out, network.losses()};
}

} // namespace mpf
