#include "codegen/bundle/json_value.h"

#include <bit>
#include <nlohmann/json.hpp>

namespace mpf {

/// The receiver that nlohmann's parser calls for each value.
class JsonDocument::Builder : public nlohmann::json_sax<nlohmann::json> {
public:
  explicit Builder(JsonDocument &document) : nodes_(document.nodes_), texts_(document.texts_) {}

  bool null() override { return add(Null, 0); }
  bool boolean(bool value) override { return add(Truth, value ? 1 : 0); }
  bool number_integer(int64_t value) override {
    return add(Negative, static_cast<uint64_t>(value));
  }
  bool number_unsigned(uint64_t value) override { return add(Count, value); }
  bool number_float(double value, const std::string &) override {
    return add(Real, std::bit_cast<uint64_t>(value));
  }
  bool string(std::string &value) override {
    add(Text, texts_.size(), value.size());
    texts_ += value;
    return true;
  }
  bool key(std::string &name) override { return string(name); }
  bool start_object(size_t) override { return open(Object); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(List); }
  bool end_array() override { return close(); }
  bool binary(nlohmann::json::binary_t &) override { return false; } // not in texts
  bool parse_error(size_t, const std::string &, const nlohmann::json::exception &) override {
    return false;
  }

private:
  bool add(Kind kind, uint64_t bits, uint64_t size = 0) {
    nodes_.push_back({kind, size, bits});
    return true;
  }
  bool open(Kind kind) {
    open_.push_back(nodes_.size());
    return add(kind, 0);
  }
  bool close() {
    nodes_[open_.back()].size = nodes_.size() - open_.back();
    open_.pop_back();
    return true;
  }

  std::vector<Node> &nodes_;
  std::string &texts_;
  std::vector<size_t> open_; ///< lists and objects around the next value
};

std::optional<JsonDocument> JsonDocument::parse(std::string_view text) {
  std::optional<JsonDocument> document = JsonDocument();
  Builder builder(*document);
  if (!nlohmann::json::sax_parse(text, &builder))
    document.reset();
  return document;
}

std::optional<uint64_t> JsonValue::count() const {
  if (node().kind != JsonDocument::Count)
    return std::nullopt;
  return node().bits;
}

std::optional<int64_t> JsonValue::integer() const {
  if (node().kind != JsonDocument::Negative && count().value_or(UINT64_MAX) > INT64_MAX)
    return std::nullopt;
  return static_cast<int64_t>(node().bits);
}

std::optional<double> JsonValue::number() const {
  switch (node().kind) {
  case JsonDocument::Count:
    return static_cast<double>(node().bits);
  case JsonDocument::Negative:
    return static_cast<double>(static_cast<int64_t>(node().bits));
  case JsonDocument::Real:
    return std::bit_cast<double>(node().bits);
  default:
    return std::nullopt;
  }
}

std::optional<std::string_view> JsonValue::text() const {
  if (node().kind != JsonDocument::Text)
    return std::nullopt;
  return std::string_view(document_->texts_).substr(node().bits, node().size);
}

std::optional<bool> JsonValue::truth() const {
  if (node().kind != JsonDocument::Truth)
    return std::nullopt;
  return node().bits != 0;
}

std::optional<JsonValue> JsonValue::member(std::string_view name) const {
  std::optional<JsonValue> found;
  if (node().kind != JsonDocument::Object)
    return found;
  for (size_t at = at_ + 1; at < behind();) {
    const JsonValue value(*document_, at + 1);
    if (JsonValue(*document_, at).text() == name)
      found = value;
    at = value.behind();
  }
  return found;
}

} // namespace mpf
