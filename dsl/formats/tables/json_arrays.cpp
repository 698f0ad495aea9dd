#include "dsl/formats/tables/json_arrays.h"

#include "dsl/formats/tables/row_ends.h"
#include "dsl/formats/tables/table_cell.h"
#include "dsl/support/files/byte_order_mark.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/growth_guard.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace mpf {

namespace {

constexpr size_t kMaxAxes = 64;
constexpr int kNumberOverflow = 406; ///< nlohmann's number of this error
constexpr size_t kMaxObjects = 200;  ///< open at once
/// The memory that a word of the text may take: a number, or a string with its place.
constexpr uint64_t kBytesPerNumber = 16, kBytesPerString = 80;

/// Reads characters for nlohmann-json and knows how far it is.
class CountingIterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char *;
  using reference = const char &;

  CountingIterator(const char *at, const char **shown) : at_(at), shown_(shown) {}
  reference operator*() const { return *at_; }
  CountingIterator &operator++() {
    *shown_ = ++at_;
    return *this;
  }
  bool operator==(const CountingIterator &other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator &other) const { return at_ != other.at_; }

private:
  const char *at_;
  const char **shown_;
};

/// Receives the events of one text (nlohmann's SAX interface).
class ArrayEvents {
public:
  ArrayEvents(std::shared_ptr<const SourceBuffer> text, JsonContents contents,
              Diagnostics &diagnostics)
      : text_(std::move(text)), contents_(contents), diagnostics_(diagnostics),
        begin_(text_->text().data()), at_(begin_) {}

  bool null() { return element({Kind::Missing, {}, {}}); }
  bool boolean(bool value) { return element({Kind::Word, {}, value ? "true" : "false"}); }
  bool number_integer(int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double, const std::string &text) {
    const TableCell cell = readTableCell(text);
    if (cell.kind == TableCell::Kind::Word)
      return refuse(fmt::format("{} is beyond all numbers that tables hold", excerpt(text)));
    return element({Kind::Number, cell, text});
  }
  bool string(std::string &value) { return element({Kind::Label, {}, value}); }
  bool binary(nlohmann::json::binary_t &) { return false; }

  bool start_object(size_t) {
    if (!shape_.empty())
      return refuse("an object stands in an array, numbers are needed");
    if (++objects_ > kMaxObjects)
      return refuse(fmt::format("objects are nested deeper than {} levels", kMaxObjects));
    keys_.emplace_back();
    return true;
  }
  bool end_object() {
    keys_.pop_back();
    --objects_;
    return true;
  }
  bool key(std::string &name) {
    if (!keys_.back().insert(name).second)
      return refuse(fmt::format("a second member is called '{}'", excerpt(name)));
    if (objects_ == 1)
      name_ = name;
    return true;
  }

  bool start_array(size_t) {
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
  bool end_array() {
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

  bool parse_error(size_t position, const std::string &, const nlohmann::json::exception &error) {
    const auto at = static_cast<uint32_t>(std::min(position, text_->text().size()));
    if (error.id == kNumberOverflow) {
      diagnostics_.error({text_, here()}, "a number before here is greater than all doubles");
      return false;
    }
    const std::string_view why = error.what();
    const size_t detail = why.rfind("; ");
    diagnostics_.error({text_, {at > 0 ? at - 1 : 0, at}}, "this is no JSON{}{}",
                       detail == std::string_view::npos ? "" : ": ",
                       detail == std::string_view::npos ? ""
                                                        : excerpt(why.substr(detail + 2), 120));
    return false;
  }

  const char **position() { return &at_; }
  std::vector<JsonArray> take() { return std::move(arrays_); }

private:
  enum class Kind { Number, Missing, Word, Label };
  struct Element {
    Kind kind = Kind::Number;
    TableCell cell{};
    std::string text{}; ///< as it stands in the file
  };

  /// The end of the token that was read last.
  SourceRange here() const {
    const auto end = static_cast<uint32_t>(at_ - begin_);
    return {end > 0 ? end - 1 : 0, end};
  }
  bool refuse(std::string message) {
    diagnostics_.error({text_, here()}, "{}", message);
    return false;
  }
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
      stored.missing = {"null is no number", {text_, here()}};
    const bool isFar = element.cell.kind == TableCell::Kind::Far;
    if (isFar)
      stored.addFar(values_.size(), element.cell.far, element.text, {text_, here()});
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

  std::shared_ptr<const SourceBuffer> text_;
  JsonContents contents_;
  Diagnostics &diagnostics_;
  const char *begin_;
  const char *at_; ///< behind the token that was read last, or behind the next character
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
  const std::string_view all = text->text();
  const size_t mark = all.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  Diagnostics found(1);
  ArrayEvents events(text, contents, found);
  const CountingIterator begin(all.data() + mark, events.position()),
      end(all.data() + all.size(), events.position());
  const bool isRead = nlohmann::json::sax_parse(begin, end, &events);
  for (const Diagnostic &problem : found.all())
    diagnostics.report(problem);
  return isRead ? std::optional(events.take()) : std::nullopt;
}

} // namespace mpf
