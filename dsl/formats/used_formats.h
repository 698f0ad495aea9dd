// The formats that a model is read from: an option that none of them reads is refused.
#pragma once

#include "dsl/formats/model_formats.h"

#include <memory>
#include <string>
#include <vector>

namespace mpf {

class UsedFormats {
public:
  /// From now on sees the formats of files that are imported by `files`.
  explicit UsedFormats(ModelFiles &files);

  /// Throws Error(Usage) for an option that is set and that neither a file of `format` reads, nor
  /// what was imported. Null: the format of the file is unknown. `name`: of the file.
  void requireUse(const ModelReadOptions &options, const ModelFormat *format,
                  const std::string &name) const;

private:
  std::shared_ptr<std::vector<const ModelFormat *>> imported_;
};

} // namespace mpf
