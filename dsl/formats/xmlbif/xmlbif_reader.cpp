#include "dsl/formats/xmlbif/xmlbif_reader.h"

#include "dsl/formats/network/conditional_table.h"
#include "dsl/formats/xml/xml_reader.h"
#include "dsl/syntax/spelling.h"

#include <utility>

namespace mpf {

namespace {

/// The text of an element that outlives the call.
struct OwnedText {
  std::string text;
  SourceRange range;

  OwnedText() = default;
  explicit OwnedText(const PlacedText &from) : text(from.text), range(from.range) {}
  PlacedText placed() const { return {text, range}; }
};

/// Reads variables, and reports elements that do not belong where they stand.
class XmlbifVariables : public XmlHandler {
public:
  explicit XmlbifVariables(NetworkBuilder &network) : network_(network) {}

  XmlText start(const XmlElement &element) override {
    if (element.parent.empty())
      return startFile(element);
    if (element.parent == "BIF" && element.name == "NETWORK")
      return startNetwork(element);
    if (element.parent == "NETWORK") {
      if (element.name == "NAME")
        return XmlText::Whole;
      if (element.name == "PROPERTY" || element.name == "DEFINITION")
        return XmlText::Skipped;
      if (element.name == "VARIABLE")
        return startVariable(element);
    }
    if (element.parent == "VARIABLE") {
      if (element.name == "NAME" || element.name == "OUTCOME")
        return XmlText::Whole;
      if (element.name == "PROPERTY")
        return XmlText::Skipped;
    }
    network_.error(element.range, "{} has no element {} in XMLBIF 0.3", excerpt(element.parent),
                   excerpt(element.name));
    network_.markIncomplete();
    return XmlText::Skipped;
  }

  void end(std::string_view name, const PlacedText &text) override {
    if (name == "BIF" && !hasNetwork_)
      network_.error(text.range, "the file has no NETWORK");
    else if (name == "OUTCOME")
      outcomes_.emplace_back(text);
    else if (name == "NAME" && isInVariable_)
      endName(text);
    else if (name == "NAME" && isPlainName(text.text))
      network_.setName(text.text);
    else if (name == "VARIABLE")
      endVariable();
  }

  bool isSound() const { return isSound_; }

private:
  XmlText startFile(const XmlElement &element) {
    const std::optional<PlacedText> version = element.attribute("VERSION");
    if (element.name != "BIF")
      network_.error(element.range, "expected the element BIF, found {}", excerpt(element.name));
    else if (version && version->text != "0.3")
      network_.error(element.range,
                     "this is version {} of XMLBIF, whose elements are others: version 0.3 is read",
                     excerpt(version->text));
    else
      return XmlText::Refused;
    isSound_ = false;
    return XmlText::Skipped;
  }

  XmlText startNetwork(const XmlElement &element) {
    if (!std::exchange(hasNetwork_, true))
      return XmlText::Refused;
    network_.error(element.range, "the file has a second NETWORK");
    return XmlText::Skipped;
  }

  XmlText startVariable(const XmlElement &element) {
    const std::optional<PlacedText> type = element.attribute("TYPE");
    if (type && type->text != "nature") {
      network_.error(element.range,
                     "a variable of type {} is no random variable: only the type nature is read",
                     excerpt(type->text));
      network_.markIncomplete();
      return XmlText::Skipped;
    }
    isInVariable_ = true;
    place_ = element.range;
    name_.reset();
    outcomes_.clear();
    return XmlText::Refused;
  }

  void endName(const PlacedText &text) {
    if (name_)
      network_.error(text.range, "the variable '{}' has a second NAME", excerpt(name_->text));
    else
      name_ = OwnedText(text);
  }

  void endVariable() {
    isInVariable_ = false;
    if (!addVariable())
      network_.markIncomplete();
  }

  bool addVariable() {
    if (!name_ || name_->text.empty())
      return network_.error(place_, "this VARIABLE has no NAME");
    std::optional<NamedVariable> variable = network_.startVariable(name_->placed());
    if (!variable)
      return false;
    for (const OwnedText &outcome : outcomes_)
      if (!network_.addState(*variable, outcome.placed()))
        return false;
    return network_.addVariable(std::move(*variable));
  }

  NetworkBuilder &network_;
  bool hasNetwork_ = false, isInVariable_ = false;
  bool isSound_ = true; ///< the first element is BIF of version 0.3
  SourceRange place_;   ///< the variable that is being read
  std::optional<OwnedText> name_;
  std::vector<OwnedText> outcomes_;
};

/// Reads the definitions of a file whose variables were read.
class XmlbifDefinitions : public XmlHandler {
public:
  XmlbifDefinitions(NetworkBuilder &network, size_t textBytes)
      : network_(network), textBytes_(textBytes) {}

  XmlText start(const XmlElement &element) override {
    if (element.parent.empty() || element.parent == "BIF")
      return XmlText::Refused;
    if (element.parent == "NETWORK")
      return element.name == "DEFINITION" ? startDefinition(element) : XmlText::Skipped;
    if (element.name == "PROPERTY" || isBroken_)
      return XmlText::Skipped;
    if (element.name == "FOR" || element.name == "GIVEN") {
      if (hasTable_)
        fault(network_.error(element.range, "{} stands behind the TABLE: names come before it",
                             element.name));
      return isBroken_ ? XmlText::Skipped : XmlText::Whole;
    }
    if (element.name == "TABLE")
      return startTable(element);
    fault(network_.error(element.range, "DEFINITION has no element {} in XMLBIF 0.3",
                         excerpt(element.name)));
    return XmlText::Skipped;
  }

  void word(const PlacedText &word) override {
    if (!isBroken_)
      fault(table_->takeNumber(word, "the TABLE", count_, numbers_));
  }

  void end(std::string_view name, const PlacedText &text) override {
    if (isBroken_)
      return;
    if (name == "FOR")
      endFor(text);
    else if (name == "GIVEN")
      givens_.emplace_back(text);
    else if (name == "TABLE")
      endTable(text);
    else if (name == "DEFINITION")
      fault(hasTable_ ? table_->finish() : network_.error(place_, "this DEFINITION has no TABLE"));
  }

private:
  void fault(bool isRead) { isBroken_ |= !isRead; }

  XmlText startDefinition(const XmlElement &element) {
    table_.emplace(network_);
    place_ = element.range;
    givens_.clear();
    hasChild_ = hasTable_ = isBroken_ = false;
    return XmlText::Refused;
  }

  void endFor(const PlacedText &text) {
    if (std::exchange(hasChild_, true))
      fault(network_.error(text.range, "this DEFINITION has a second FOR: tables of several "
                                       "variables are not read"));
    else
      fault(table_->setChild(text));
  }

  XmlText startTable(const XmlElement &element) {
    if (std::exchange(hasTable_, true))
      fault(network_.error(element.range, "this DEFINITION has a second TABLE"));
    else if (!hasChild_)
      fault(network_.error(element.range, "this DEFINITION has no FOR before its TABLE"));
    for (size_t i = 0; i < givens_.size() && !isBroken_; ++i)
      fault(table_->addParent(givens_[i].placed()));
    if (!isBroken_)
      fault(table_->allocate(element.range, (textBytes_ - element.range.end) / 2 + 1));
    if (isBroken_)
      return XmlText::Skipped;
    count_ = table_->rows() * table_->childExtent();
    numbers_ = {};
    return XmlText::Words;
  }

  void endTable(const PlacedText &text) {
    fault(table_->checkCount(text.range, "the TABLE", count_, numbers_));
    if (!isBroken_)
      table_->setTable(std::move(numbers_));
  }

  NetworkBuilder &network_;
  const size_t textBytes_;
  std::optional<ConditionalTable> table_;
  SourceRange place_; ///< the definition that is being read
  std::vector<OwnedText> givens_;
  bool hasChild_ = false, hasTable_ = false;
  bool isBroken_ = false; ///< an error was reported, so the rest of the definition is skipped
  uint64_t count_ = 0;
  ReadNumbers numbers_;
};

} // namespace

std::optional<Model> readXmlbif(std::shared_ptr<const SourceBuffer> buffer,
                                Diagnostics &diagnostics, const ModelReadOptions &options) {
  NetworkBuilder network(buffer, diagnostics);
  if (options.build.normalise)
    network.normaliseRows();
  XmlbifVariables variables(network);
  if (readXml(*buffer, network, variables) && variables.isSound()) {
    XmlbifDefinitions definitions(network, buffer->text().size());
    readXml(*buffer, network, definitions);
  }
  return network.finish(QueryKind::Marginals, options.check);
}

bool startsAsXmlbif(std::string_view text) { return xmlRoot(text) == "BIF"; }

} // namespace mpf
