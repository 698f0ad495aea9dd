// Tests every row of the table of formats with one network that exists in all of them
// (tests/formats/Inputs/weather.*). A new row needs a sample and no change here.
#include "dsl/formats/model_formats.h"

#include "dsl/formats/load_text.h"
#include "dsl/formats/read_model_file.h"
#include "dsl/formats/uai/uai_evidence.h"
#include "dsl/formats/uai/uai_writer.h"
#include "dsl/model/verify_model.h"
#include "dsl/support/error.h"
#include "dsl/support/files/file_input.h"
#include "dsl/support/split_mix.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace mpf;

namespace {

const std::string kSamples = MPF_SOURCE_DIR "/tests/formats/Inputs/weather";

std::string samplePath(const ModelFormat &format) {
  return kSamples + std::string(format.endings[0]);
}

Model readText(const std::string &name, std::string text) {
  Diagnostics diagnostics;
  auto model =
      readModelFile(std::make_shared<const SourceBuffer>(name, std::move(text)), diagnostics);
  EXPECT_TRUE(model && diagnostics.all().empty()) << name << "\n" << renderDiagnostics(diagnostics);
  return model.value_or(Model());
}

/// Returns a text with the contents that all formats have: extents, scopes, bits of tables. Some do
/// not know which tables are conditional: the first word is left out. Inputs are tables of ones.
std::string contents(Model model) {
  EXPECT_EQ(findModelFault(model), "");
  for (Factor &factor : model.factors)
    if (isInput(factor))
      factor.values =
          std::make_shared<const std::vector<double>>(scopeElems(model, factor.scope), 1);
  const std::string text = writeUai(model);
  return text.substr(text.find('\n'));
}

/// The contents of the samples that have any tables, or of the sample of one other format.
std::string sampleContents(const ModelFormat &format) {
  const std::string text = readFile((format.hasTables ? kSamples : samplePath(format)) + ".uai");
  return text.substr(text.find('\n'));
}

std::string failure(const std::function<void()> &call) {
  try {
    call();
  } catch (const Error &error) {
    return error.what();
  }
  return "nothing was thrown";
}

} // namespace

TEST(ModelFormats, EachReadsItsSample) {
  for (const ModelFormat &format : modelFormats()) {
    SCOPED_TRACE(format.name);
    const Model model = readText(samplePath(format), readFile(samplePath(format)));
    EXPECT_EQ(contents(model), sampleContents(format));
    EXPECT_EQ(model.queries.size(), 1u);
  }
}

TEST(ModelFormats, EachIsRecognisedByItsStartAndByNoOthers) {
  for (const ModelFormat &format : modelFormats()) {
    SCOPED_TRACE(format.name);
    const std::string text = readFile(samplePath(format));
    for (const ModelFormat &other : modelFormats()) {
      if (other.recognises == nullptr)
        continue;
      EXPECT_EQ(other.recognises(text), &other == &format) << other.name;
      EXPECT_FALSE(other.recognises("")) << other.name;
    }
    for (const std::string before : {"", "\xef\xbb\xbf", " \r\n\t\n"})
      EXPECT_EQ(modelFormatByStart(before + text),
                format.recognises == nullptr ? nullptr : &format);
    EXPECT_EQ(contents(readText(kStdinName, text)), sampleContents(format));
  }
  EXPECT_EQ(std::ranges::count(modelFormats(), nullptr, &ModelFormat::recognises), 1);
  EXPECT_EQ(defaultModelFormat().recognises, nullptr);
}

TEST(ModelFormats, AnEndingAndTheTextNameOneFormat) {
  std::set<std::string_view> first;
  for (const ModelFormat &format : modelFormats()) {
    EXPECT_TRUE(first.insert(format.endings[0]).second) << format.endings[0];
    const std::string text = readFile(samplePath(format));
    for (const std::string_view ending : format.endings) {
      if (ending.empty())
        continue;
      SCOPED_TRACE(ending);
      EXPECT_EQ(ending.front(), '.');
      const std::string path = "a/b" + std::string(ending);
      EXPECT_EQ(modelFormatOf(path, text), &format);
      for (const std::string_view packed : kCompressionEndings)
        EXPECT_EQ(modelFormatOf(path + std::string(packed), text), &format);
      EXPECT_EQ(modelFormatOf(path + ".doc", text), nullptr);
    }
  }
}

/// A text that no format recognises is read by the first format of its ending.
TEST(ModelFormats, TheFirstOfAnEndingReadsUnknownTexts) {
  for (const ModelFormat &format : modelFormats())
    for (const std::string_view ending : format.endings) {
      const std::string path = "m" + std::string(ending);
      if (!ending.empty()) {
        EXPECT_EQ(modelFormatOf(path, "\x01"), modelFormatsByEnding(path).front()) << ending;
      }
    }
  EXPECT_EQ(modelFormatsByEnding("m.doc").size(), 0u);
}

TEST(ModelFormats, EachIsImportedIntoASource) {
  for (const ModelFormat &format : modelFormats()) {
    SCOPED_TRACE(format.name);
    const std::string text =
        "import \"weather" + std::string(format.endings[0]) + "\"\nquery evidence";
    if (&format != &defaultModelFormat()) {
      EXPECT_EQ(contents(readText(kSamples + "-import.mpf", text)), sampleContents(format));
    }
  }
}

TEST(ModelFormats, WhatIsWrittenReadsBack) {
  Model model = readText(kSamples + ".mpf", readFile(kSamples + ".mpf"));
  model.evidence.add({{VarId(1), 2}});
  for (const ModelFormat &format : modelFormats()) {
    if (format.write == nullptr)
      continue;
    SCOPED_TRACE(format.name);
    EXPECT_EQ(format.writeEvidence == nullptr, format.evidenceEnding.empty());
    Model again = readText("again" + std::string(format.endings[0]), format.write(model).text);
    if (format.writeEvidence != nullptr) {
      Diagnostics diagnostics;
      ASSERT_TRUE(readEvidence(
          std::make_shared<const SourceBuffer>("again.evid", format.writeEvidence(model)), again,
          diagnostics))
          << renderDiagnostics(diagnostics);
    }
    EXPECT_EQ(contents(again), sampleContents(format));
    const std::string losses = fmt::format("{}", fmt::join(format.write(model).losses, "; "));
    EXPECT_EQ(losses.find("labels") == losses.npos,
              again.variables[0].labels == model.variables[0].labels)
        << losses;
    EXPECT_EQ(losses.find("evidence") == losses.npos, writeEvidence(again) == writeEvidence(model))
        << losses;
  }
}

namespace {

/// A network of six variables with one to four states, up to three parents, names and labels that
/// formats have to quote or change, and rows of multiples of 1/64.
Model drawNetwork(uint64_t seed) {
  uint64_t state = seed;
  const auto draw = [&state](uint64_t below) { return nextRandom(state) % below; };
  const std::vector<std::string> names = {"a", "b c", "d-e", "1f", "<g>", "h\u00e9"};
  Model model;
  model.name = "drawn";
  for (size_t i = 0; i < names.size(); ++i) {
    Variable variable{names[i], static_cast<uint32_t>(1 + draw(4)), {}};
    for (uint32_t label = 0; label < variable.extent && i % 3 != 0; ++label)
      variable.labels.push_back(fmt::format("{}{}", i == 1 ? "x &" : i == 2 ? "'" : "s", label));
    model.variables.push_back(std::move(variable));
    Factor factor;
    for (size_t parent = 0; parent < i; ++parent)
      if (factor.scope.size() < 3 && draw(2) == 0)
        factor.scope.emplace_back(parent);
    factor.scope.emplace_back(i);
    factor.name = factor.family = fmt::format("P({})", names[i]);
    factor.conditional = true;
    const uint32_t extent = model.variables[i].extent;
    std::vector<double> values(scopeElems(model, factor.scope), 0);
    for (size_t row = 0; row < values.size() / extent; ++row)
      for (int part = 0; part < 64; ++part)
        values[row * extent + draw(extent)] += 1.0 / 64;
    factor.values = std::make_shared<const std::vector<double>>(std::move(values));
    model.factors.push_back(std::move(factor));
  }
  model.queries.push_back(shortQuery(model, QueryKind::Marginals));
  return model;
}

} // namespace

/// Networks written in each format, and what that reads written in each other one: equal bits.
TEST(ModelFormats, NetworksGoThroughAllPairsOfThem) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Model drawn = drawNetwork(seed);
    const std::string expected = contents(drawn);
    for (const ModelFormat &first : modelFormats()) {
      if (first.write == nullptr)
        continue;
      SCOPED_TRACE(fmt::format("seed {} through {}", seed, first.name));
      const Model once = readText("once" + std::string(first.endings[0]), first.write(drawn).text);
      EXPECT_EQ(contents(once), expected);
      const bool hasTables = std::ranges::all_of(once.factors, &Factor::conditional);
      for (const ModelFormat &second : modelFormats()) {
        if (second.write == nullptr || (!hasTables && second.holds.starts_with("Bayesian")))
          continue;
        const Model twice =
            readText("twice" + std::string(second.endings[0]), second.write(once).text);
        EXPECT_EQ(contents(twice), expected) << second.name;
      }
    }
  }
}

/// Names and labels are kept, or the losses say that they changed.
TEST(ModelFormats, NamesAreKeptOrTheLossIsSaid) {
  const Model drawn = drawNetwork(3);
  for (const ModelFormat &format : modelFormats()) {
    if (format.write == nullptr)
      continue;
    SCOPED_TRACE(format.name);
    const Model again =
        readText("again" + std::string(format.endings[0]), format.write(drawn).text);
    const std::string losses = fmt::format("{}", fmt::join(format.write(drawn).losses, "; "));
    bool sameNames = true, sameLabels = true;
    for (size_t i = 0; i < drawn.variables.size(); ++i) {
      sameNames &= again.variables[i].name == drawn.variables[i].name;
      sameLabels &= again.variables[i].labels == drawn.variables[i].labels;
    }
    EXPECT_EQ(sameNames, losses.find("names") == losses.npos) << losses;
    EXPECT_EQ(sameLabels, losses.find("labels") == losses.npos) << losses;
  }
}

TEST(ModelFormats, ParamsAreForThoseThatHaveThem) {
  for (const ModelFormat &format : modelFormats()) {
    SCOPED_TRACE(format.name);
    Diagnostics diagnostics;
    const std::string message = failure([&] {
      readModelFile(loadText(samplePath(format)), diagnostics,
                    {.build = {.params = {{{"rate", {2}}}, {}}}});
    });
    EXPECT_EQ(message,
              format.hasParams
                  ? "nothing was thrown"
                  : "-D rate: only .mpf, .alist, .ped, .pre, .pedfile and .dat models have params; "
                    "mpfc import writes this one as .mpf, where a param can stand for a number");
  }
}

TEST(ModelFormats, AnUnknownEndingIsRefusedWithTheKnownOnes) {
  for (const ModelFormat &format : modelFormats()) {
    SCOPED_TRACE(format.name);
    Diagnostics diagnostics;
    const std::string text = readFile(samplePath(format));
    const std::string message = failure(
        [&] { readModelFile(std::make_shared<const SourceBuffer>("m.doc", text), diagnostics); });
    for (const ModelFormat &listed : modelFormats())
      EXPECT_NE(message.find(" " + std::string(listed.endings[0]) + ","), std::string::npos)
          << message;
    const std::string hint = "; it starts as a " + std::string(format.endings[0]) +
                             " file does: rename it, or give it as the standard input";
    EXPECT_EQ(message.ends_with(hint), format.recognises != nullptr) << message;
  }
}

/// "`.xml` `.bif`": the endings of a format in a page.
std::string endingsOf(const ModelFormat &format) {
  std::string text;
  for (const std::string_view ending : format.endings)
    if (!ending.empty())
      text += (text.empty() ? "`" : " `") + std::string(ending) + "`";
  return text;
}

/// The table of formats for readers has the text of each row of the table in the program.
TEST(ModelFormats, PageHasTheirTable) {
  std::string table = "| file | format | read | written | holds | loses | tried with files of |\n"
                      "|---|---|---|---|---|---|---|\n";
  for (const ModelFormat &format : modelFormats())
    table += "| " + endingsOf(format) + " | " + std::string(format.name) + " | yes | " +
             (format.write == nullptr ? "no" : "yes") + " | " + std::string(format.holds) + " | " +
             std::string(format.loses) + " | " + std::string(format.tried) + " |\n";
  const std::string page = readFile(MPF_SOURCE_DIR "/dsl/formats/FORMATS.md");
  EXPECT_NE(page.find("\n\n" + table + "\n"), page.npos) << "FORMATS.md lacks\n" << table;
}

/// The page for users names every ending.
TEST(ModelFormats, PageListsThem) {
  const std::string readme = readFile(MPF_SOURCE_DIR "/tools/mpfc/CONVENTIONS.md");
  const size_t start = readme.find("Model files are ");
  ASSERT_NE(start, std::string::npos);
  const std::string list = readme.substr(start, readme.find(';', start) - start);
  for (const ModelFormat &format : modelFormats())
    for (const std::string_view ending : format.endings)
      EXPECT_TRUE(ending.empty() || list.find("`" + std::string(ending) + "`") != list.npos)
          << ending << " is not in: " << list;
  for (const std::string_view packed : kCompressionEndings)
    EXPECT_NE(list.find("`" + std::string(packed) + "`"), list.npos) << packed;
}
