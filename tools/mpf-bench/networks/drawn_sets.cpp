#include "tools/mpf-bench/networks/drawn_sets.h"

#include "dsl/formats/uai/uai_writer.h"
#include "dsl/support/check.h"
#include "dsl/support/files/file_output.h"
#include "tools/mpf-bench/networks/draw_networks.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace mpf::bench {

namespace {

struct DrawnSet {
  std::string name;
  std::vector<uint32_t> sizes; ///< sizes in the paper
  Model (*draw)(const DrawNetworksOptions &options, uint32_t size, uint64_t seed);
};

const std::vector<DrawnSet> &drawnSets() {
  static const std::vector<DrawnSet> kSets = {
      {"gems-trees",
       {268, 390, 505, 529, 595, 1194}, // Gems chapter, table 2
       [](const DrawNetworksOptions &options, uint32_t size, uint64_t seed) {
         return drawTaskTree({size, options.largestBucket, seed});
       }},
      {"qmr-dt",
       {1000}, // ICPP'10 section 5.1
       [](const DrawNetworksOptions &, uint32_t size, uint64_t seed) {
         DiseaseNetworkOptions draw;
         draw.nodes = size;
         draw.seed = seed;
         return drawDiseaseNetwork(draw);
       }},
  };
  return kSets;
}

} // namespace

std::vector<std::string> drawnSetNames() {
  std::vector<std::string> names;
  for (const DrawnSet &set : drawnSets())
    names.push_back(set.name);
  return names;
}

void drawNetworks(const DrawNetworksOptions &options) {
  const std::filesystem::path folder = options.folder;
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault)
    fail(ErrorKind::BadInput, "cannot make the folder {}: {}", options.folder, fault.message());
  for (const DrawnSet &set : drawnSets()) {
    if (std::ranges::find(options.sets, set.name) == options.sets.end())
      continue;
    for (const uint32_t size : options.sizes.empty() ? set.sizes : options.sizes)
      for (uint64_t seed = options.seed; seed < options.seed + options.count; ++seed) {
        const Model model = set.draw(options, size, seed);
        const std::string path = (folder / (model.name + ".uai")).string();
        writeFile(path, writeUai(model));
        if (!model.evidence.findings.empty()) // where mpfc, as the competitions, looks for it
          writeFile(path + ".evid", writeEvidence(model));
      }
  }
}

} // namespace mpf::bench
