#include "dsl/formats/genie/xdsl_writer.h"

#include "dsl/formats/network/network_to_write.h"
#include "dsl/formats/xml/xml_text.h"
#include "dsl/support/check.h"
#include "dsl/support/number_text.h"

#include <algorithm>

namespace mpf {

namespace {

/// Labels stand in lists that blanks divide.
bool isXdslLabel(std::string_view text) { return isXmlText(text) && text.find(' ') == text.npos; }

/// The row of a cause in a state: whether the effect is absent with certainty.
bool isAbsent(const NoisyMax &noisy, size_t cause, uint64_t state) {
  const size_t states = noisy.leak.size();
  return (*noisy.tables[cause])[(state + 1) * states - 1] == 1;
}

uint64_t statesOf(const NoisyMax &noisy, size_t cause) {
  return noisy.tables[cause]->size() / noisy.leak.size();
}

/// Whether GeNIe has this noisy-max: states fall, and some state of each cause has no effect.
bool isOfGenie(const NoisyMax &noisy) {
  if (!noisy.takesLowest)
    return false;
  for (size_t cause = 0; cause < noisy.causes.size(); ++cause) {
    bool hasAbsence = false;
    for (uint64_t state = 0; state < statesOf(noisy, cause); ++state)
      hasAbsence |= isAbsent(noisy, cause, state);
    if (!hasAbsence)
      return false;
  }
  return true;
}

constexpr NetworkRules kXdslRules = {".xdsl", isAsciiName, isXdslLabel, isOfGenie};

/// The states of a cause: those without an effect stand last.
std::vector<uint64_t> strengthsOf(const NoisyMax &noisy, size_t cause) {
  std::vector<uint64_t> states(statesOf(noisy, cause));
  for (size_t i = 0; i < states.size(); ++i)
    states[i] = i;
  std::ranges::stable_partition(states,
                                [&](uint64_t state) { return !isAbsent(noisy, cause, state); });
  return states;
}

void appendNoisy(std::string &out, const NoisyMax &noisy) {
  const size_t states = noisy.leak.size();
  std::string strengths, parameters;
  for (size_t cause = 0; cause < noisy.causes.size(); ++cause)
    for (const uint64_t state : strengthsOf(noisy, cause)) {
      strengths += fmt::format("{}{}", strengths.empty() ? "" : " ", state);
      for (size_t i = 0; i < states; ++i)
        parameters += formatDouble((*noisy.tables[cause])[state * states + i]) + " ";
    }
  for (size_t i = 0; i < states; ++i)
    parameters += fmt::format("{}{}", i == 0 ? "" : " ", formatDouble(noisy.leak[i]));
  out += fmt::format("      <strengths>{}</strengths>\n      <parameters>{}</parameters>\n",
                     strengths, parameters);
}

void appendNode(std::string &out, const NetworkToWrite &network, VarId id) {
  const TableToWrite &table = network.table(id);
  const std::string_view kind = table.noisy ? "noisymax" : "cpt";
  out += fmt::format("    <{} id=\"{}\">\n", kind, network.name(id));
  for (uint64_t state = 0; state < network.extent(id); ++state) {
    out += "      <state id=\"";
    appendXmlText(out, network.label(id, state));
    out += "\" />\n";
  }
  if (!table.parents.empty()) {
    out += "      <parents>";
    appendNames(out, network, table.parents, " ");
    out += "</parents>\n";
  }
  if (table.noisy) {
    appendNoisy(out, *table.noisy);
  } else {
    out += "      <probabilities>";
    for (uint64_t i = 0; i < network.entries(id); ++i)
      out += (i == 0 ? "" : " ") + network.entry(id, i);
    out += "</probabilities>\n";
  }
  out += fmt::format("    </{}>\n", kind);
}

/// Whether each parent stands before its children, as GeNIe wants.
bool isInOrder(const NetworkToWrite &network) {
  for (size_t i = 0; i < network.size(); ++i)
    if (std::ranges::any_of(network.table(VarId(i)).parents,
                            [i](VarId parent) { return parent.index() >= i; }))
      return false;
  return true;
}

/// The variables in the order of the model if that has parents before children, else in one that
/// has. Throws for tables that form a cycle.
std::vector<VarId> parentsFirst(const NetworkToWrite &network) {
  std::vector<size_t> missing(network.size());
  std::vector<std::vector<VarId>> children(network.size());
  std::vector<VarId> order;
  for (size_t i = 0; i < network.size(); ++i) {
    missing[i] = network.table(VarId(i)).parents.size();
    for (const VarId parent : network.table(VarId(i)).parents)
      children[parent.index()].emplace_back(i);
    if (missing[i] == 0)
      order.emplace_back(i);
  }
  for (size_t next = 0; next < order.size(); ++next)
    for (const VarId child : children[order[next].index()])
      if (--missing[child.index()] == 0)
        order.push_back(child);
  if (order.size() != network.size())
    fail(ErrorKind::Unsupported, "the conditional tables form a cycle, a .xdsl file holds none");
  if (isInOrder(network))
    std::ranges::sort(order);
  return order;
}

} // namespace

WrittenModel writeXdsl(const Model &model) {
  const NetworkToWrite network(model, kXdslRules);
  std::string out =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<smile version=\"1.0\" "
                  "id=\"{0}\" numsamples=\"1000\" discsamples=\"10000\">\n  <nodes>\n",
                  network.modelName());
  const std::vector<VarId> order = parentsFirst(network);
  for (const VarId id : order)
    appendNode(out, network, id);
  out +=
      fmt::format("  </nodes>\n  <extensions>\n    <genie version=\"1.0\" app=\"mpf\" name=\"{}\">"
                  "\n",
                  network.modelName());
  for (const VarId id : order)
    out += fmt::format("      <node id=\"{0}\"><name>{0}</name></node>\n", network.name(id));
  std::vector<std::string> losses = network.losses();
  if (!isInOrder(network))
    losses.push_back("the variables stand in another order: a .xdsl file has parents first");
  return {out + "    </genie>\n  </extensions>\n</smile>\n", std::move(losses)};
}

} // namespace mpf
