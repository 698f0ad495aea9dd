#include "dsl/formats/tensors/contraction_json.h"

#include "dsl/formats/tables/json_text.h"
#include "dsl/support/text/text_index.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <array>

namespace mpf {

namespace {

constexpr size_t kMaxDepth = 64; ///< of open objects and arrays

/// A member that is read.
enum class Part { None, Operands, Output, Sizes };

struct NamedPart {
  std::string_view owner; ///< the key of the object around it; empty: the text
  std::string_view key;
  Part part;
};
constexpr std::array<NamedPart, 6> kParts = {{{"", "inputs", Part::Operands},
                                              {"", "output", Part::Output},
                                              {"", "size_dict", Part::Sizes},
                                              {"einsum", "ixs", Part::Operands},
                                              {"einsum", "iy", Part::Output},
                                              {"", "size", Part::Sizes}}};

/// Receives the events of one text. Members may have any order: the result is kept until the end.
class ContractionEvents final : public JsonEvents {
public:
  ContractionEvents(const std::shared_ptr<const SourceBuffer> &text, Diagnostics &diagnostics)
      : JsonEvents(text, diagnostics), made_(text, diagnostics) {}

  bool null() override { return takeOther("null"); }
  bool truth(bool) override { return takeOther("a truth value"); }
  bool integer(int64_t value) override { return takeNumber(std::to_string(value), 0); }
  bool natural(uint64_t value) override { return takeNumber(std::to_string(value), value); }
  bool real(const std::string &text) override {
    return part_ == Part::Sizes ? takeNumber(text, 0) : takeOther(excerpt(text));
  }
  bool string(std::string &value) override {
    return part_ == Part::Sizes ? takeOther("a text") : takeLabel(value, false);
  }
  bool startObject() override;
  bool key(std::string &name) override;
  bool endObject() override;
  bool startArray() override;
  bool endArray() override {
    --arrays_;
    return true;
  }

  /// Returns the contraction behind the last event. Reports missing members, and indices without a
  /// size.
  std::optional<TensorSum> finish();

private:
  struct OpenObject {
    TextIndex keys;
    std::string_view current() const { ///< the last key; empty: none yet
      return keys.size() == 0 ? "" : keys.text(static_cast<uint32_t>(keys.size() - 1));
    }
  };
  struct Label {
    std::string name;
    SourceRange place;
  };

  bool takeOther(std::string_view what);
  bool takeNumber(const std::string &text, uint64_t value);
  bool takeLabel(const std::string &name, bool isNumber);
  bool isOpenable();

  TensorSumBuilder made_;
  std::vector<OpenObject> objects_;
  size_t arrays_ = 0; ///< open now
  Part part_ = Part::None;
  std::array<bool, 4> isSeen_{};   ///< parts
  std::optional<bool> hasNumbers_; ///< whether labels are numbers; not set: there was none
  std::vector<Label> output_;
  uint32_t sized_ = 0; ///< the number of the name whose size comes next
};

bool ContractionEvents::isOpenable() {
  return objects_.size() + arrays_ < kMaxDepth ||
         refuse(fmt::format("more than {} objects and arrays are open", kMaxDepth));
}

bool ContractionEvents::startObject() {
  if (part_ == Part::Operands || part_ == Part::Output ||
      (part_ == Part::Sizes && (objects_.size() != 1 || arrays_ != 0)))
    return takeOther("an object");
  if (!isOpenable())
    return false;
  objects_.emplace_back();
  return true;
}

bool ContractionEvents::key(std::string &name) {
  const bool isSize = part_ == Part::Sizes && objects_.size() == 2;
  if (isSize)
    sized_ = made_.numberOf(name);
  if (isSize ? made_.hasSize(sized_) : !objects_.back().keys.add(name).second)
    return refuse(fmt::format("a second member is called '{}'", excerpt(name)));
  if (isSize)
    return true;
  part_ = Part::None;
  const std::string_view owner = objects_.size() == 2 ? objects_.front().current() : "";
  if (arrays_ != 0 || objects_.size() > 2 || (objects_.size() == 2 && owner.empty()))
    return true;
  const auto found = std::ranges::find_if(
      kParts, [&](const NamedPart &named) { return named.owner == owner && named.key == name; });
  if (found == kParts.end())
    return true;
  part_ = found->part;
  bool &isSeen = isSeen_[static_cast<size_t>(part_)];
  if (isSeen)
    return refuse(fmt::format("'{}' is here, and a member with the same meaning before", name));
  isSeen = true;
  return true;
}

bool ContractionEvents::endObject() {
  objects_.pop_back();
  part_ = Part::None;
  return true;
}

bool ContractionEvents::startArray() {
  if (objects_.empty())
    return refuse("the text is an array: an object with inputs, output and size_dict is expected");
  if (part_ == Part::Sizes || (part_ == Part::Output && arrays_ == 1) ||
      (part_ == Part::Operands && arrays_ == 2))
    return takeOther("an array");
  if (!isOpenable())
    return false;
  if (part_ == Part::Operands && arrays_ == 1)
    made_.startOperand(here());
  ++arrays_;
  return true;
}

/// Refuses a value that is none of the part.
bool ContractionEvents::takeOther(std::string_view what) {
  if (objects_.empty())
    return refuse("an object with inputs, output and size_dict is expected");
  switch (part_) {
  case Part::None:
    return true;
  case Part::Sizes:
    return refuse(fmt::format("the sizes are an object of whole numbers, this is {}", what));
  case Part::Operands:
    return refuse(fmt::format("the operands are an array of arrays of indices, this is {}", what));
  case Part::Output:
    break;
  }
  return refuse(fmt::format("the result is an array of indices, this is {}", what));
}

bool ContractionEvents::takeNumber(const std::string &text, uint64_t value) {
  if (part_ != Part::Sizes || objects_.size() != 2)
    return part_ == Part::Sizes ? takeOther(text) : takeLabel(text, true);
  if (value == 0 || value > UINT32_MAX)
    return refuse(fmt::format("the size of '{}' is {}: expected a whole number from 1 to 2^32 - 1",
                              excerpt(made_.nameOf(sized_)), excerpt(text)));
  made_.setSize(sized_, value);
  return true;
}

bool ContractionEvents::takeLabel(const std::string &name, bool isNumber) {
  const bool isIndex =
      (part_ == Part::Operands && arrays_ == 2) || (part_ == Part::Output && arrays_ == 1);
  if (!isIndex)
    return takeOther(isNumber ? "a number" : "a text");
  if (name.empty())
    return refuse("an index has an empty name");
  if (hasNumbers_.value_or(isNumber) != isNumber)
    return refuse(isNumber ? "this index is a number, those before are texts"
                           : "this index is a text, those before are numbers");
  if (!hasNumbers_)
    made_.setPrefix(isNumber ? "x" : "");
  hasNumbers_ = isNumber;
  if (part_ == Part::Output)
    output_.push_back({name, here()});
  else
    made_.addIndex({name, here()});
  return true;
}

std::optional<TensorSum> ContractionEvents::finish() {
  const auto isMissing = [this](Part part) { return !isSeen_[static_cast<size_t>(part)]; };
  if (isMissing(Part::Operands) || isMissing(Part::Output) || isMissing(Part::Sizes)) {
    refuse(fmt::format("the text ends without {}", isMissing(Part::Operands) ? "inputs (or ixs)"
                                                   : isMissing(Part::Output)
                                                       ? "output (or iy)"
                                                       : "size_dict (or size)"));
    return std::nullopt;
  }
  for (const Label &label : output_)
    if (!made_.addOutput({label.name, label.place}))
      return std::nullopt;
  TensorSum made = made_.take();
  for (const TensorSum::Index &index : made.indices)
    if (index.size == 0) {
      made_.error(index.place, fmt::format("the index '{}' has no size", excerpt(index.name)));
      return std::nullopt;
    }
  return made;
}

} // namespace

std::optional<TensorSum> readContractionJson(std::shared_ptr<const SourceBuffer> buffer,
                                             Diagnostics &diagnostics) {
  ContractionEvents events(buffer, diagnostics);
  return events.read() ? events.finish() : std::nullopt;
}

bool startsAsContractionJson(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto skip = [&](char c) {
    if (!text.starts_with(c))
      return false;
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks, 1), text.size()));
    return true;
  };
  if (!skip('{') || !skip('"'))
    return false;
  text = text.substr(0, text.find('"'));
  return text == "einsum" || std::ranges::any_of(kParts, [text](const NamedPart &named) {
           return named.owner.empty() && named.key == text;
         });
}

} // namespace mpf
