// The fixture of tests with published networks: `reference.json` and the files beside it. Their
// folder is MPF_DATA_DIR in the environment, which CTest sets from the cache variable of that name.
// Tests are skipped without it.
#pragma once

#include "dsl/formats/uai/uai_evidence.h"
#include "dsl/formats/uai/uai_reader.h"
#include "dsl/support/files/file_input.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpf {

class ReferenceData : public ::testing::Test {
protected:
  void SetUp() override {
    const char *folder = std::getenv("MPF_DATA_DIR");
    if (folder == nullptr || !std::filesystem::exists(std::string(folder) + "/reference.json"))
      GTEST_SKIP() << "no reference data (MPF_DATA_DIR)";
    folder_ = folder;
    instances_ = nlohmann::json::parse(readFile(folder_ / "reference.json")).at("instances");
  }

  static std::shared_ptr<const SourceBuffer> source(const std::string &name, std::string text) {
    return std::make_shared<const SourceBuffer>(name, std::move(text));
  }
  std::shared_ptr<const SourceBuffer> load(const std::string &name) const {
    return source(name, readFile(folder_ / name));
  }
  static Model model(std::shared_ptr<const SourceBuffer> text) {
    Diagnostics diagnostics;
    auto read = readUai(std::move(text), diagnostics);
    EXPECT_TRUE(read) << renderDiagnostics(diagnostics);
    return read.value_or(Model());
  }
  Model modelWithEvidence(const nlohmann::json &instance) const {
    Model read = model(load(instance.at("model")));
    if (instance.value("evidence", nlohmann::json()).is_string()) {
      Diagnostics diagnostics;
      EXPECT_TRUE(readEvidence(load(instance["evidence"]), read, diagnostics))
          << renderDiagnostics(diagnostics);
    }
    return read;
  }

  std::filesystem::path folder_;
  nlohmann::json instances_;
};

} // namespace mpf
