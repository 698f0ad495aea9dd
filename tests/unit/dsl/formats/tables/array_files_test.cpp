#include "dsl/formats/tables/array_files.h"

#include "dsl/formats/tables/npy_file.h"
#include "dsl/support/files/file_output.h"
#include "tests/unit/temporary_folder.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

using namespace mpf;

namespace {

using Shape = std::vector<uint64_t>;
using Values = std::vector<double>;

/// Files in a folder, and what their arrays are read as.
class ArrayFolder {
public:
  std::string write(const std::string &name, const std::string &contents) {
    const std::string path = std::filesystem::path(folder_.path()) / name;
    writeFile(path, contents);
    return path;
  }

  /// Reads an array; nothing and messages() if it is refused.
  std::shared_ptr<const ArrayFile> read(ArrayRequest request) {
    Diagnostics diagnostics;
    request.maxEntries = request.maxEntries == 0 ? 1000 : request.maxEntries;
    const auto model = std::make_shared<const SourceBuffer>("m.mpf", "factor h = file(...)");
    auto array = files_->numbers(request, diagnostics, {model, {11, 15}});
    messages_ = renderDiagnostics(diagnostics);
    EXPECT_EQ(array == nullptr, diagnostics.hasErrors()) << messages_;
    return array;
  }
  std::vector<std::string> words(const std::string &path, const std::string &name = "") {
    Diagnostics diagnostics;
    const auto read = files_->words({.path = path, .member = "", .name = name, .maxEntries = 100},
                                    diagnostics, {});
    messages_ = renderDiagnostics(diagnostics);
    std::vector<std::string> words;
    for (const FileWord &word : read ? read->words : std::vector<FileWord>())
      words.push_back((word.isLabel ? "\"" : "") + word.text);
    return words;
  }
  const std::string &messages() const { return messages_; }
  bool says(const std::string &part) const { return messages_.find(part) != std::string::npos; }

private:
  TemporaryFolder folder_;
  std::unique_ptr<ArraySource> files_ = openArrayFiles();
  std::string messages_;
};

} // namespace

TEST(ArrayFiles, TheEndingChoosesTheFormat) {
  ArrayFolder folder;
  const std::string npy = folder.write("h.NPY", formatNpy({2}, Values{1, 2}));
  const std::string csv = folder.write("h.csv", "1,2\n3,4\n");
  EXPECT_EQ(folder.read({.path = npy, .member = ""})->shape, Shape{2});
  EXPECT_EQ(folder.read({.path = csv, .member = ""})->shape, (Shape{2, 2}));
  EXPECT_FALSE(folder.read({.path = npy, .member = "a"}));
  EXPECT_TRUE(folder.says("h.NPY has one array without a name, and none called 'a'"));
  EXPECT_FALSE(folder.read({.path = csv, .member = "", .maxEntries = 3}));
  EXPECT_TRUE(folder.says("h.csv has 4 numbers, at most 3 are wanted here")) << folder.messages();
  EXPECT_FALSE(folder.read({.path = folder.write("h.dat", "1 2,\n"), .member = ""}));
  EXPECT_TRUE(folder.says("h.dat:1:3: error: expected a number, found '2,'"));
  EXPECT_TRUE(folder.says("m.mpf:1:12: note: the file is read here"));
}

TEST(ArrayFiles, ATextIsAListIfTheDeclarationWantsOne) {
  ArrayFolder folder;
  const std::string row = folder.write("row.txt", "1 2 3\n"),
                    ragged = folder.write("r.txt", "1\n2 3\n");
  EXPECT_EQ(folder.read({.path = row, .member = ""})->shape, Shape{3});
  EXPECT_EQ(folder.read({.path = row, .member = "", .axes = 1})->shape, Shape{3});
  EXPECT_EQ(folder.read({.path = row, .member = "", .axes = 2})->shape, (Shape{1, 3}));
  EXPECT_EQ(folder.read({.path = folder.write("n", "7"), .member = "", .axes = 0})->shape, Shape());
  EXPECT_EQ(folder.read({.path = ragged, .member = ""})->shape, Shape{3});
  const auto array = folder.read({.path = ragged, .member = "", .axes = 2});
  EXPECT_TRUE(array->isRagged);
  EXPECT_EQ(array->rowEnds, (Shape{1, 3}));
}

TEST(ArrayFiles, ColumnsByHeader) {
  ArrayFolder folder;
  const std::string csv =
      folder.write("f.csv", "father, \"the \"\"ill\"\"\",n\n-1,,1\n0,2,\"3\"\n");
  const auto father = folder.read({.path = csv, .member = "", .name = "father"});
  ASSERT_TRUE(father) << folder.messages();
  EXPECT_EQ(*father->values, (Values{-1, 0}));
  EXPECT_EQ(*folder.read({.path = csv, .member = "n", .name = "father"})->values, (Values{1, 3}));
  EXPECT_FALSE(folder.read({.path = csv, .member = "the \"ill\""}));
  EXPECT_TRUE(folder.says("f.csv:2:4: error: this cell is empty, a number is needed"));
  const auto ill = folder.read({.path = csv, .member = "the \"ill\"", .mayMiss = true});
  EXPECT_TRUE(std::isnan(ill->values->front()));
  EXPECT_FALSE(folder.read({.path = csv, .member = "", .name = "mother"}));
  EXPECT_TRUE(folder.says("f.csv has the columns father, the \"ill\", n, none is called 'mother'"))
      << folder.messages();
  EXPECT_TRUE(folder.says("hint: write file(\"...\", \"father\")")) << folder.messages();
}

TEST(ArrayFiles, AHeaderOfLabelsMayHaveAnyOrder) {
  ArrayFolder folder;
  const std::string csv = folder.write("w.csv", "verb,noun\n1,2\n3,4\n");
  const std::vector<std::string> labels = {"noun", "verb"};
  const auto array =
      folder.read({.path = csv, .member = "", .name = "W", .axes = 2, .labels = labels});
  ASSERT_TRUE(array) << folder.messages();
  EXPECT_EQ(array->shape, (Shape{2, 2}));
  EXPECT_EQ(*array->values, (Values{2, 1, 4, 3}));
  EXPECT_EQ(*folder.read({.path = csv, .member = "verb", .labels = labels})->values,
            (Values{1, 3}));
}

TEST(ArrayFiles, Json) {
  ArrayFolder folder;
  const std::string json = folder.write(
      "d.json", R"({"A": [[1, 2], [3, 4.5]], "n": 7, "r": [[], [1], [2, 3]], "o": {"x": [1, "a"]},
 "w": ["yes", null, 1, true], "far": [1e-400, 2]})");
  EXPECT_EQ(folder.read({.path = json, .member = "A"})->shape, (Shape{2, 2}));
  EXPECT_EQ(*folder.read({.path = json, .member = "A"})->values, (Values{1, 2, 3, 4.5}));
  EXPECT_EQ(folder.read({.path = json, .member = "", .name = "n"})->shape, Shape());
  const auto ragged = folder.read({.path = json, .member = "r", .axes = 2});
  EXPECT_EQ(ragged->rowEnds, (Shape{0, 1, 3}));
  EXPECT_EQ(folder.read({.path = json, .member = "far"})->far.size(), 1u);
  EXPECT_FALSE(folder.read({.path = json, .member = "far", .onlyDoubles = true}));
  EXPECT_TRUE(folder.says("no double holds 1e-400")) << folder.messages();
  EXPECT_FALSE(folder.read({.path = json, .member = "w"}));
  EXPECT_TRUE(folder.says("strings stand here, numbers are needed")) << folder.messages();
  EXPECT_EQ(folder.words(json, "w"), (std::vector<std::string>{"\"yes", "", "1", "true"}));
  EXPECT_FALSE(folder.read({.path = json, .member = "o"}));
  EXPECT_TRUE(folder.says("d.json has the arrays A, n, r, w, far, none is called 'o'"))
      << folder.messages();
  EXPECT_EQ(*folder.read({.path = folder.write("a.json", "[1, 2]"), .member = ""})->values,
            (Values{1, 2}));
}

TEST(ArrayFiles, JsonThatIsRefused) {
  struct Case {
    const char *text, *message;
  };
  ArrayFolder folder;
  for (const Case &c : {
           Case{R"({"a": 1, "a": 2})", "bad0.json:1:10: error: a second member is called 'a'"},
           Case{R"([1, [2]])", "an array stands where the elements before it are numbers"},
           Case{R"([[1], 2])", "this stands 1 levels deep, the elements before it 2"},
           Case{R"([[[1], [2]], [[3]]])", "this array has 1 rows, those before it have 2"},
           Case{R"([1, NaN])", "bad4.json:1:5: error: this is no JSON"},
           Case{R"([1, 1e999])", "this number is greater than all doubles"},
           Case{R"([1, {"b": 2}])", "an object stands in an array, numbers are needed"},
           Case{R"([1, 2)", "this is no JSON"},
           Case{"[1]\x01", "is no text in UTF-8"},
       }) {
    static int number = 0;
    const std::string path = folder.write(fmt::format("bad{}.json", number++), c.text);
    EXPECT_FALSE(folder.read({.path = path, .member = ""})) << c.text;
    EXPECT_TRUE(folder.says(c.message)) << folder.messages();
  }
}

TEST(ArrayFiles, Alist) {
  ArrayFolder folder;
  const std::string code =
      folder.write("c.alist", "3 2\n2 2\n1 2 1\n2 2\n1 0\n1 2\n2 0\n1 2\n2 3\n");
  EXPECT_EQ(folder.read({.path = code, .member = "", .name = "n"})->values->front(), 3);
  EXPECT_EQ(folder.read({.path = code, .member = "m"})->values->front(), 2);
  const auto checks = folder.read({.path = code, .member = "checks", .axes = 2});
  ASSERT_TRUE(checks) << folder.messages();
  EXPECT_EQ(checks->rowEnds, (Shape{2, 4}));
  EXPECT_EQ(*checks->values, (Values{0, 1, 1, 2}));
  EXPECT_EQ(folder.read({.path = code, .member = "bits"})->values->size(), 4u);
  struct Case {
    const char *text, *message;
  };
  for (const Case &c : {
           Case{"", "an alist file begins with the numbers of bits and checks"},
           Case{"3 2\n2 2\n1 2 1\n2 2\n1 0\n1 2\n2 0\n1 2\n1 3\n", "are of different codes"},
           Case{"3 2\n2 2\n1 2 1\n2 2\n1 0\n1 3\n2 0\n1 2\n2 3\n", "check 3 is outside 1..2"},
           Case{"3 2\n2 2\n1 2 1\n2 2\n1 0\n1 0\n2 0\n1 2\n2 3\n",
                "the list of bit 2 has 1 numbers, its weight is 2"},
           Case{"3 2\n2 2\n1 2 1\n2 2\n1 0\n1 2\n2 0\n1 2\n",
                "the file ends before the list of check 2"},
           Case{"3 2\n2 2\n1 2 1\n2 2\n1 0\n1 2\n2 0\n1 2\n2 3\n1\n", "behind the last check"},
           Case{"3 2\n2 x\n", "found 'x'"},
       }) {
    static int number = 0;
    const std::string path = folder.write(fmt::format("b{}.alist", number++), c.text);
    EXPECT_FALSE(folder.read({.path = path, .member = "n"}));
    EXPECT_TRUE(folder.says(c.message)) << folder.messages();
  }
}

TEST(ArrayFiles, WordsOfTexts) {
  ArrayFolder folder;
  EXPECT_EQ(folder.words(folder.write("o.txt", "0 _ yes # end\n2")),
            (std::vector<std::string>{"0", "_", "yes", "2"}));
  EXPECT_EQ(folder.words(folder.write("o.csv", "a,y\n1,no\n2,\n3,\"a,b\"\n"), "y"),
            (std::vector<std::string>{"no", "", "a,b"}));
  EXPECT_EQ(folder.words(folder.write("o.npy", formatNpy({3}, Values{1, -1, NAN}))),
            (std::vector<std::string>{"1", "-1", ""}));
}

TEST(ArrayFiles, FilesOfOtherKinds) {
  ArrayFolder folder;
  EXPECT_FALSE(
      folder.read({.path = folder.write("b.txt", std::string("\x89PNG\x1a\0", 6)), .member = ""}));
  EXPECT_TRUE(folder.says("b.txt: is no text in UTF-8")) << folder.messages();
  EXPECT_FALSE(
      folder.read({.path = folder.write("n.txt", formatNpy({}, Values{1})), .member = ""}));
  EXPECT_TRUE(folder.says("n.txt: is an array of NumPy")) << folder.messages();
  EXPECT_FALSE(folder.read({.path = folder.write("z.npz", "PK"), .member = "a"}));
  EXPECT_TRUE(folder.says("z.npz: is no ZIP archive")) << folder.messages();
  EXPECT_FALSE(folder.read({.path = "none.csv", .member = ""}));
  EXPECT_TRUE(folder.says("m.mpf:1:12: error: none.csv: cannot be opened")) << folder.messages();
}
