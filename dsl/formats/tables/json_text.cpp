#include "dsl/formats/tables/json_text.h"

#include "dsl/support/files/byte_order_mark.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

namespace mpf {

namespace {

constexpr int kNumberOverflow = 406; ///< nlohmann's number of this error

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

} // namespace

/// The SAX interface of nlohmann-json.
class JsonEvents::Parser {
public:
  explicit Parser(JsonEvents &events) : events_(events) {}

  bool null() { return behind(events_.null()); }
  bool boolean(bool value) { return behind(events_.truth(value)); }
  bool number_integer(int64_t value) { return behind(events_.integer(value)); }
  bool number_unsigned(uint64_t value) { return behind(events_.natural(value)); }
  bool number_float(double, const std::string &text) { return behind(events_.real(text)); }
  bool string(std::string &value) { return behind(events_.string(value)); }
  bool binary(nlohmann::json::binary_t &) { return false; }
  bool start_object(size_t) { return behind(events_.startObject()); }
  bool key(std::string &name) { return behind(events_.key(name)); }
  bool end_object() { return behind(events_.endObject()); }
  bool start_array(size_t) { return behind(events_.startArray()); }
  bool end_array() { return behind(events_.endArray()); }

  bool parse_error(size_t position, const std::string &, const nlohmann::json::exception &error) {
    if (error.id == kNumberOverflow)
      return events_.refuse("this number is greater than all doubles");
    const auto at = static_cast<uint32_t>(std::min(position, events_.text_->text().size()));
    const std::string_view why = error.what();
    const size_t detail = why.rfind("; ");
    events_.diagnostics_.error(
        {events_.text_, {at > 0 ? at - 1 : 0, at}}, "this is no JSON{}{}",
        detail == std::string_view::npos ? "" : ": ",
        detail == std::string_view::npos ? "" : excerpt(why.substr(detail + 2), 120));
    return false;
  }

private:
  bool behind(bool isTaken) {
    events_.before_ = events_.at_;
    return isTaken;
  }

  JsonEvents &events_;
};

SourceRange JsonEvents::here() const {
  const std::string_view read(before_, static_cast<size_t>(at_ - before_));
  const size_t skipped = std::min(read.find_first_not_of(" \t\r\n,:"), read.size());
  const auto end = static_cast<uint32_t>(at_ - begin_);
  if (skipped == read.size()) // a bracket that ended the number before it
    return {end > 0 ? end - 1 : 0, end};
  std::string_view token = read.substr(skipped);
  if (token.front() == '-' || (token.front() >= '0' && token.front() <= '9'))
    token = token.substr(0, token.find_first_not_of("0123456789+-.eE"));
  const auto start = static_cast<uint32_t>(token.data() - begin_);
  return {start, start + static_cast<uint32_t>(token.size())};
}

bool JsonEvents::read() {
  const std::string_view all = text_->text();
  const size_t mark = all.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const CountingIterator begin(all.data() + mark, &at_), end(all.data() + all.size(), &at_);
  Parser parser(*this);
  return nlohmann::json::sax_parse(begin, end, &parser);
}

} // namespace mpf
