#include "dsl/formats/genie/xdsl_reader.h"

#include "dsl/formats/genie/genie_table.h"
#include "dsl/formats/xml/xml_reader.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <set>

namespace mpf {

namespace {

std::optional<GenieKind> kindOf(std::string_view element) {
  if (element == "cpt")
    return GenieKind::Cpt;
  if (element == "deterministic")
    return GenieKind::Deterministic;
  return element == "noisymax" ? std::optional(GenieKind::NoisyMax) : std::nullopt;
}

/// Reads nodes with their states, and reports what is no network of discrete variables.
class XdslNodes : public XmlHandler {
public:
  explicit XdslNodes(NetworkBuilder &network) : network_(network) {}

  XmlText start(const XmlElement &element) override {
    if (element.parent.empty())
      return startFile(element);
    if (element.parent == "smile")
      return startPart(element);
    if (element.parent == "nodes")
      return startNode(element);
    if (element.parent == "extensions" && element.name == "genie")
      noteApp(element);
    if (kindOf(element.parent) && element.name == "state")
      addState(element);
    return XmlText::Skipped;
  }

  void comment(const PlacedText &comment) override {
    for (const std::string_view writer : {"pyAgrum", "aGrUM"})
      if (comment.text.find(fmt::format("This network was created by {}", writer)) !=
              comment.text.npos &&
          !app_)
        agrum_ = comment.range;
  }

  /// The place that says that aGrUM wrote the file; nothing if another program did.
  std::optional<SourceRange> agrum() const { return agrum_; }
  bool isSound() const { return isSound_; }

  void end(std::string_view name, const PlacedText &) override {
    if (!kindOf(name) || !variable_)
      return;
    if (!network_.addVariable(std::move(*variable_)))
      network_.markIncomplete();
    variable_.reset();
  }

private:
  /// The program that wrote the file counts more than comments.
  void noteApp(const XmlElement &element) {
    const std::optional<PlacedText> app = element.attribute("app");
    if (!app || app_)
      return;
    app_ = true;
    const size_t start = std::min(app->text.find_first_not_of(' '), app->text.size());
    const std::string_view name = app->text.substr(start);
    agrum_ = name.starts_with("aGrUM") || name.starts_with("pyAgrum") ? std::optional(element.range)
                                                                      : std::nullopt;
  }

  XmlText startFile(const XmlElement &element) {
    if (element.name != "smile") {
      isSound_ = false;
      network_.error(element.range, "expected the element smile, found {}", excerpt(element.name));
      return XmlText::Skipped;
    }
    if (const std::optional<PlacedText> id = element.attribute("id"); id && isPlainName(id->text))
      network_.setName(id->text);
    return XmlText::Refused;
  }

  XmlText startPart(const XmlElement &element) {
    if (element.name == "nodes" || element.name == "extensions")
      return XmlText::Refused;
    if (element.name == "dynamic")
      network_.error(element.range, "this network is dynamic: unroll it in GeNIe and save that");
    return XmlText::Skipped;
  }

  XmlText startNode(const XmlElement &element) {
    if (!kindOf(element.name))
      network_.error(element.range,
                     "{} is no node of discrete states: cpt, deterministic and noisymax are read",
                     excerpt(element.name));
    else if (element.attribute("dynamic"))
      network_.error(element.range, "this node is dynamic: unroll the network in GeNIe and save "
                                    "that");
    else if (const std::optional<PlacedText> id = element.attribute("id"); !id)
      network_.error(element.range, "this node has no id");
    else if ((variable_ = network_.startVariable(*id)))
      return XmlText::Refused;
    network_.markIncomplete();
    return XmlText::Skipped;
  }

  void addState(const XmlElement &element) {
    const std::optional<PlacedText> id = element.attribute("id");
    if (!variable_)
      return;
    if (id ? network_.addState(*variable_, *id)
           : network_.error(element.range, "this state has no id"))
      return;
    network_.markIncomplete();
    variable_.reset();
  }

  NetworkBuilder &network_;
  std::optional<NamedVariable> variable_; ///< the node that is being read
  std::optional<SourceRange> agrum_;
  bool app_ = false;    ///< the file says which program wrote it
  bool isSound_ = true; ///< the first element is `smile`, as in every XDSL file
};

/// Reads the tables of a file whose nodes were read.
class XdslTables : public XmlHandler {
public:
  XdslTables(NetworkBuilder &network, size_t textBytes, bool isFirstFastest)
      : network_(network), textBytes_(textBytes), isFirstFastest_(isFirstFastest) {}

  XmlText start(const XmlElement &element) override {
    if (element.parent.empty())
      return XmlText::Refused;
    if (element.parent == "smile")
      return element.name == "nodes" ? XmlText::Refused : XmlText::Skipped;
    if (element.parent == "nodes")
      return startNode(element);
    if (isBroken_)
      return XmlText::Skipped;
    part_ = element.name;
    if (part_ == "parents" || part_ == "strengths") {
      if (!seen_.insert(part_).second)
        fault(network_.error(element.range, "this node has {} twice", part_));
      return isBroken_ ? XmlText::Skipped : XmlText::Words;
    }
    const bool isNumbers = part_ == "probabilities" || part_ == "parameters";
    if (isNumbers && (part_ == "parameters") != (kind_ == GenieKind::NoisyMax))
      fault(network_.error(element.range, "{} belong to {}", part_,
                           kind_ == GenieKind::NoisyMax
                               ? "a cpt: a noisymax has parameters"
                               : "a noisymax: this node has another kind"));
    if (isBroken_)
      return XmlText::Skipped;
    if (!isNumbers && part_ != "resultingstates")
      return XmlText::Skipped;
    place_ = element.range;
    fault(isNumbers ? table_->startNumbers(place_, (textBytes_ - place_.end) / 2 + 1)
                    : table_->startStates(place_));
    return isBroken_ ? XmlText::Skipped : XmlText::Words;
  }

  void word(const PlacedText &word) override {
    if (isBroken_)
      return;
    if (part_ == "parents")
      parents_.emplace_back(word.text, word.range);
    else if (part_ == "strengths")
      fault(table_->addStrength(word));
    else if (part_ == "resultingstates")
      fault(table_->addState(word));
    else
      fault(table_->addNumber(word));
  }

  void end(std::string_view name, const PlacedText &) override {
    if (isBroken_)
      return;
    if (name == "parents")
      addParents();
    else if (kindOf(name))
      fault(table_->finish(place_));
  }

private:
  void fault(bool isRead) { isBroken_ |= !isRead; }

  XmlText startNode(const XmlElement &element) {
    isBroken_ = true;
    const std::optional<PlacedText> id = element.attribute("id");
    const std::optional<GenieKind> kind = kindOf(element.name);
    if (!id || !kind)
      return XmlText::Skipped;
    table_.emplace(network_);
    kind_ = *kind;
    seen_.clear();
    place_ = element.range;
    parents_.clear();
    isBroken_ = !table_->begin(*kind, *id);
    return isBroken_ ? XmlText::Skipped : XmlText::Refused;
  }

  void addParents() {
    if (isFirstFastest_ && kind_ != GenieKind::NoisyMax)
      std::ranges::reverse(parents_);
    for (const auto &[name, range] : parents_)
      if (!isBroken_)
        fault(table_->addParent({name, range}));
    parents_.clear();
  }

  NetworkBuilder &network_;
  const size_t textBytes_;
  const bool isFirstFastest_;
  std::optional<GenieTable> table_;
  std::string part_;  ///< the element of the node that is being read
  SourceRange place_; ///< the start tag of the numbers, before that of the node
  std::vector<std::pair<std::string, SourceRange>> parents_;
  GenieKind kind_ = GenieKind::Cpt;
  std::set<std::string> seen_; ///< lists that the node has
  bool isBroken_ = true;       ///< an error was reported, so the rest of the node is skipped
};

/// Whether the order of parents changes what a table means.
bool hasTwoParents(const Model &model) {
  return std::ranges::any_of(model.factors,
                             [](const Factor &factor) { return factor.scope.size() > 2; });
}

} // namespace

std::optional<Model> readXdsl(std::shared_ptr<const SourceBuffer> buffer, Diagnostics &diagnostics,
                              const ModelReadOptions &options) {
  NetworkBuilder network(buffer, diagnostics);
  if (options.build.normalise)
    network.normaliseRows();
  XdslNodes nodes(network);
  if (readXml(*buffer, network, nodes) && nodes.isSound()) {
    XdslTables tables(network, buffer->text().size(), nodes.agrum().has_value());
    readXml(*buffer, network, tables);
  }
  if (nodes.agrum() && hasTwoParents(network.model()))
    diagnostics.warning(network.placeOf(*nodes.agrum()),
                        "aGrUM wrote this file, which lists the first parent fastest: it is read "
                        "so, GeNIe reads it with the last parent fastest");
  return network.finish(QueryKind::Marginals, options.check);
}

bool startsAsXdsl(std::string_view text) { return xmlRoot(text) == "smile"; }

} // namespace mpf
