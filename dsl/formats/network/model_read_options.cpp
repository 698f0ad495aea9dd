#include "dsl/formats/network/model_read_options.h"

namespace mpf {

std::vector<std::string_view> formatOptionsOf(const ModelReadOptions &options) {
  std::vector<std::string_view> names;
  if (options.uaiTables)
    names.push_back(kUaiTablesOption);
  const PedigreeOptions &pedigree = options.pedigree;
  if (!pedigree.loci.empty())
    names.push_back(kLociOption);
  if (!pedigree.frequencies.empty())
    names.push_back(kFrequenciesOption);
  if (pedigree.trait)
    names.push_back(kTraitOption);
  if (pedigree.mapFunction)
    names.push_back(kMapFunctionOption);
  if (pedigree.position)
    names.push_back(kPositionOption);
  if (options.channel)
    names.push_back(kChannelOption);
  if (!options.tensors.empty())
    names.push_back(kTensorsOption);
  return names;
}

} // namespace mpf
