// Values, lists and objects to be written as JSON. Members keep the order of their insertion.
//
// This is not nlohmann::json, because that ends the process when memory runs out: its destructor
// allocates, and it reads a null pointer where an object could not be made.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace mpf {

/// A JSON value that owns its parts.
class JsonText {
public:
  using Member = std::pair<std::string, JsonText>;

  JsonText(std::nullptr_t = nullptr) {}
  JsonText(std::initializer_list<Member> members); ///< an object
  JsonText(const char *text) : JsonText(std::string_view(text)) {}
  JsonText(std::string_view text) : value_(std::make_unique<std::string>(text)) {}
  JsonText(const std::string &text) : JsonText(std::string_view(text)) {}
  template <class Number>
  requires std::is_arithmetic_v<Number> JsonText(Number number) : value_(widened(number)) {}
  template <class Item> JsonText(const std::vector<Item> &list) : JsonText(array()) {
    for (const Item &item : list)
      push_back(item);
  }
  JsonText(const JsonText &other);
  JsonText(JsonText &&) noexcept = default;
  JsonText &operator=(JsonText &&) noexcept = default;
  JsonText &operator=(const JsonText &other) { return *this = JsonText(other); }
  ~JsonText() = default;

  static JsonText array();
  static JsonText object();

  /// Returns the member of this name; a new member is null. A null value becomes an object first.
  /// Time: linear in the members.
  JsonText &operator[](std::string_view key);
  /// Adds a member to an object. The name must be new, which is not checked, so that objects of
  /// many members take constant time for each.
  void add(std::string_view key, JsonText member);
  void push_back(JsonText item);

  /// Returns the text with `indent` spaces for each level; below 0: one line. Bytes that are not
  /// UTF-8 become a replacement character. JSON has no infinite numbers: they become the texts
  /// "inf" and "-inf", which Python's float and std::stod read. NaN becomes null.
  std::string dump(int indent) const;

private:
  using List = std::vector<JsonText>;
  using Object = std::vector<Member>;
  // Pointers keep a value small, for lists of millions of numbers.
  using Value =
      std::variant<std::monostate, bool, int64_t, uint64_t, double, std::unique_ptr<std::string>,
                   std::unique_ptr<List>, std::unique_ptr<Object>>;

  template <class Number> static Value widened(Number number) {
    if constexpr (std::is_same_v<Number, bool>)
      return number;
    else if constexpr (std::is_floating_point_v<Number>)
      return static_cast<double>(number);
    else if constexpr (std::is_signed_v<Number>)
      return static_cast<int64_t>(number);
    else
      return static_cast<uint64_t>(number);
  }
  struct Writer;

  Value value_;
};

} // namespace mpf
