#include "dsl/formats/tables/json_arrays.h"

#include "dsl/formats/tables/json_text.h"
#include "dsl/formats/tables/row_ends.h"
#include "dsl/formats/tables/table_cell.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/growth_guard.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace mpf {

namespace {

constexpr size_t kMaxAxes = 64;
constexpr size_t kMaxObjects = 200; ///< open at once
/// The memory that a word of the text may take: a number, or a string with its place.
constexpr uint64_t kBytesPerNumber = 16, kBytesPerString = 80;

/// Receives the events of one text (nlohmann's SAX interface).
class ArrayEvents final : public JsonEvents {
public:
  ArrayEvents(std::shared_ptr<const SourceBuffer> text, JsonContents contents,
              Diagnostics &diagnostics)
      : JsonEvents(std::move(text), diagnostics), contents_(contents) {}

  bool null() override { return element({Kind::Missing, {}, {}}); }
  bool truth(bool value) override { return element({Kind::Word, {}, value ? "true" : "false"}); }
  bool integer(int64_t value) override { return number(static_cast<double>(value)); }
  bool natural(uint64_t value) override { return number(static_cast<double>(value)); }
  bool real(const std::string &text) override {
    const TableCell cell = readTableCell(text);
    if (cell.kind == TableCell::Kind::Word)
      return refuse(fmt::format("{} is beyond all numbers that tables hold", excerpt(text)));
    return element({Kind::Number, cell, text});
  }
  bool string(std::string &value) override { return element({Kind::Label, {}, value}); }

  bool startObject() override {
    if (!shape_.empty())
      return refuse("an object stands in an array, numbers are needed");
    if (++objects_ > kMaxObjects)
      return refuse(fmt::format("objects are nested deeper than {} levels", kMaxObjects));
    keys_.emplace_back();
    return true;
  }
  bool endObject() override {
    keys_.pop_back();
    --objects_;
    return true;
  }
  bool key(std::string &name) override {
    if (!keys_.back().insert(name).second)
      return refuse(fmt::format("a second member is called '{}'", excerpt(name)));
    if (objects_ == 1)
      name_ = name;
    return true;
  }

  bool startArray() override {
    if (objects_ > 1)
      return true;
    if (shape_.empty())
      start();
    if (shape_.size() == kMaxAxes)
      return refuse(fmt::format("arrays are nested deeper than {} levels", kMaxAxes));
    if (leafDepth_ != 0 && shape_.size() >= leafDepth_)
      return refuse("an array stands where the elements before it are numbers");
    shape_.push_back(0);
    if (shape_.size() > lengths_.size())
      lengths_.push_back(std::nullopt);
    return true;
  }
  bool endArray() override {
    if (objects_ > 1)
      return true;
    const size_t depth = shape_.size();
    const uint64_t length = shape_.back();
    shape_.pop_back();
    if (length == 0 && leafDepth_ == 0)
      leafDepth_ = depth; // no numbers can stand deeper
    if (depth < leafDepth_ || leafDepth_ == 0) {
      if (lengths_[depth - 1].value_or(length) != length)
        return refuse(fmt::format("this array has {} rows, those before it have {}", length,
                                  *lengths_[depth - 1]));
    } else {
      ends_.add(length, entries_);
    }
    lengths_[depth - 1] = lengths_[depth - 1].value_or(length);
    if (depth == 1)
      return finish();
    ++shape_.back();
    return true;
  }

  std::vector<JsonArray> take() { return std::move(arrays_); }

private:
  enum class Kind { Number, Missing, Word, Label };
  struct Element {
    Kind kind = Kind::Number;
    TableCell cell{};
    std::string text{}; ///< as it stands in the file
  };

  void start() {
    current_ = {name_, here()};
    values_.clear();
    lengths_.clear();
    leafDepth_ = 0;
    entries_ = 0;
    ends_ = {};
  }

  bool number(double value) {
    TableCell cell;
    cell.kind = TableCell::Kind::Number;
    cell.value = value;
    return element({Kind::Number, cell, formatDouble(value)});
  }
  /// Takes an element of the open array, or a value that is alone.
  bool element(const Element &element) {
    if (objects_ > 1)
      return true;
    const bool isAlone = shape_.empty();
    if (isAlone)
      start();
    else if (leafDepth_ == 0)
      leafDepth_ = shape_.size();
    if (leafDepth_ != shape_.size())
      return refuse(fmt::format("this stands {} levels deep, the elements before it {}",
                                shape_.size(), leafDepth_));
    if (!isAlone)
      ++shape_.back();
    ++entries_;
    keep(element);
    return !isAlone || finish();
  }
  void keep(const Element &element) {
    const bool isMissing = element.kind == Kind::Missing, isLabel = element.kind == Kind::Label;
    current_.hasWords = current_.hasWords || isLabel || element.kind == Kind::Word;
    if (contents_ == JsonContents::Words) {
      current_.words.push_back({element.text, here(), isLabel});
      return;
    }
    StoredArray &stored = current_.stored;
    if (isMissing && !stored.missing)
      stored.missing = {"null is no number", {text(), here()}};
    const bool isFar = element.cell.kind == TableCell::Kind::Far;
    if (isFar)
      stored.addFar(values_.size(), element.cell.far, element.text, {text(), here()});
    values_.push_back(isMissing ? std::numeric_limits<double>::quiet_NaN()
                      : isFar   ? 0
                                : element.cell.value);
  }

  bool finish() {
    ArrayFile &array = current_.stored.array;
    array.rowEnds = ends_.take();
    array.isRagged = !array.rowEnds.empty();
    for (const std::optional<uint64_t> &length : lengths_)
      array.shape.push_back(*length);
    if (array.isRagged)
      array.shape.pop_back();
    array.values = std::make_shared<const std::vector<double>>(std::move(values_));
    values_.clear();
    arrays_.push_back(std::move(current_));
    current_ = {};
    return true;
  }

  JsonContents contents_;
  std::string name_;
  size_t objects_ = 0;                                ///< open now
  std::vector<std::unordered_set<std::string>> keys_; ///< of each open object
  JsonArray current_;
  std::vector<uint64_t> shape_;                    ///< elements so far of each open array
  std::vector<std::optional<uint64_t>> lengths_{}; ///< of the first closed array of each depth
  size_t leafDepth_ = 0;                           ///< depth of the numbers; 0: not known yet
  uint64_t entries_ = 0;
  RowEnds ends_;
  std::vector<double> values_;
  std::vector<JsonArray> arrays_;
};

} // namespace

std::optional<std::vector<JsonArray>> readJsonArrays(std::shared_ptr<const SourceBuffer> text,
                                                     JsonContents contents,
                                                     Diagnostics &diagnostics) {
  requireMemoryToParse(text->name(), text->text(),
                       contents == JsonContents::Numbers ? kBytesPerNumber : kBytesPerString);
  Diagnostics found(1, 1);
  ArrayEvents events(text, contents, found);
  const bool isRead = events.read();
  for (const Diagnostic &problem : found.all())
    diagnostics.report(problem);
  return isRead ? std::optional(events.take()) : std::nullopt;
}

} // namespace mpf
