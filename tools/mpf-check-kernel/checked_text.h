// A CUDA text that is being checked: findings of Clang, and places of kernels and sites.
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
  /// Returns the kernels that the text defines, after checkSource.
  const std::vector<KernelDeclaration> &kernels() const { return kernels_; }

  /// Reports raw accesses, and other code that a kernel file may not have after its first
  /// `trustedBytes` (check_source.h). `own`: the text that mpf writes, with an equal beginning; may
  /// be empty. Findings in lines that `own` has too were not edited, so they are not reported.
  /// `own` has no raw accesses (tests/tooling/check_source_test.cpp).
  void checkSource(size_t trustedBytes, const std::string &own);
  /// Reports kernels that are missing, or whose declarations differ from `expected`: the runtime
  /// launches these.
  void checkDeclarations(const std::vector<KernelDeclaration> &expected);
  /// Reports the faults of a kernel; true if there are any.
  bool report(const std::string &kernel, const std::vector<simt::KernelProblem> &faults) const;

  /// Sets the macro by which the text names a kernel.
  void setAlias(std::string kernel, std::string called);

  SourcePlace placeOfKernel(const std::string &kernel) const;
  /// Returns the first place where the kernel's text, or a function of it, names the site; else the
  /// place of the kernel.
  SourcePlace placeOfSite(const std::string &kernel, uint32_t site) const;

private:
  SourcePlace placeAt(unsigned line, unsigned column) const;
  SourcePlace placeOfLine(unsigned line) const; ///< place of the first character after spaces
  SourcePlace place(size_t begin, size_t bytes) const;
  size_t definitionOf(const std::string &kernel) const;
  std::string calledName(const std::string &kernel) const;

  std::shared_ptr<const SourceBuffer> text_;
  std::vector<KernelDeclaration> kernels_;
  std::string aliasOf_, alias_;
  Diagnostics &diagnostics_;
};

} // namespace mpf
