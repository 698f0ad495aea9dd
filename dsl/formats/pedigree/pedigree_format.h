// Pedigree files of LINKAGE and PLINK: the likelihood of what is known of families.
#pragma once

#include "dsl/formats/network/model_read_options.h"
#include "dsl/model/model.h"
#include "dsl/source/diagnostic.h"

#include <memory>
#include <optional>
#include <string_view>

namespace mpf {

/// Reads a pedigree file with the files of loci and frequencies that options.pedigree names, which
/// options.build.files opens. The model is that of the text that pedigree_text.h describes: its
/// params are the recombination fractions, and its queries the likelihoods of all families and of
/// each. Warns of families with probability zero. Returns nothing after reporting. Throws
/// Error(Usage) for options that these files have no use for, and as the opening of files does.
std::optional<Model> readPedigreeFile(std::shared_ptr<const SourceBuffer> buffer,
                                      Diagnostics &diagnostics, const ModelReadOptions &options);

/// Whether the first line may be of a pedigree: family, person, father, mother, sex, and more.
bool startsAsPedigree(std::string_view text);

} // namespace mpf
