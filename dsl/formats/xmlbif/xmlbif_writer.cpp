#include "dsl/formats/xmlbif/xmlbif_writer.h"

#include "dsl/formats/network/network_to_write.h"
#include "dsl/formats/xml/xml_text.h"

namespace mpf {

namespace {

constexpr NetworkRules kXmlbifRules = {".xml", isXmlText, isXmlText};

void appendElement(std::string &out, std::string_view indent, std::string_view name,
                   std::string_view text) {
  out += fmt::format("{}<{}>", indent, name);
  appendXmlText(out, text);
  out += fmt::format("</{}>\n", name);
}

void appendDefinition(std::string &out, const NetworkToWrite &network, VarId child) {
  out += "<DEFINITION>\n";
  appendElement(out, "  ", "FOR", network.name(child));
  for (const VarId parent : network.table(child).parents)
    appendElement(out, "  ", "GIVEN", network.name(parent));
  out += "  <TABLE>\n";
  const uint64_t extent = network.extent(child);
  for (uint64_t i = 0; i < network.entries(child); ++i)
    out += fmt::format("{}{}{}", i % extent == 0 ? "    " : " ", network.entry(child, i),
                       (i + 1) % extent == 0 ? "\n" : "");
  out += "  </TABLE>\n</DEFINITION>\n";
}

} // namespace

WrittenModel writeXmlbif(const Model &model) {
  const NetworkToWrite network(model, kXmlbifRules);
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BIF VERSION=\"0.3\">\n<NETWORK>\n";
  appendElement(out, "", "NAME", network.modelName());
  for (size_t i = 0; i < network.size(); ++i) {
    out += "<VARIABLE TYPE=\"nature\">\n";
    appendElement(out, "  ", "NAME", network.name(VarId(i)));
    for (uint64_t state = 0; state < network.extent(VarId(i)); ++state)
      appendElement(out, "  ", "OUTCOME", network.label(VarId(i), state));
    out += "</VARIABLE>\n";
  }
  for (size_t i = 0; i < network.size(); ++i)
    appendDefinition(out, network, VarId(i));
  return {out + "</NETWORK>\n</BIF>\n", network.losses()};
}

} // namespace mpf
