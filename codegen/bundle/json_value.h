// JSON that was read: an immutable tree whose values lie one after the other in memory.
//
// It uses the parser of nlohmann::json but not its values: their destructor allocates, which ends
// the process when there is no memory. Here only reading allocates, and nothing recurses, so that
// deeply nested hostile texts do no harm. Threads may share a document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

class JsonValue;

class JsonDocument {
public:
  /// Returns none if the text is not JSON: RFC 8259 in UTF-8, no number beyond those of f64. Takes
  /// at most 24 bytes for each value and name beside their texts, twice that while it grows.
  static std::optional<JsonDocument> parse(std::string_view text);

  JsonValue root() const; ///< valid until the document is moved or destroyed

private:
  friend class JsonValue;
  class Builder;
  enum Kind : uint8_t { Null, Truth, Count, Negative, Real, Text, List, Object };
  /// The node of an object is followed by its members, each a text and its value. The node of a
  /// list is followed by its items.
  struct Node {
    Kind kind;
    uint64_t size; ///< bytes of a text; nodes of a list or object, nested ones included
    uint64_t bits; ///< the number; the begin of the text in `texts_`
  };

  JsonDocument() = default;

  std::vector<Node> nodes_;
  std::string texts_;
};

/// A value in a document, which must outlive it. Functions return none for values of another kind.
class JsonValue {
public:
  std::optional<uint64_t> count() const;  ///< written without sign, fraction and exponent
  std::optional<int64_t> integer() const; ///< without fraction and exponent
  std::optional<double> number() const;
  std::optional<std::string_view> text() const;
  std::optional<bool> truth() const;

  /// The last one of that name.
  std::optional<JsonValue> member(std::string_view name) const;
  bool has(std::string_view name) const { return member(name).has_value(); }

  bool isList() const { return node().kind == JsonDocument::List; }
  template <class F> void forItems(F f) const {
    for (size_t at = at_ + 1; isList() && at < behind(); at = JsonValue(*document_, at).behind())
      f(JsonValue(*document_, at));
  }

private:
  friend class JsonDocument;
  JsonValue(const JsonDocument &document, size_t at) : document_(&document), at_(at) {}
  const JsonDocument::Node &node() const { return document_->nodes_[at_]; }
  size_t behind() const { return at_ + (node().kind >= JsonDocument::List ? node().size : 1); }

  const JsonDocument *document_;
  size_t at_;
};

inline JsonValue JsonDocument::root() const { return {*this, 0}; }

} // namespace mpf
