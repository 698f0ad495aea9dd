// Integer types for references between parts of an artefact: an id is the index of an object in the
// vector that owns it. Each kind of object has a separate type.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace mpf {

template <class Tag> struct Id {
  uint32_t value = UINT32_MAX;

  constexpr Id() = default;
  constexpr explicit Id(size_t index) : value(static_cast<uint32_t>(index)) {}
  constexpr size_t index() const { return value; }
  constexpr bool valid() const { return value != UINT32_MAX; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using VarId = Id<struct VarTag>;       ///< Model::variables; every stage keeps the number
using FactorId = Id<struct FactorTag>; ///< Model::factors
using TableId = Id<struct TableTag>;   ///< TableProgram::tables
using OpId = Id<struct OpTag>;         ///< TableProgram::operations
using DigitId = Id<struct DigitTag>;   ///< DigitForm::digits
using BufferId = Id<struct BufferTag>; ///< Bundle::buffers

} // namespace mpf

template <class Tag> struct std::hash<mpf::Id<Tag>> {
  size_t operator()(mpf::Id<Tag> id) const noexcept { return std::hash<uint32_t>()(id.value); }
};
