// Lists of indices and of observations, against the same model with each element written out.
#include "dsl/model/print/print_model.h"
#include "tests/support/trials.h"
#include "tests/unit/dsl/model/build_fixture.h"

#include <gtest/gtest.h>
#include <random>

using namespace mpf;
using test::build;
using test::Built;
using test::MemoryFiles;

namespace {

/// A list of elements of an array, and the elements themselves.
struct Named {
  std::string list;
  std::vector<std::string> elements;

  std::string text() const {
    std::string joined;
    for (const std::string &element : elements)
      joined += (joined.empty() ? "" : ", ") + element;
    return joined;
  }
};

class RandomModel {
public:
  explicit RandomModel(std::mt19937_64 &random) : random_(random) {
    for (uint64_t axis = 0, axes = 1 + below(3); axis < axes; ++axis)
      dims_.push_back(1 + below(3));
  }

  uint64_t below(uint64_t end) { return random_() % end; }

  std::string declaration() const {
    std::string text = "var x";
    for (const uint64_t dim : dims_)
      text += fmt::format("[{}]", dim);
    return text + " : { no, yes }\n";
  }

  Named named() {
    Named made{"x", {"x"}};
    for (const uint64_t dim : dims_) {
      const uint64_t first = below(dim), last = first + below(dim - first + 1);
      uint64_t begin = first, end = last;
      switch (below(5)) {
      case 0:
        made.list += fmt::format("[{}]", first);
        end = first + 1;
        break;
      case 1:
        made.list += fmt::format("[{}..{}]", first, last);
        break;
      case 2:
        made.list += fmt::format("[{}..]", first);
        end = dim;
        break;
      case 3:
        made.list += fmt::format("[..{} - 0]", last);
        begin = 0;
        break;
      default:
        made.list += "[..]";
        begin = 0;
        end = dim;
      }
      std::vector<std::string> longer;
      for (const std::string &element : made.elements)
        for (uint64_t i = begin; i < end; ++i)
          longer.push_back(fmt::format("{}[{}]", element, i));
      made.elements = std::move(longer);
    }
    return made;
  }

private:
  std::mt19937_64 &random_;
  std::vector<uint64_t> dims_;
};

/// The text of a model twice: with lists, and with their elements.
struct Texts {
  std::string lists, elements;
  MemoryFiles files;

  void addFactor(RandomModel &random, int number) {
    const Named named = random.named();
    if (named.elements.size() > 8)
      return;
    const std::string head = fmt::format("factor f{}(", number), value = ") = 1 + 0\n";
    lists += head + named.list + value;
    elements += head + named.text() + value;
  }

  void addObservation(RandomModel &random) {
    const Named named = random.named();
    const bool isFile = random.below(2) == 0;
    std::vector<double> &numbers = files.tables["dir/o.npy"].values;
    std::string states;
    for (const std::string &element : named.elements) {
      static constexpr const char *kWords[] = {"_", "-1", "no", "0", "yes", "1", "\"yes\""};
      const uint64_t word = random.below(std::size(kWords));
      states += (states.empty() ? "" : ", ") + std::string(kWords[word]);
      numbers.push_back(word < 2 ? -1 : word >= 4);
      if (word >= 2)
        elements += fmt::format("observe {} = {}\n", element, word >= 4 ? "yes" : "no");
    }
    files.tables["dir/o.npy"].shape = {numbers.size()};
    if (!named.elements.empty())
      lists += isFile ? fmt::format("observe {} = file(\"o.npy\")\n", named.list)
                      : fmt::format("observe {} = [{}]\n", named.list, states);
  }

  void addQuery(RandomModel &random) {
    const Named named = random.named();
    if (named.elements.empty())
      return;
    lists += "order " + named.list + "\nquery P(" + named.list + ")\n";
    std::string chain = named.text();
    for (size_t at = 0; (at = chain.find(", ", at)) != std::string::npos;)
      chain.replace(at, 2, " > ");
    elements += "order " + chain + "\nquery P(" + named.text() + ")\n";
  }
};

} // namespace

TEST(IndexLists, MeanTheirElements) {
  std::mt19937_64 random(48);
  for (int i = 0; i < trials(2000); ++i) {
    RandomModel model(random);
    Texts texts;
    texts.lists = texts.elements = model.declaration();
    for (int factor = 0; factor < 3; ++factor)
      texts.addFactor(model, factor);
    texts.addObservation(model);
    texts.addQuery(model);
    BuildOptions options;
    options.files = texts.files.access();
    const Built lists = build(texts.lists, options), elements = build(texts.elements, options);
    ASSERT_TRUE(lists.model && elements.model)
        << texts.lists << lists.messages << texts.elements << elements.messages;
    ASSERT_EQ(printModel(*lists.model), printModel(*elements.model)) << texts.lists;
  }
}
