#include "dsl/model/names/index_names.h"

#include "dsl/model/names/name_walker.h"

#include <algorithm>

namespace mpf {

NameIndex indexNames(std::span<const ast::File *const> files,
                     std::span<const ImportedNames> imports) {
  NameIndex index;
  NameWalker walker(index);
  for (const ast::File *file : files)
    index.texts.push_back({file->source, {}, {}, {}});
  for (const ImportedNames &import : imports)
    walker.declareImport(import.place, *import.model);
  // Domains first: variables and arguments refer to them, wherever they stand.
  for (const NameWalker::Pass pass :
       {NameWalker::Pass::Domains, NameWalker::Pass::Names, NameWalker::Pass::Uses})
    for (size_t i = 0; i < files.size(); ++i)
      walker.walk(*files[i], index.texts[i], pass);
  for (NameIndex::Text &text : index.texts)
    std::ranges::sort(text.uses, {}, [](const NameUse &use) { return use.range.begin; });
  return index;
}

} // namespace mpf
