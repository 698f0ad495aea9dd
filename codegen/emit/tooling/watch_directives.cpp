#include "codegen/emit/tooling/watch_directives.h"

#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Token.h>

namespace mpf {

namespace {

class Watch : public clang::PPCallbacks {
public:
  Watch(const clang::SourceManager &sources, size_t trustedBytes,
        std::vector<SourceFinding> &findings)
      : sources_(sources), trustedBytes_(trustedBytes), findings_(findings) {}

  void MacroDefined(const clang::Token &name, const clang::MacroDirective *) override {
    reportName(name, "defined");
  }
  void MacroUndefined(const clang::Token &name, const clang::MacroDefinition &,
                      const clang::MacroDirective *) override {
    reportName(name, "undefined");
  }
  void InclusionDirective(clang::SourceLocation place, const clang::Token &, llvm::StringRef, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef, llvm::StringRef,
                          llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    report(place, "included text: it may be another one when the kernel runs");
  }
  void If(clang::SourceLocation place, clang::SourceRange, ConditionValueKind) override {
    reportCondition(place);
  }
  void Ifdef(clang::SourceLocation place, const clang::Token &,
             const clang::MacroDefinition &) override {
    reportCondition(place);
  }
  void Ifndef(clang::SourceLocation place, const clang::Token &,
              const clang::MacroDefinition &) override {
    reportCondition(place);
  }

private:
  void reportName(const clang::Token &name, const char *what) {
    const llvm::StringRef text = name.getIdentifierInfo()->getName();
    const bool taken = text.starts_with("MPF_") || text.starts_with("mpf") ||
                       text.starts_with("Mpf") || text.starts_with("__") ||
                       text.starts_with("simt") || text.starts_with("Simt") ||
                       text.ends_with("Idx") || text.ends_with("Dim");
    if (taken)
      report(name.getLocation(), "macro " + text.str() + " " + what +
                                     ": names of the preamble and of CUDA keep their meaning");
  }
  void reportCondition(clang::SourceLocation place) {
    report(place, "conditional text: what is checked would not be what runs");
  }
  void report(clang::SourceLocation place, std::string message) {
    if (sources_.getFileID(place) != sources_.getMainFileID() ||
        sources_.getFileOffset(place) < trustedBytes_)
      return;
    const auto shown = sources_.getPresumedLoc(place);
    findings_.push_back({shown.getLine(), shown.getColumn(), std::move(message)});
  }

  const clang::SourceManager &sources_;
  size_t trustedBytes_;
  std::vector<SourceFinding> &findings_;
};

} // namespace

std::unique_ptr<clang::PPCallbacks> watchDirectives(const clang::SourceManager &sources,
                                                    size_t trustedBytes,
                                                    std::vector<SourceFinding> &findings) {
  return std::make_unique<Watch>(sources, trustedBytes, findings);
}

} // namespace mpf
