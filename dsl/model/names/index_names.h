// Makes the index of a model's names from its syntax trees.
#pragma once

#include "dsl/model/model.h"
#include "dsl/model/names/name_index.h"
#include "dsl/syntax/ast.h"

#include <memory>
#include <span>

namespace mpf {

/// A network that a text imports.
struct ImportedNames {
  SourcePlace place;
  std::shared_ptr<const Model> model;
};

/// Makes the index of the main file and the files that it includes. Time: linear in the texts.
NameIndex indexNames(std::span<const ast::File *const> files,
                     std::span<const ImportedNames> imports);

} // namespace mpf
