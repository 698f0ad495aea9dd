// A number means one state of a variable, or is refused, in every form in which people write it.
// Random labels and numbers are compared with readings that this file computes from the texts.
#include "dsl/formats/bif/bif_reader.h"
#include "dsl/formats/cases/csv_cases.h"
#include "dsl/formats/cases/npy_cases.h"
#include "dsl/formats/uai/uai_evidence.h"
#include "dsl/model/build/build_model.h"
#include "dsl/support/cases/state_label.h"
#include "tests/support/trials.h"
#include "tests/unit/dsl/formats/cases/read_cases.h"
#include "tests/unit/dsl/formats/npy_text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>

namespace mpf {
namespace {

using Labels = std::vector<std::string>;
using State = std::optional<uint32_t>;

/// Returns the shortest text with the value of the number: "-0", "01.50", "+2" and "2e0" become
/// "0", "1.5", "2" and "2".
std::string plainNumber(std::string text) {
  if (text.ends_with("e0"))
    text.resize(text.size() - 2);
  const bool isNegative = text.starts_with('-');
  if (isNegative || text.starts_with('+'))
    text.erase(0, 1);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
      text.pop_back();
  }
  text.erase(0, std::min(text.find_first_not_of('0'), text.size()));
  if (text.empty() || text.starts_with('.'))
    text.insert(0, "0");
  return (isNegative && text != "0" ? "-" : "") + text;
}

bool isNumber(const std::string &text) {
  return text.find_first_of("0123456789") != std::string::npos &&
         text.find_first_not_of("+-.0123456789") == std::string::npos;
}

bool isDigits(const std::string &text) {
  return text.find_first_not_of("0123456789") == std::string::npos;
}

/// The meaning of numbers for a variable with these labels.
class Readings {
public:
  explicit Readings(const Labels &labels) : labels_(labels) {
    arePlaces_ = true;
    bool areOwn = true;
    for (size_t i = 0; i < labels.size(); ++i) {
      areOwn &= labels[i] == std::to_string(i);
      arePlaces_ &= valueOf(i).empty();
    }
    const bool areTruths = valueOf(0) == "0" && !isNumber(labels[0]);
    arePlaces_ |= areOwn || areTruths;
  }

  bool arePlaces() const { return arePlaces_; }
  State place(const std::string &text) const {
    for (uint32_t i = 0; i < labels_.size(); ++i)
      if (plainNumber(text) == std::to_string(i))
        return i;
    return std::nullopt;
  }
  /// Returns the state whose label is the number. `isText`: the spelling of the number is known.
  State label(const std::string &text, bool isText) const {
    State only;
    for (uint32_t i = 0; i < labels_.size(); ++i) {
      if (isText && labels_[i] == text)
        return i;
      if (valueOf(i) == plainNumber(text))
        only = only ? UINT32_MAX : i;
    }
    return only == UINT32_MAX ? std::nullopt : only;
  }
  State state(const std::string &text, bool isText, NumberReading reading) const {
    const State byLabel = label(text, isText), byPlace = place(text);
    if (arePlaces_ || reading == NumberReading::Place)
      return byPlace;
    return reading == NumberReading::Label || byLabel == byPlace ? byLabel : std::nullopt;
  }
  /// Whether `holds` returns equal results for each label that is a number and for its place.
  bool agree(const std::function<bool(double)> &holds) const {
    for (size_t i = 0; i < labels_.size() && !arePlaces_; ++i)
      if (!valueOf(i).empty() && holds(value(i)) != holds(static_cast<double>(i)))
        return false;
    return true;
  }
  /// True if each label is the number of its place, or numbers are places.
  bool areAllEqual() const {
    for (size_t i = 0; i < labels_.size() && !arePlaces_; ++i)
      if (valueOf(i).empty() || value(i) != static_cast<double>(i))
        return false;
    return true;
  }

private:
  double value(size_t i) const { return std::strtod(valueOf(i).c_str(), nullptr); }
  /// Returns the number that a label means; empty: none.
  std::string valueOf(size_t i) const {
    if (isNumber(labels_[i]))
      return plainNumber(labels_[i]);
    const auto isPair = [&](const char *zero, const char *one) {
      return labels_.size() == 2 && ((labels_[0] == zero && labels_[1] == one) ||
                                     (labels_[0] == one && labels_[1] == zero));
    };
    if (isPair("no", "yes") || isPair("False", "True"))
      return labels_[i] == "yes" || labels_[i] == "True" ? "1" : "0";
    return {};
  }

  const Labels labels_;
  bool arePlaces_;
};

class Forms {
public:
  explicit Forms(Labels labels) : labels_(std::move(labels)), readings_(labels_) {
    std::string states;
    for (const std::string &label : labels_)
      states += (states.empty() ? "" : ", ") + label;
    Diagnostics diagnostics;
    const std::string text = fmt::format("network n {{ }} variable Y {{ type discrete [ {} ] {{ {} "
                                         "}}; }} probability ( Y ) {{ table 1{}; }}",
                                         labels_.size(), states, zeros());
    bif_ = *readBif(std::make_shared<const SourceBuffer>("m.bif", text), diagnostics);
    for (size_t i = 0; i < labels_.size(); ++i)
      domain_ += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", labels_[i]);
    domain_ = "var Y : { " + domain_ + " } ";
  }

  void check(const std::string &number) {
    inLists(number);
    if (number.starts_with('+')) // no sign of a number in the language
      return;
    inModel(number);
    inComparisons(number);
    inArithmetic(number);
  }

  void checkLabels() {
    for (uint32_t i = 0; i < labels_.size(); ++i) {
      EXPECT_EQ(observed("\"" + labels_[i] + "\""), State(i)) << domain_;
      EXPECT_EQ(observed("`" + labels_[i] + "`"), State(i)) << domain_;
      EXPECT_EQ(table("Y == \"" + labels_[i] + "\""), State(i)) << domain_;
      EXPECT_EQ(key("\"" + labels_[i] + "\""), State(i)) << domain_;
      const Variable &known = bif_.variables[0];
      EXPECT_EQ(stateCalled(known.labels, known.extent, labels_[i]), State(i));
      if (!isNumber(labels_[i])) {
        EXPECT_EQ(cell(labels_[i], NumberReading::Both), State(i)) << domain_;
      }
    }
    inNames();
  }

private:
  std::string zeros() const {
    std::string text;
    for (size_t i = 1; i < labels_.size(); ++i)
      text += ", 0";
    return text;
  }

  void inModel(const std::string &number) {
    const State spelled = readings_.state(number, true, NumberReading::Both),
                valued = readings_.state(number, false, NumberReading::Both);
    EXPECT_EQ(observed(number), spelled) << domain_ << number;
    EXPECT_EQ(key(number), spelled) << domain_ << number;
    // A variable whose numbers are places never equals a number that is no state.
    const bool isNever = readings_.arePlaces() && !spelled;
    EXPECT_EQ(table("Y == " + number), isNever ? State(UINT32_MAX) : spelled) << domain_ << number;
    EXPECT_EQ(table(number + " == Y"), isNever ? State(UINT32_MAX) : spelled) << domain_ << number;
    EXPECT_EQ(table("Y == p", "param p = " + number + " "), isNever ? State(UINT32_MAX) : valued)
        << domain_ << number;
    EXPECT_EQ(observed("p", "param p = " + number + " "), valued) << domain_ << number;
  }

  /// Expects that the table of a formula has `entry` of each state, or that the formula is refused
  /// unless `isClear`.
  void expectTable(const std::string &formula, bool isClear,
                   const std::function<double(double)> &entry) const {
    const std::optional<Model> model = built(domain_ + "factor f(Y) = " + formula);
    ASSERT_EQ(model.has_value(), isClear) << domain_ << formula;
    for (size_t i = 0; i < labels_.size() && isClear; ++i)
      EXPECT_EQ((*model->factors.front().values)[i], entry(static_cast<double>(i)))
          << domain_ << formula;
  }

  void inComparisons(const std::string &number) const {
    const double n = std::strtod(number.c_str(), nullptr);
    const auto expectOrder = [&](const std::string &formula, auto holds) {
      expectTable(formula, readings_.agree(holds), holds);
    };
    expectOrder("Y < " + number, [n](double y) { return y < n; });
    expectOrder("Y >= " + number, [n](double y) { return y >= n; });
    expectOrder(number + " < Y", [n](double y) { return n < y; });
    expectOrder(number + " >= Y", [n](double y) { return n >= y; });
    expectTable("state(Y) <= " + number, true, [n](double y) { return y <= n; });
    expectTable("state(Y) == " + number, true, [n](double y) { return y == n; });
  }

  /// A bare variable in arithmetic is refused unless its labels are the numbers of its states.
  void inArithmetic(const std::string &number) const {
    const double n = std::strtod(number.c_str(), nullptr);
    const auto expectBoth = [&](const std::string &before, const std::string &after, auto entry) {
      expectTable(before + "Y" + after, readings_.areAllEqual(), entry);
      expectTable(before + "state(Y)" + after, true, entry);
    };
    expectBoth("", " + 1 == " + number, [n](double y) { return y + 1 == n; });
    expectBoth(number + " - ", " * 2", [n](double y) { return n - y * 2; });
    expectBoth("min(", ", " + number + ")", [n](double y) { return std::min(y, n); });
    expectBoth("!", "", [](double y) { return y == 0; });
    expectBoth("", " ? 3 : 4", [](double y) { return y != 0 ? 3 : 4; });
    expectBoth("", " && " + number, [n](double y) { return y != 0 && n != 0; });
    expectBoth("abs(", ")", [](double y) { return y; });
    expectBoth("2^-", "", [](double y) { return std::exp2(-y); });
    expectBoth(number + " == 99 ? 1 : ", "", [](double y) { return y; });
  }

  /// A label that is also the name of a param is refused, except as a key of a map or in quotes.
  void inNames() const {
    for (uint32_t i = 0; i < labels_.size(); ++i) {
      const std::string &name = labels_[i];
      if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyzTrueFals") != std::string::npos)
        continue;
      const std::string params = "param " + name + " = 0 ";
      EXPECT_EQ(observed(name, params), std::nullopt) << domain_ << name;
      EXPECT_EQ(table("Y == " + name, params), std::nullopt) << domain_ << name;
      EXPECT_EQ(table(name + " != Y", params), std::nullopt) << domain_ << name;
      EXPECT_EQ(observed("\"" + name + "\"", params), State(i)) << domain_ << name;
      EXPECT_EQ(table("Y == \"" + name + "\"", params), State(i)) << domain_ << name;
      EXPECT_EQ(key(name, params), State(i)) << domain_ << name;
    }
  }

  void inLists(const std::string &number) {
    for (const NumberReading reading :
         {NumberReading::Both, NumberReading::Label, NumberReading::Place}) {
      const State spelled = readings_.state(number, true, reading),
                  valued = readings_.state(number, false, reading);
      const std::string what = fmt::format("{}{} {}", domain_, number, static_cast<int>(reading));
      EXPECT_EQ(cell(number, reading), spelled) << what;
      const double value = std::strtod(number.c_str(), nullptr);
      const bool hasNegative = std::ranges::any_of(labels_, [](const std::string &label) {
        return isNumber(label) && plainNumber(label).starts_with('-');
      });
      const State none(static_cast<uint32_t>(labels_.size()));
      const State expected = value < 0 && !hasNegative ? none : valued;
      EXPECT_EQ(entry<double>("<f8", value, reading), expected) << what;
      EXPECT_EQ(entry<float>("<f4", static_cast<float>(value), reading), expected) << what;
      EXPECT_EQ(entry<double>("<f8", std::nan(""), reading), none) << what;
      if (isDigits(number)) {
        EXPECT_EQ(evidence(number, reading), spelled) << what;
      }
      if (value != std::floor(value))
        continue;
      if (value < 128) {
        EXPECT_EQ(entry<int8_t>("|i1", static_cast<int8_t>(value), reading), expected) << what;
      }
      EXPECT_EQ(entry<int64_t>("<i8", static_cast<int64_t>(value), reading), expected) << what;
      if (value >= 0) {
        // The largest number of a type means "not observed" unless it is a label or a place.
        const bool isMeant = readings_.label(number, false) || readings_.place(number);
        const auto orNone = [&](double largest) {
          return value == largest && !isMeant ? none : expected;
        };
        EXPECT_EQ(entry<uint8_t>("|u1", static_cast<uint8_t>(value), reading), orNone(255)) << what;
        EXPECT_EQ(entry<uint16_t>("<u2", static_cast<uint16_t>(value), reading), expected) << what;
      }
    }
  }

  static std::optional<Model> built(const std::string &text) {
    Diagnostics diagnostics;
    return readMpf(std::make_shared<const SourceBuffer>("m.mpf", text), diagnostics, {});
  }
  State observed(const std::string &state, const std::string &params = "") const {
    const std::optional<Model> model = built(params + domain_ + "observe Y = " + state);
    return model ? model->evidence.state(VarId{0}) : std::nullopt;
  }
  /// Returns the state that has 1 in a table of zeros; UINT32_MAX: there is none.
  static State onlyOne(const std::optional<Model> &model) {
    if (!model)
      return std::nullopt;
    const std::vector<double> &values = *model->factors.front().values;
    const auto one = std::ranges::find(values, 1.0);
    EXPECT_LE(std::ranges::count(values, 1.0), 1);
    return one == values.end() ? UINT32_MAX : static_cast<uint32_t>(one - values.begin());
  }
  State table(const std::string &formula, const std::string &params = "") const {
    return onlyOne(built(params + domain_ + "factor f(Y) = " + formula));
  }
  State key(const std::string &text, const std::string &params = "") const {
    // A second variable, so that the default is used even if Y has one state.
    const State entry = onlyOne(built(params + domain_ + "var z : 2 factor f(Y, z) = { (" + text +
                                      ", 0): 1, default: 0 }"));
    return entry ? State(*entry / 2) : std::nullopt;
  }

  static State codeOf(CaseSource *cases) {
    if (cases == nullptr)
      return std::nullopt;
    const test::ReadCases read = test::readAll(*cases, 1, {OnBadRow::Stop, 1});
    EXPECT_EQ(read.error.empty(), read.codes.size() == 1) << read.error;
    return read.codes.size() == 1 ? State(read.codes[0][0]) : std::nullopt;
  }
  static ColumnChoice choiceOf(NumberReading reading) {
    ColumnChoice choice;
    choice.numbers = reading;
    return choice;
  }
  State cell(const std::string &text, NumberReading reading) const {
    Diagnostics diagnostics;
    const std::string list = "Y\n" + text + "\n";
    return codeOf(
        openCsvCases(InputStream("c.csv", list), bif_, diagnostics, choiceOf(reading)).get());
  }
  template <class Item>
  State entry(const std::string &type, Item item, NumberReading reading) const {
    std::string bytes(sizeof(item), '\0');
    std::memcpy(bytes.data(), &item, sizeof(item));
    const std::string file = test::npy(test::npyDict(type, "(1, 1)"), bytes);
    Diagnostics diagnostics;
    return codeOf(
        openNpyCases(InputStream("c.npy", file), bif_, diagnostics, choiceOf(reading)).get());
  }
  State evidence(const std::string &state, NumberReading reading) const {
    Model model = bif_;
    Diagnostics diagnostics;
    const auto text =
        std::make_shared<const SourceBuffer>("e.evid", fmt::format("1 0 {}\n", state));
    return readEvidence(text, model, diagnostics, reading) ? model.evidence.state(VarId{0})
                                                           : std::nullopt;
  }

  const Labels labels_;
  const Readings readings_;
  Model bif_;
  std::string domain_;
};

Labels randomLabels(std::mt19937 &random) {
  static const std::vector<Labels> kKinds = {{"1", "2"},
                                             {"0", "1", "2"},
                                             {"1", "0"},
                                             {"-1", "0", "1"},
                                             {"01", "1"},
                                             {"a", "1"},
                                             {"yes", "no"},
                                             {"True", "False"},
                                             {"1.0", "2", "0.5"},
                                             {"1", "255"},
                                             {"-1", "255", "0"},
                                             {"0", "0.0", "1", "x"},
                                             {"x", "y"},
                                             {"1"},
                                             {"2", "00", "01", "3"}};
  Labels labels = kKinds[random() % kKinds.size()];
  if (random() % 8 == 0) {
    labels.clear();
    for (int64_t label = static_cast<int64_t>(random() % 7) - 3; labels.size() < 1 + random() % 6;
         label += 1 + random() % 2)
      labels.push_back(std::to_string(label));
  }
  std::ranges::shuffle(labels, random);
  return labels;
}

TEST(StateNumberForms, EachSaysOneStateOrIsRefused) {
  static constexpr const char *kNumbers[] = {"0",   "1",  "2",   "3", "-1", "01",  "00",  "1.0",
                                             "0.5", "-2", "2.0", "7", "+1", "2e0", "255", "254"};
  std::mt19937 random(20261129);
  const char *const asked = std::getenv("MPF_TRIALS"); // 10000 were tried when this was written
  const int count = asked != nullptr ? std::atoi(asked) : trials(600);
  for (int trial = 0; trial < count && !testing::Test::HasFailure(); ++trial) {
    Forms forms(randomLabels(random));
    forms.checkLabels();
    for (int i = 0; i < 3; ++i)
      forms.check(kNumbers[random() % std::size(kNumbers)]);
  }
}

} // namespace
} // namespace mpf
