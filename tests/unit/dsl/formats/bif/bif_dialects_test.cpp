// Random networks, each written in plain form and in a random mixture of the forms that programs
// write in .bif files. Both texts give one model.
#include "dsl/formats/bif/bif_reader.h"
#include "tests/support/trials.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <random>

using namespace mpf;

namespace {

using Texts = std::vector<std::string>;

struct RandomVariable {
  std::string name;
  Texts labels;
  std::vector<size_t> parents;
  std::vector<std::vector<int>> rows; ///< sixteenths; the last parent is fastest
};

class Writer {
public:
  explicit Writer(unsigned seed) : random_(seed) { makeNetwork(); }

  std::string plain() const {
    std::string text = "network n { }\n";
    for (const RandomVariable &variable : variables_) {
      text += "variable " + quoted(variable.name) + " { type discrete [ " +
              std::to_string(variable.labels.size()) + " ] {";
      for (size_t i = 0; i < variable.labels.size(); ++i)
        text += (i == 0 ? " " : ", ") + quoted(variable.labels[i]);
      text += " }; }\n";
    }
    for (const RandomVariable &variable : variables_) {
      text += "probability ( " + quoted(variable.name);
      for (size_t i = 0; i < variable.parents.size(); ++i)
        text += (i == 0 ? " | " : ", ") + quoted(variables_[variable.parents[i]].name);
      text += " ) {";
      for (size_t row = 0; row < variable.rows.size(); ++row) {
        text += variable.parents.empty() ? " table" : " (";
        const Texts states = statesOf(variable, row);
        for (size_t i = 0; i < states.size(); ++i)
          text += (i == 0 ? "" : ", ") + quoted(states[i]);
        text += variable.parents.empty() ? "" : ")";
        for (size_t i = 0; i < variable.labels.size(); ++i)
          text += (i == 0 ? " " : ", ") + std::to_string(variable.rows[row][i] / 16.0);
        text += ";";
      }
      text += " }\n";
    }
    return text;
  }

  std::string dialect() {
    std::vector<Texts> blocks;
    for (const RandomVariable &variable : variables_) {
      blocks.push_back(variableBlock(variable));
      blocks.push_back(probabilityBlock(variable));
    }
    std::ranges::shuffle(blocks, random_);
    // Without a network block both models have the names of their files.
    if (chance(2))
      blocks.insert(blocks.begin() + below(blocks.size()), {"network", "n", "{", property(), "}"});
    std::string text;
    for (const Texts &block : blocks) {
      if (chance(3))
        text += "\nthe next variable of network n is: 1 (one), 2; probability follows\n";
      for (size_t i = 0; i < block.size(); ++i)
        text += block[i] + gap();
      text += chance(4) ? "; " : "";
    }
    return text;
  }

private:
  size_t below(size_t count) { return count == 0 ? 0 : random_() % count; }
  bool chance(unsigned oneIn) { return random_() % oneIn == 0; }

  static std::string quoted(const std::string &name) {
    std::string text;
    for (const char c : name)
      text += c == '"' ? std::string("\\\"") : std::string(1, c);
    return '"' + text + '"';
  }
  static bool isPlain(const std::string &name) { return name.find_first_of(" \"") == name.npos; }

  void makeNetwork() {
    const Texts kNames = {"a", "x_1", "street-wet", "a name", "say \"no\"", "variable", "p/q", "é"};
    const Texts kLabels = {"yes",      "no",        "<5", "6_0",    "very low", "quite very high",
                           "property", "it \"is\"", "1",  "default"};
    Texts names = kNames;
    std::ranges::shuffle(names, random_);
    names.resize(2 + below(4));
    for (const std::string &name : names) {
      RandomVariable variable{name, kLabels, {}, {}};
      std::ranges::shuffle(variable.labels, random_);
      variable.labels.resize(1 + below(4));
      size_t rows = 1;
      for (size_t i = 0; i < variables_.size(); ++i)
        if (variable.parents.size() < 3 && chance(2)) {
          variable.parents.push_back(i);
          rows *= variables_[i].labels.size();
        }
      for (size_t row = 0; row < rows; ++row) {
        std::vector<int> &entries = variable.rows.emplace_back(variable.labels.size(), 0);
        for (int left = 16; left > 0; --left)
          ++entries[below(entries.size())];
      }
      variables_.push_back(std::move(variable));
    }
  }

  Texts statesOf(const RandomVariable &variable, size_t row) const {
    Texts states(variable.parents.size());
    for (size_t i = states.size(); i-- > 0;) {
      const Texts &labels = variables_[variable.parents[i]].labels;
      states[i] = labels[row % labels.size()];
      row /= labels.size();
    }
    return states;
  }

  /// Returns a random separator of two words. It may touch the first one.
  std::string gap() {
    static const Texts kGaps = {" ",  " ",           "\n",        "\t ",       "/* { */ ",
                                "\n", "// \"it's\n", "/**/ /**/", " // ;\r\n", "  "};
    return kGaps[below(kGaps.size())];
  }

  std::string property() {
    static const Texts kProperties = {"property url = http://x.org/y ;", "property \"a ; } b\" ;",
                                      "property position = (1, 2);", "property weight } { 3;"};
    return kProperties[below(kProperties.size())];
  }

  std::string word(const std::string &name) {
    return isPlain(name) && !chance(3) ? name : quoted(name);
  }

  /// Adds a list of states. Names of several words need no quotes if commas separate the states.
  void addStates(const Texts &states, Texts &tokens) {
    const bool bare = chance(2);
    const bool commas = bare || chance(2);
    for (size_t i = 0; i < states.size(); ++i) {
      if (i != 0 && commas)
        tokens.push_back(",");
      const bool hasQuote = states[i].find('"') != std::string::npos;
      tokens.push_back(bare && !hasQuote && !chance(4) ? states[i] : word(states[i]));
    }
  }

  void addNumbers(const std::vector<int> &sixteenths, Texts &tokens) {
    const bool commas = chance(2);
    for (size_t i = 0; i < sixteenths.size(); ++i) {
      if (i != 0 && commas)
        tokens.push_back(",");
      tokens.push_back(
          fmt::format(fmt::runtime(chance(2) ? "{}" : "{:.6e}"), sixteenths[i] / 16.0));
    }
    tokens.push_back(";");
  }

  Texts variableBlock(const RandomVariable &variable) {
    Texts tokens = {"variable", word(variable.name), "{"};
    if (chance(3))
      tokens.push_back(property());
    for (const char *token : {"type", "discrete", "["})
      tokens.push_back(token);
    tokens.push_back(std::to_string(variable.labels.size()));
    tokens.push_back("]");
    tokens.push_back("{");
    addStates(variable.labels, tokens);
    for (const char *token : {"}", ";"})
      tokens.push_back(token);
    if (chance(3))
      tokens.push_back(property());
    tokens.push_back("}");
    return tokens;
  }

  Texts probabilityBlock(const RandomVariable &variable) {
    Texts tokens = {"probability", "(", word(variable.name)};
    if (!variable.parents.empty() && chance(2))
      tokens.push_back("|");
    const bool commas = tokens.back() == "|" && chance(2);
    for (size_t i = 0; i < variable.parents.size(); ++i) {
      if (i != 0 && commas)
        tokens.push_back(",");
      tokens.push_back(word(variables_[variable.parents[i]].name));
    }
    tokens.push_back(")");
    tokens.push_back("{");
    if (chance(3))
      tokens.push_back(property());
    if (variable.parents.empty() || chance(3)) {
      tokens.push_back("table");
      std::vector<int> childSlowest;
      for (size_t state = 0; state < variable.labels.size(); ++state)
        for (const std::vector<int> &row : variable.rows)
          childSlowest.push_back(row[state]);
      addNumbers(childSlowest, tokens);
    } else {
      addRows(variable, tokens);
    }
    tokens.push_back("}");
    return tokens;
  }

  void addRows(const RandomVariable &variable, Texts &tokens) {
    std::vector<size_t> order(variable.rows.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::ranges::shuffle(order, random_);
    const bool hasDefault = chance(2);
    const std::vector<int> &common = variable.rows[order.front()];
    if (hasDefault) {
      tokens.push_back("default");
      addNumbers(common, tokens);
    }
    for (const size_t row : order) {
      if (hasDefault && variable.rows[row] == common)
        continue;
      tokens.push_back("(");
      addStates(statesOf(variable, row), tokens);
      tokens.push_back(")");
      addNumbers(variable.rows[row], tokens);
    }
  }

  std::mt19937 random_;
  std::vector<RandomVariable> variables_;
};

std::string modelOf(const std::string &text) {
  Diagnostics diagnostics;
  auto model = readBif(std::make_shared<const SourceBuffer>("n.bif", text), diagnostics);
  EXPECT_TRUE(model) << renderDiagnostics(diagnostics) << text;
  if (!model)
    return "";
  std::vector<std::string> lines;
  for (const Variable &variable : model->variables)
    lines.push_back(fmt::format("{}: {}", variable.name, fmt::join(variable.labels, ", ")));
  for (const Factor &factor : model->factors) {
    std::string line = factor.name;
    for (const VarId id : factor.scope)
      line += " | " + model->variable(id).name;
    lines.push_back(fmt::format("{} = {}", line, fmt::join(*factor.values, ", ")));
  }
  std::ranges::sort(lines); // blocks may come in any order
  return fmt::format("{}", fmt::join(lines, "\n"));
}

} // namespace

TEST(BifDialects, AreOneModelWithThePlainText) {
  for (int seed = 0; seed < trials(300); ++seed) {
    Writer writer(static_cast<unsigned>(seed));
    const std::string plain = writer.plain(), dialect = writer.dialect();
    ASSERT_EQ(modelOf(dialect), modelOf(plain)) << seed << "\n" << dialect;
  }
}
