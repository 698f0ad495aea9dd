#include "tools/mpf-bench/networks/instance_list.h"

#include "dsl/formats/read_model_file.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>

namespace mpf::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEvidenceEnding = ".evid";

/// Endings in order of preference, for files that hold the same network.
constexpr std::array<std::string_view, 3> kEndings = {".uai", ".bif", ".mpf"};

struct ModelFile {
  fs::path path;
  size_t rank = 0; ///< rank of its ending in kEndings
};

constexpr std::array<std::string_view, 3> kPacked = {".gz", ".xz", ".zst"};

/// Returns the path without the ending of a model, and without that of a compression after it;
/// empty if the path is no model.
std::string stemOf(std::string text, size_t &rank) {
  for (const std::string_view ending : kPacked)
    if (text.ends_with(ending)) {
      text.resize(text.size() - ending.size());
      break;
    }
  for (rank = 0; rank < kEndings.size(); ++rank)
    if (text.ends_with(kEndings[rank]))
      return text.substr(0, text.size() - kEndings[rank].size());
  return {};
}

class InstanceFinder {
public:
  void add(const fs::path &path) {
    size_t rank = 0;
    const std::string text = path.string();
    if (text.ends_with(kEvidenceEnding)) {
      evidence_.emplace(text.substr(0, text.size() - kEvidenceEnding.size()), text);
    } else if (const std::string stem = stemOf(text, rank); !stem.empty()) {
      const auto [at, isNew] = models_.try_emplace(stem, ModelFile{path, rank});
      if (!isNew && rank < at->second.rank)
        at->second = {path, rank};
    }
  }

  std::vector<NetworkInstance> instances() const {
    std::vector<NetworkInstance> list;
    for (const auto &[stem, file] : models_) {
      const std::string path = file.path.string();
      list.push_back({nameOf(stem), path, evidenceBeside(path).value_or("")});
      const std::string own = stem + std::string(kEndings.front()); // NAME.uai.evid
      for (auto at = evidence_.upper_bound(stem + "."); at != evidence_.end(); ++at) {
        if (!at->first.starts_with(stem + "."))
          break;
        if (at->first != own && !models_.contains(at->first)) // which has it for its own
          list.push_back({nameOf(at->first), path, at->second});
      }
    }
    std::ranges::sort(list, {}, &NetworkInstance::name);
    return list;
  }

private:
  /// Returns the name of an instance, which includes the folder of its file.
  static std::string nameOf(const fs::path &stem) {
    const std::string folder = stem.parent_path().filename().string();
    return folder.empty() ? stem.filename().string() : folder + "/" + stem.filename().string();
  }

  std::map<std::string, ModelFile> models_;     ///< by stem
  std::map<std::string, std::string> evidence_; ///< by path without its ending
};

} // namespace

std::vector<NetworkInstance> findInstances(const std::vector<std::string> &paths) {
  InstanceFinder finder;
  for (const std::string &path : paths) {
    std::error_code problem;
    if (!fs::exists(path, problem))
      fail(ErrorKind::Usage, "there is no {}", path);
    if (!fs::is_directory(path)) {
      finder.add(path);
      const fs::path model = path;
      size_t rank = 0;
      const std::string name = fs::path(stemOf(path, rank)).filename().string() + ".";
      for (const fs::directory_entry &beside :
           fs::directory_iterator(model.has_parent_path() ? model.parent_path() : "."))
        if (beside.path().extension() == kEvidenceEnding &&
            beside.path().filename().string().starts_with(name))
          finder.add(model.has_parent_path() ? beside.path() : beside.path().filename());
      continue;
    }
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file())
        finder.add(entry.path());
  }
  return finder.instances();
}

} // namespace mpf::bench
