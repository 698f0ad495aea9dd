#include "dsl/formats/tables/stored_array.h"

#include "dsl/syntax/spelling.h"

namespace mpf {

void StoredArray::addFar(uint64_t at, const ScaledNumber &value, std::string_view text,
                         const SourcePlace &place) {
  array.far.push_back({at, value});
  if (!far)
    far = {fmt::format("no double holds {}", excerpt(text)), place};
}

} // namespace mpf
