// Random .mpf texts derived from the grammar, with random blanks, line ends and comments between
// the tokens. The parser accepts every text. Equal seeds give equal texts.
#pragma once

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <random>
#include <string>
#include <string_view>

namespace mpf {

class RandomText {
public:
  explicit RandomText(unsigned seed) : random_(seed) {}

  std::string file() {
    if (chance(3))
      words({"model", name()});
    for (unsigned count = below(6) + 1; count > 0; --count)
      declaration();
    blanks();
    return std::move(text_);
  }

private:
  using List = std::initializer_list<std::string_view>;

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned oneIn) { return below(oneIn) == 0; }
  template <size_t N> std::string_view pick(const std::array<std::string_view, N> &from) {
    return from[below(N)];
  }

  void blanks() {
    static constexpr std::array<std::string_view, 8> kBlanks = {
        " ", "  ", "\n", "\n\n\n", "\t", " # note\n", "\n# own line  \n", "\n\n#\n\n# two\n"};
    text_ += chance(6) ? pick(kBlanks) : " ";
  }
  void word(std::string_view token) {
    static constexpr std::string_view kNeverMerge = "()[]{},";
    const bool mayTouch = text_.empty() ||
                          kNeverMerge.find(text_.back()) != std::string_view::npos ||
                          kNeverMerge.find(token.front()) != std::string_view::npos;
    if (!mayTouch || chance(2))
      blanks();
    text_ += token;
  }
  void words(List tokens) {
    for (const std::string_view token : tokens)
      word(token);
  }

  std::string_view name() {
    static constexpr std::array<std::string_view, 12> kNames = {"x",
                                                                "y2",
                                                                "s",
                                                                "θ",
                                                                "`0-4`",
                                                                "`order`",
                                                                "`sum`",
                                                                "file",
                                                                "cases",
                                                                "a_long_variable_name",
                                                                "`tick \\` and \\\\`",
                                                                "rain"};
    return pick(kNames);
  }
  std::string_view number() {
    static constexpr std::array<std::string_view, 10> kNumbers = {
        "0", "1", "12.50", ".5", "3.", "1e-300", "6.02e+23", "0.1000", "4294967296", "inf"};
    return pick(kNumbers);
  }

  template <class Item> void list(Item item, std::string_view separator = ",") {
    item();
    for (unsigned count = below(4); count > 0; --count) {
      word(separator);
      item();
    }
  }

  void expression(unsigned depth = 0) {
    static constexpr std::array<std::string_view, 13> kOperators = {
        "+", "-", "*", "/", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||"};
    static constexpr std::array<std::string_view, 7> kFunctions = {"exp", "log", "log2", "sqrt",
                                                                   "abs", "min", "max"};
    switch (depth > 4 ? below(2) : below(8)) {
    case 0:
      return word(number());
    case 1:
      return reference(depth + 1);
    case 2:
      words({chance(2) ? "-" : "!", "("});
      expression(depth + 1);
      return word(")");
    case 3:
      words({pick(kFunctions), "("});
      expression(depth + 1);
      return word(")");
    case 4:
      word("(");
      expression(depth + 1);
      word("?");
      expression(depth + 1);
      word(":");
      expression(depth + 1);
      return word(")");
    default: // parentheses, since comparisons do not chain
      word("(");
      expression(depth + 1);
      word(")");
      word(pick(kOperators));
      word(chance(3) ? "-" : "(");
      if (text_.back() == '-')
        return word(number());
      expression(depth + 1);
      word(")");
    }
  }

  void reference(unsigned depth = 3) {
    word(name());
    for (unsigned count = below(3); count > 0 && depth < 6; --count) {
      word("[");
      expression(depth + 2);
      word("]");
    }
  }

  void array(unsigned levels, unsigned width) {
    word("[");
    for (unsigned i = 0; i < width; ++i) {
      if (i > 0)
        word(",");
      if (levels > 1)
        array(levels - 1, width);
      else if (chance(8))
        expression(3);
      else
        signedNumber();
    }
    word("]");
  }
  void signedNumber() {
    if (chance(4))
      word("-");
    word(number());
  }

  void map(unsigned depth) {
    word("{");
    list([&] {
      if (chance(3)) {
        word("(");
        list([&] { word(chance(2) ? name() : std::string_view("1")); });
        word(")");
      } else {
        word(chance(2) ? name() : std::string_view("0"));
      }
      word(":");
      inlineValue(depth + 1);
    });
    if (chance(2)) {
      words({",", "default", ":"});
      inlineValue(depth + 1);
    }
    word("}");
  }
  void inlineValue(unsigned depth = 0) {
    if (chance(2))
      array(below(3) + 1, below(12) + 1);
    else if (depth < 3 && chance(2))
      map(depth);
    else
      expression();
  }
  void value() {
    if (chance(8))
      word("input");
    else if (chance(8))
      words({"file", "(", "\"a \\\"b\\\" .npy\"", ")"});
    else
      inlineValue();
  }

  void domain() {
    if (chance(2))
      return expression(3);
    word("{");
    list([&] { word(name()); });
    word("}");
  }
  void ranges() {
    list([&] {
      words({name(), "in"});
      expression(3);
      word("..");
      expression(3);
    });
  }

  void loop(unsigned depth) {
    word("for");
    ranges();
    if (chance(2)) {
      word(":");
      return underLoop(depth + 1);
    }
    if (chance(2))
      word(":");
    word("{");
    for (unsigned count = below(3); count > 0; --count)
      underLoop(depth + 1);
    word("}");
  }
  void underLoop(unsigned depth) {
    switch (depth > 3 ? below(4) : below(5)) {
    case 0:
      words({"factor", name(), "("});
      if (!chance(4))
        list([&] { reference(); });
      words({")", "="});
      return value();
    case 1:
      words({"prob", "P", "("});
      reference();
      if (chance(2)) {
        word("|");
        list([&] { reference(); });
      }
      words({")", "="});
      return value();
    case 2:
      word("observe");
      return list([&] {
        reference();
        const bool soft = chance(2);
        word(soft ? "~" : "=");
        soft ? inlineValue() : expression();
      });
    case 3:
      word("order");
      return list([&] { list([&] { reference(); }, ">"); });
    default:
      return loop(depth);
    }
  }

  void declaration() {
    switch (below(8)) {
    case 0:
      words({"domain", name(), "="});
      return domain();
    case 1:
      word("var");
      list([&] { reference(); });
      word(":");
      return domain();
    case 2:
      word("param");
      return list([&] {
        word(name());
        parameterValue();
      });
    case 3:
      return query();
    case 4:
      return words({chance(2) ? "include" : "import", "\"net.uai\""});
    case 5:
      return words({"observe", "cases", "file", "(", "\"cases.csv\"", ")"});
    default:
      return underLoop(0);
    }
  }
  void parameterValue() {
    if (chance(2)) {
      word("=");
      return expression();
    }
    word("in");
    if (chance(3)) {
      words({"linspace", "(", "0", ",", "1", ","});
      expression(3);
      return word(")");
    }
    if (chance(2)) {
      word("[");
      list([&] { expression(3); });
      return word("]");
    }
    expression(3);
    word("..");
    expression(3);
  }
  void query() {
    static constexpr std::array<std::string_view, 4> kShort = {"evidence", "marginals", "best",
                                                               "gradient"};
    static constexpr std::array<std::string_view, 6> kReductions = {"sum", "logsum", "max",
                                                                    "min", "any",    "count"};
    static constexpr std::array<std::string_view, 3> kProducts = {"*", "+", "and"};
    word("query");
    if (chance(4))
      return word(pick(kShort));
    if (chance(4)) {
      words({"P", "("});
      list([&] { reference(); });
      return word(")");
    }
    word(chance(3) ? std::string_view("`best`") : name());
    if (chance(2)) {
      word("(");
      list([&] { reference(); });
      word(")");
    }
    word("=");
    for (unsigned count = below(3); count > 0; --count) {
      words({pick(kReductions), "("});
      if (chance(2))
        list([&] { reference(); });
      word(")");
    }
    list([&] { reference(); }, pick(kProducts));
  }

  std::mt19937 random_;
  std::string text_;
};

} // namespace mpf
