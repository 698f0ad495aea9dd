// Prints the types of a nest kernel, unrolled loops and loads of entries into registers.
#pragma once

#include "codegen/emit/nest/nest.h"
#include "codegen/emit/nest/op_emitter.h"
#include "codegen/emit/nest/site.h"
#include "dsl/support/code_writer.h"

#include <string>

namespace mpf {

/// An entry of a table or a segment.
struct EntryPlace {
  uint32_t site = 0;
  std::string pointer;
  std::string offset;  ///< from the pointer, in entries
  bool packed = false; ///< pointer is an MpfPacked
};

/// A guarded load of neighbouring entries into registers.
struct EntryLoad {
  EntryPlace from;       ///< place of the first entry
  std::string registers; ///< register array that receives the entries
  std::string flat;      ///< index of the first one in that array
  uint32_t vector = 1;
  std::string guard;   ///< condition of the load, else the identity is stored; "": no condition
  std::string operand; ///< name of the operand that the entries belong to
};

/// Prints into `out`; both arguments must outlive the object. Not thread-safe.
class EntryEmitter {
public:
  EntryEmitter(const Nest &nest, CodeWriter &out);

  const OpEmitter &ops() const { return ops_; }
  std::string indexType() const;                 ///< of block, page and thread indices
  std::string loopType() const;                  ///< of register and sum loops
  std::string vectorType(uint32_t vector) const; ///< "float4", "MpfVector64"
  /// Opens a loop from 0 that is unrolled `unroll` times, fully if that is its extent.
  void openCounted(const std::string &index, uint64_t extent, uint64_t unroll);
  /// Opens "for (int d0_r = 0; d0_r < 8; ++d0_r) {", unrolled.
  void openUnrolled(const std::string &index, uint64_t extent, uint64_t step = 1);

  /// Loads entries in the form that their table has. Log kernels convert them (convertEntries) only
  /// after all loads are issued: a conversion behind a guard would be a branch, and the next load
  /// would wait for it.
  void loadEntries(const EntryLoad &load);
  bool converts() const { return !ops_.converter.empty(); }
  void convertEntries(const EntryLoad &load);
  std::string entryText(const EntryPlace &from) const;
  /// The type of a pointer to entries: "const float *const", or "const MpfPacked<..>" if packed.
  std::string pointerType(bool packed) const;
  /// Loads words of packed bits. Words outside the guard are 0, which does not change a reduction.
  void loadWords(const EntryLoad &load);

private:
  std::string unpackText(const EntryLoad &load) const; ///< of several

  const Nest &nest_;
  CodeWriter &out_;
  OpEmitter ops_;
};

} // namespace mpf
