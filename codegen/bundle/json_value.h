// JSON that is read: an immutable tree whose values lie one after the other in memory.
//
// Not nlohmann::json, whose parser is used: its destructor allocates, which ends the process when
// there is no memory. Here nothing allocates but reading, and nothing recurses, however deep a
// hostile text nests. Threads may share a document.
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
  /// None where the text is not JSON: RFC 8259 in UTF-8, no number beyond those of f64. Takes at
  /// most 24 bytes for each value and name beside their texts, twice that while it grows.
  static std::optional<JsonDocument> parse(std::string_view text);

  JsonValue root() const; ///< as long as the document stays where it is

private:
  friend class JsonValue;
  class Builder;
  enum Kind : uint8_t { Null, Truth, Count, Negative, Real, Text, List, Object };
  /// Behind an object come its members, each a text and its value; behind a list its items.
  struct Node {
    Kind kind;
    uint64_t size; ///< bytes of a text; nodes of a list or object with all inside
    uint64_t bits; ///< the number; where the text begins in `texts_`
  };

  JsonDocument() = default;

  std::vector<Node> nodes_;
  std::string texts_;
};

/// A value in a document, which must outlive it. What is asked for of another kind is none.
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
