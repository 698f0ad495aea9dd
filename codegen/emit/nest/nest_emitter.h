// Prints the parts of a nest kernel: loads of fragments, products, reduction, stores.
#pragma once

#include "codegen/emit/nest/address_emitter.h"
#include "codegen/emit/nest/entry_emitter.h"

#include <functional>
#include <string>

namespace mpf {

/// Prints pieces of `nest` into `out`; the caller prints the loops around them. Sites are added to
/// `sites` in the order of the text. Not thread-safe.
class NestEmitter {
public:
  NestEmitter(const Nest &nest, EntryEmitter &entries, CodeWriter &out, SiteTable &sites);

  /// Opens the loop of a page or sum axis; close it with out.close().
  void openLoop(size_t axis);
  void startAccumulators();
  /// Prints the loads and products that stand at depths in [first, last].
  void hoisted(size_t first, size_t last);
  /// Prints the innermost body: the remaining products and the reduction.
  void reduce();
  /// Stores the accumulators through `pointer`. `condition` is true for threads that store.
  void store(const std::string &pointer, const std::string &condition);
  /// Declares an MpfPacked for each packed operand, under the operand's name.
  void declarePacked();

private:
  /// Whether `value` is a packed operand whose fragment is words: "fWords".
  bool isWords(uint32_t value) const;
  std::string bitText(uint32_t value) const; ///< "fWords[0], d1_s"
  std::string productText(uint32_t left, uint32_t right) const;
  void reduceLast(const std::string &index);
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
  EntryEmitter &entries_;
  const OpEmitter &ops_;
  IndexNames names_;
  std::vector<bool> scalarStep_; ///< steps that live in one variable inside the register loops
};

} // namespace mpf
