// Prints the parts of a nest kernel: fragment loads, products, reduction, stores.
#pragma once

#include "codegen/emit/nest/address_emitter.h"
#include "codegen/emit/nest/nest.h"
#include "codegen/emit/nest/op_emitter.h"
#include "codegen/emit/nest/site.h"
#include "dsl/support/code_writer.h"

#include <functional>
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

/// Prints pieces of `nest` into `out`; the caller prints the loops around them. Sites are added to
/// `sites` in the order of the text. Not thread-safe.
class NestEmitter {
public:
  NestEmitter(const Nest &nest, CodeWriter &out, SiteTable &sites);

  const OpEmitter &ops() const { return ops_; }
  std::string indexType() const; ///< of block, page and thread indices
  std::string loopType() const;  ///< of register and sum loops

  /// Opens the loop of a page or sum axis; close it with out.close().
  void openLoop(size_t axis);
  void startAccumulators();
  /// Prints the loads and products that stand at depths in [first, last].
  void hoisted(size_t first, size_t last);
  /// Prints the innermost body: the remaining products and the reduction.
  void reduce();
  /// Stores the accumulators through `pointer`. `condition` is true for threads that store.
  void store(const std::string &pointer, const std::string &condition);
  /// Loads entries in the form that their table has. Log kernels convert them (convertEntries) only
  /// after all loads are issued: a conversion behind a guard would be a branch, and the next load
  /// would wait for it.
  void loadEntries(const EntryLoad &load);
  bool converts() const { return !ops_.converter.empty(); }
  void convertEntries(const EntryLoad &load);
  std::string entryText(const EntryPlace &from) const;
  /// The type of a pointer to entries: "const float *const", or "const MpfPacked<..>" if packed.
  std::string pointerType(bool packed) const;
  /// Declares an MpfPacked for each packed operand, under the operand's name.
  void declarePacked();
  std::string vectorType(uint32_t vector) const; ///< "float4", "MpfVector64"
  /// Opens a loop from 0 that is unrolled `unroll` times, fully if that is its extent.
  void openCounted(const std::string &index, uint64_t extent, uint64_t unroll);
  /// Opens "for (int d0_r = 0; d0_r < 8; ++d0_r) {", unrolled.
  void openUnrolled(const std::string &index, uint64_t extent, uint64_t step = 1);

private:
  static std::string firstOf(const EntryLoad &load); ///< "fReg + i"
  std::string loadText(uint32_t site, const std::string &lvalue) const;
  std::string wordText(const EntryPlace &from) const;
  /// Whether `value` is a packed operand whose fragment is words: "fWords".
  bool isWords(uint32_t value) const;
  void loadWords(const EntryLoad &load);
  std::string bitText(uint32_t value) const; ///< "fWords[0], d1_s"
  std::string productText(uint32_t left, uint32_t right) const;
  void reduceLast(const std::string &index);
  std::string unpackText(const EntryLoad &load) const; ///< of several
  uint32_t addLoadSite(const NestTable &table);
  void walkFragment(const NestTable &table, const std::function<void(const EntryLoad &)> &visit);
  void formArray(const NestStep &step);
  std::string valueText(uint32_t value) const;
  std::string stepIndex(const NestStep &step) const;
  void storeEntries(const std::string &flat, const std::string &address, uint32_t site,
                    const std::string &condition);
  struct Walk {
    size_t loops = 0; ///< opened
    LinearAddress offset, flat;
  };
  Walk openWalk(const Fragment &fragment, IndexNames &names);

  const Nest &nest_;
  CodeWriter &out_;
  SiteTable &sites_;
  OpEmitter ops_;
  IndexNames names_;
  std::vector<bool> scalarStep_; ///< steps that live in one variable inside the register loops
};

} // namespace mpf
