#include "dsl/support/json_text.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace mpf {

JsonText::JsonText(std::initializer_list<Member> members)
    : value_(std::make_unique<Object>(members)) {}

JsonText::JsonText(const JsonText &other)
    : value_(std::visit(
          [](const auto &value) -> Value {
            if constexpr (requires { *value; })
              return std::make_unique<std::decay_t<decltype(*value)>>(*value);
            else
              return value;
          },
          other.value_)) {}

JsonText JsonText::array() {
  JsonText list;
  list.value_ = std::make_unique<List>();
  return list;
}

JsonText JsonText::object() {
  JsonText object;
  object.value_ = std::make_unique<Object>();
  return object;
}

JsonText &JsonText::operator[](std::string_view key) {
  if (std::holds_alternative<std::monostate>(value_))
    value_ = std::make_unique<Object>();
  Object &members = *std::get<std::unique_ptr<Object>>(value_);
  for (Member &member : members)
    if (member.first == key)
      return member.second;
  return members.emplace_back(key, nullptr).second;
}

void JsonText::add(std::string_view key, JsonText member) {
  std::get<std::unique_ptr<Object>>(value_)->emplace_back(key, std::move(member));
}

void JsonText::push_back(JsonText item) {
  std::get<std::unique_ptr<List>>(value_)->push_back(std::move(item));
}

struct JsonText::Writer {
  std::string text;
  int indent;
  size_t level = 0;

  void operator()(std::monostate) { text += "null"; }
  void operator()(bool value) { text += value ? "true" : "false"; }
  void operator()(int64_t value) { fmt::format_to(std::back_inserter(text), "{}", value); }
  void operator()(uint64_t value) { fmt::format_to(std::back_inserter(text), "{}", value); }
  void operator()(double value) {
    std::array<char, 64> digits;
    if (std::isfinite(value))
      text.append(digits.data(),
                  nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), value));
    else
      text += std::isnan(value) ? "null" : value < 0 ? "\"-inf\"" : "\"inf\"";
  }
  void operator()(const std::unique_ptr<std::string> &value) { write(*value); }
  void operator()(const std::unique_ptr<List> &list) {
    write(*list, "[]", [this](const JsonText &item) { std::visit(*this, item.value_); });
  }
  void operator()(const std::unique_ptr<Object> &object) {
    write(*object, "{}", [this](const Member &member) {
      write(member.first);
      text += indent < 0 ? ":" : ": ";
      std::visit(*this, member.second.value_);
    });
  }

  /// Uses nlohmann::json for one text only, which is safe when memory runs out.
  void write(const std::string &value) {
    text += nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  void newLine() {
    if (indent >= 0)
      text.append(1, '\n').append(level * static_cast<size_t>(indent), ' ');
  }

  template <class Items, class Write>
  void write(const Items &items, std::string_view brackets, Write writeItem) {
    text += brackets[0];
    ++level;
    for (size_t i = 0; i < items.size(); ++i) {
      if (i != 0)
        text += ',';
      newLine();
      writeItem(items[i]);
    }
    --level;
    if (!items.empty())
      newLine();
    text += brackets[1];
  }
};

std::string JsonText::dump(int indent) const {
  Writer writer{{}, indent};
  std::visit(writer, value_);
  return std::move(writer.text);
}

} // namespace mpf
