// A name that is a label and something else, in each place of the grammar: it has one reading, or
// it is refused with both ways to write it. No expectation is written down: the readings are those
// of the same text with the label renamed, and of the same text with the other thing renamed.
#include "tests/unit/dsl/formats/name_places.h"

#include "dsl/formats/model_files.h"
#include "dsl/model/build/ask_model.h"
#include "dsl/model/build/build_model.h"
#include "dsl/model/print/print_model.h"
#include "dsl/support/files/file_input.h"
#include "tests/unit/temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace mpf {
namespace {

constexpr std::string_view kBase = R"(
domain d = { no, LABEL, yes }
var x, y, a[3], c : d
prob P(c) = [0.2, 0.3, 0.5]
param n = 1, w[3] = [3, 4, 5], ww[][] = [[1, 2, 0], [0, 1, 2], [1, 2, 2]]
param move[d] = [1, 2, 4], both[d][d] = ww, cube[1][1][2] = [[[1, 2]]]
factor base(x, y, a[..]) = 1
for i in 0..3: factor many(a[i]) = 1
def is(q : d) = q == no
def same(q : d, r) = q == r
)";

/// Something that is no label and has a name.
struct Thing {
  std::string_view word;        ///< in the advice to rename it; empty: it has no number here
  std::string_view declaration; ///< in front of the text
  std::string_view range;       ///< a loop over the text, or a fold over its expression
  std::string_view function;    ///< arguments of a function of its expression
  bool isBehindWhere = false, isInScope = false;
};

constexpr Thing kThings[] = {
    {"loop index", "", "for @ in 2..3: ", ""},
    {"loop index", "", "sum(@ in 2..3: ", ""},
    {"argument", "", "", "@"},
    {"argument", "", "", "@ : d"},
    {"name behind 'where'", "", "", "", true},
    {"param", "param @ = 2", "", ""},
    {"param", "param @ in [2, 1]", "", ""},
    {"param", "param @[] = [2, 0, 1]", "", ""},
    {"param", "param @[d] = [2, 2, 2]", "", ""},
    {"variable", "var @ : 3", "", "", false, true},
    {"variable", "var @ : d", "", "", false, true},
    {"", "var @ : 3", "", ""},
    {"", "var @ : d\nprob P(@) = [0.5, 0.25, 0.25]", "", ""},
    {"", "var @[3] : d", "", ""},
    {"", "domain @ = 3", "", ""},
    {"", "domain @ = { no, yes, maybe }", "", ""},
    {"", "domain @ = { @, other }", "", ""},
    {"", "var another : { @, other }", "", ""},
    {"", "def @(q) = q", "", ""},
    {"", "factor @(x) = 1", "", ""},
    {"", "query @ = sum() base", "", ""},
};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string inFunction(const std::string &expression) {
  return replaced(replaced(expression, "X", "q"), "Y", "r");
}

/// Puts a thing called "THING" around the place; empty: it cannot stand there.
std::string textWith(const Thing &thing, std::string text) {
  const bool isQuestion = text.starts_with('-'), hasExpression = text.find("<<") != text.npos;
  std::string front = replaced(std::string(thing.declaration), "@", "THING");
  std::string open, close;
  if (thing.range.starts_with("for")) {
    const size_t line = text.rfind('\n') + 1; // npos + 1 is 0
    if (isQuestion)
      return "";
    text.insert(line, replaced(std::string(thing.range), "@", "THING"));
  } else if (!thing.range.empty()) {
    open = replaced(std::string(thing.range), "@", "THING"), close = ")";
  }
  if (!thing.function.empty()) {
    const size_t begin = text.find("<<"), end = text.find(">>");
    if (begin == text.npos)
      return "";
    const bool isInFunction = text.starts_with("def"); // which has the argument q alone
    front += fmt::format("def hh({}, q : d, r : d) = {}",
                         replaced(std::string(thing.function), "@", "THING"),
                         inFunction(text.substr(begin + 2, end - begin - 2)));
    const bool isNumber = thing.function.find(':') == thing.function.npos;
    const std::string first = isInFunction ? "q" : "x", second = isInFunction ? "q" : "y";
    text.replace(begin, end + 2 - begin,
                 fmt::format("hh({}, {}, {})", isNumber ? "2" : second, first, second));
  }
  if ((!open.empty() && !hasExpression) || (thing.isInScope && text.find('%') == text.npos) ||
      (thing.isBehindWhere && text.find('^') == text.npos))
    return "";
  text = replaced(replaced(text, "<<", open), ">>", close);
  text = replaced(text, "^^", thing.isBehindWhere ? "THING = 2, " : "");
  if (text.ends_with('^')) // "2 ^ x" is no mark
    text = text.substr(0, text.size() - 1) + (thing.isBehindWhere ? "where THING = 2" : "");
  text = replaced(text, "%", thing.isInScope ? ", THING" : "");
  return front + "\n" + replaced(replaced(text, "X", "x"), "Y", "y");
}

struct Read {
  std::string model; ///< printed; empty: refused
  std::string messages;
};

class NamePlaces : public testing::Test {
protected:
  /// Reads a text of a place. `name`, `label`, `thing`: what these are called.
  Read read(const std::string &text, std::string_view name, std::string_view label,
            std::string_view thing) {
    std::string model = replaced(std::string(kBase), "LABEL", label);
    ModelQuestions questions;
    BuildOptions options;
    options.files = files_;
    std::set<std::string> written;
    std::istringstream lines(replaced(replaced(text, "@", name), "THING", thing));
    for (std::string line; std::getline(lines, line);) {
      const auto rest = [&](std::string_view word) { return line.substr(word.size() + 1); };
      const auto buffer = [&](std::string_view word) {
        return std::make_shared<const SourceBuffer>(std::string(word), rest(word));
      };
      if (line.starts_with("--observe"))
        questions.observe.push_back(buffer("--observe"));
      else if (line.starts_with("--unobserve"))
        questions.unobserve.push_back(buffer("--unobserve"));
      else if (line.starts_with("--query"))
        questions.queries.push_back(buffer("--query"));
      else if (line.starts_with("-D"))
        options.params.values.emplace(line.substr(3, line.find(' ', 3) - 3), buffer("-D"));
      else if (line.starts_with("model"))
        model.insert(0, line + "\n");
      else if (line.starts_with("FILE"))
        addLine(line.substr(5, line.find(':') - 5), line.substr(line.find(':') + 2), written);
      else
        model += line + "\n";
    }
    Diagnostics diagnostics;
    auto built = readMpf(std::make_shared<const SourceBuffer>(folder_.path() + "/m.mpf", model),
                         diagnostics, options);
    const bool isSound = built && askModel(*built, questions, files_, diagnostics);
    // One reading is compared with another one in which the label, or the thing, has another name.
    return {isSound ? replaced(printModel(*built), "upsilon", "tau") : "",
            replaced(renderDiagnostics(diagnostics), "upsilon", "tau")};
  }

private:
  void addLine(const std::string &name, const std::string &line, std::set<std::string> &written) {
    const bool isFirst = written.insert(name).second;
    std::ofstream file(folder_.path() + "/" + name, isFirst ? std::ios::trunc : std::ios::app);
    file << line << '\n';
  }

  TemporaryFolder folder_;
  ModelFiles files_ = filesOnDisk();
};

/// Returns "RULE SYMBOL" for each name and expression of the grammar.
std::set<std::string> placesOfGrammar() {
  const std::string page = readFile(MPF_SOURCE_DIR "/dsl/LANGUAGE.md");
  const size_t begin = page.find("```ebnf\n") + 8;
  std::istringstream lines(page.substr(begin, page.find("```", begin) - begin));
  const std::set<std::string> symbols = {"name", "label", "key", "expression"};
  std::set<std::string> places;
  std::string rule, word;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    if (!line.starts_with(' ')) {
      words >> rule >> word; // "="
      if (rule == "name")    // how names and numbers are spelled
        break;
    }
    while (words >> word)
      if (symbols.contains(word))
        places.insert(rule + " " + word);
  }
  return places;
}

TEST_F(NamePlaces, HaveOneReadingOrAreRefusedWithBothWaysToWrite) {
  std::set<ptrdiff_t> refusedThings;
  std::set<std::string_view> refusedPlaces;
  for (const NamePlace &place : kNamePlaces) {
    bool isPlace = false; // a text with one of the things is taken
    for (const Thing &thing : kThings) {
      const std::string text = textWith(thing, std::string(place.text));
      if (text.empty())
        continue;
      const Read both = read(text, "tau", "tau", "tau"),
                 label = read(text, "tau", "tau", "upsilon"),
                 other = read(text, "tau", "upsilon", "tau");
      isPlace |= !label.model.empty() || !other.model.empty();
      const std::string shown =
          fmt::format("{}\n--- it says:\n{}--- the label:\n{}--- the other:\n{}", text,
                      both.messages, label.messages, other.messages);
      const size_t advice = both.messages.find("write \"tau\" for the label, or rename the ");
      if (advice != std::string::npos) {
        EXPECT_TRUE(both.model.empty()) << shown;
        EXPECT_EQ(both.messages.find(thing.word, advice), advice + 41) << shown;
        const Read string = read(text, "\"tau\"", "tau", "tau");
        EXPECT_NE(string.model, "") << shown << string.messages;
        EXPECT_EQ(replaced(string.model, "\\\"", ""), label.model) << shown; // names of queries
        refusedThings.insert(&thing - kThings);
        refusedPlaces.insert(place.place);
      } else if (!label.model.empty() && !other.model.empty()) {
        EXPECT_EQ(label.model, other.model) << "two readings:\n" << shown;
        EXPECT_EQ(both.model, label.model) << shown;
      } else if (both.model.empty()) { // refused as it is where the label has another name
        EXPECT_EQ(other.model, "") << shown;
        EXPECT_TRUE(label.model.empty() || both.messages == other.messages) << shown;
      } else {
        EXPECT_EQ(both.model, label.model.empty() ? other.model : label.model) << shown;
      }
    }
    EXPECT_TRUE(isPlace) << place.text;
  }
  // Each thing that has a number is refused somewhere, and so is a name in each place of states.
  for (const Thing &thing : kThings)
    EXPECT_EQ(refusedThings.contains(&thing - kThings), !thing.word.empty()) << thing.declaration;
  const std::set<std::string_view> placesOfStates = {"--observe",
                                                     "--query",
                                                     "-D",
                                                     "binding expression",
                                                     "call expression",
                                                     "comparison",
                                                     "condition",
                                                     "def expression",
                                                     "element expression",
                                                     "expression expression",
                                                     "fold expression",
                                                     "indices expression",
                                                     "inlineValue expression",
                                                     "key name",
                                                     "observation expression",
                                                     "primary expression",
                                                     "range expression"};
  EXPECT_EQ(refusedPlaces, placesOfStates);
}

TEST_F(NamePlaces, AreAllThatTheGrammarHas) {
  std::set<std::string> tried;
  for (const NamePlace &place : kNamePlaces)
    if (place.place.find(' ') != std::string_view::npos)
      tried.emplace(place.place);
  EXPECT_EQ(tried, placesOfGrammar());
}

} // namespace
} // namespace mpf
