// A CUDA text that is being checked: what Clang finds in it, and where things stand in it.
#pragma once

#include "codegen/emit/tooling/check_declarations.h"
#include "dsl/source/diagnostic.h"
#include "runtime/simt/kernel_problem.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mpf {

class CheckedText {
public:
  CheckedText(std::shared_ptr<const SourceBuffer> text, Diagnostics &diagnostics)
      : text_(std::move(text)), diagnostics_(diagnostics) {}

  std::string_view text() const { return text_->text(); }
  const SourceBuffer &buffer() const { return *text_; }
  Diagnostics &diagnostics() const { return diagnostics_; }
  /// That the text defines; after checkSource.
  const std::vector<KernelDeclaration> &kernels() const { return kernels_; }

  /// Reports raw accesses and what a kernel file may not have behind its first `trustedBytes`
  /// (check_source.h). `own`: the text that mpf writes, which begins alike: what is found in lines
  /// that stand there too was not edited. Of raw accesses there is none in it
  /// (tests/tooling/check_source_test.cpp). May be empty.
  void checkSource(size_t trustedBytes, const std::string &own);
  /// Reports kernels that are declared otherwise than these, which the runtime launches, or are not
  /// there.
  void checkDeclarations(const std::vector<KernelDeclaration> &expected);
  /// Reports the faults of a kernel; true if there are any.
  bool report(const std::string &kernel, const std::vector<simt::KernelProblem> &faults) const;

  /// The text calls a kernel otherwise than its entry point is called: by a macro.
  void setAlias(std::string kernel, std::string called);

  SourcePlace placeOfKernel(const std::string &kernel) const;
  /// Where the kernel's text, or a function of it, names the site first; the kernel where it does
  /// not.
  SourcePlace placeOfSite(const std::string &kernel, uint32_t site) const;

private:
  SourcePlace placeAt(unsigned line, unsigned column) const;
  SourcePlace placeOfLine(unsigned line) const; ///< where it begins, behind spaces
  SourcePlace place(size_t begin, size_t bytes) const;
  size_t definitionOf(const std::string &kernel) const;
  std::string calledName(const std::string &kernel) const;

  std::shared_ptr<const SourceBuffer> text_;
  std::vector<KernelDeclaration> kernels_;
  std::string aliasOf_, alias_;
  Diagnostics &diagnostics_;
};

} // namespace mpf
