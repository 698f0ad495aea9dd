#include "codegen/emit/tooling/check_source.h"

#include "codegen/emit/tooling/watch_directives.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTTypeTraits.h>
#include <clang/AST/ParentMapContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Tooling/Tooling.h>

namespace mpf {

namespace {

class ErrorCollector : public clang::DiagnosticConsumer {
public:
  explicit ErrorCollector(std::vector<SourceFinding> &findings) : findings_(findings) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error)
      return;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    SourceFinding finding{0, 0, std::string(text)};
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
      const auto place = diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
      finding.line = place.getLine();
      finding.column = place.getColumn();
    }
    findings_.push_back(std::move(finding));
  }

private:
  std::vector<SourceFinding> &findings_;
};

/// Whether a function is to be checked: a kernel, or a device function behind the trusted part of
/// the text.
bool isChecked(const clang::FunctionDecl &function, const clang::ASTContext &context,
               size_t trustedBytes) {
  const clang::FunctionDecl *const pattern = function.getTemplateInstantiationPattern();
  const clang::FunctionDecl &written = pattern == nullptr ? function : *pattern;
  if (!written.hasBody())
    return false;
  if (function.hasAttr<clang::CUDAGlobalAttr>())
    return true;
  const auto &sources = context.getSourceManager();
  const clang::SourceLocation begin = sources.getExpansionLoc(written.getBeginLoc());
  return function.hasAttr<clang::CUDADeviceAttr>() && sources.isInMainFile(begin) &&
         sources.getFileOffset(begin) >= trustedBytes;
}

/// Walks the body of one function with the chain of enclosing expressions.
class RawAccessFinder : public clang::RecursiveASTVisitor<RawAccessFinder> {
public:
  /// With `foreign`, a user edited the text: accesses to memory are refused of kinds that no text
  /// of mpf has.
  RawAccessFinder(clang::ASTContext &context, size_t trustedBytes, bool foreign,
                  std::vector<SourceFinding> &findings)
      : context_(context), trustedBytes_(trustedBytes), foreign_(foreign), findings_(findings) {}

  bool VisitCXXNewExpr(clang::CXXNewExpr *made) {
    return refuse(made->getBeginLoc(), "an object made by new: nothing watches it");
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr *gone) {
    return refuse(gone->getBeginLoc(), "delete: nothing watches it");
  }
  bool VisitAtomicExpr(clang::AtomicExpr *access) {
    return refuse(access->getBeginLoc(), "an atomic access: nothing watches it");
  }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt *loop) {
    return refuse(loop->getBeginLoc(), "a loop over a range: it dereferences pointers unseen");
  }
  bool VisitWhileStmt(clang::WhileStmt *loop) {
    if (const clang::VarDecl *declared = loop->getConditionVariable())
      refuse(declared->getBeginLoc(), "a variable in the condition of a loop: the checker of "
                                      "kernels counts turns there; declare it in front");
    return true;
  }
  bool VisitGotoStmt(clang::GotoStmt *jump) { return refuseJump(jump->getBeginLoc()); }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt *jump) {
    return refuseJump(jump->getBeginLoc());
  }
  bool VisitVarDecl(clang::VarDecl *variable) {
    if (variable->isStaticLocal() && !variable->isConstexpr() &&
        !variable->hasAttr<clang::CUDASharedAttr>())
      refuse(variable->getBeginLoc(), "a static variable: nothing watches it");
    return true;
  }

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *access) {
    if (!isRegisterArray(access->getBase()))
      report(*access, "subscript of a pointer");
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *access) {
    if (access->getOpcode() == clang::UO_Deref)
      report(*access, "dereference of a pointer");
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr *access) {
    if (access->isArrow() && !llvm::isa<clang::CXXThisExpr>(access->getBase()->IgnoreImpCasts()))
      report(*access, "member of a pointer's target");
    return true;
  }
  bool VisitAsmStmt(clang::AsmStmt *assembly) {
    const auto &sources = context_.getSourceManager();
    const clang::SourceLocation written = sources.getSpellingLoc(assembly->getAsmLoc());
    if (!sources.isInMainFile(written) || sources.getFileOffset(written) >= trustedBytes_)
      reportAt(assembly->getAsmLoc(), "assembly");
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *access) {
    // Arrays are reported at their subscripts.
    if (access->getDecl()->hasAttr<clang::CUDASharedAttr>() && !access->getType()->isArrayType())
      report(*access, "shared variable");
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *const callee = call->getDirectCallee();
    const std::string name = callee == nullptr ? "" : callee->getNameAsString();
    if (callee == nullptr)
      refuse(call->getBeginLoc(), "a call of a function that is not known");
    else if (!callee->hasBody() && !isOfPreamble(*callee))
      refuse(call->getBeginLoc(), "a call of " + name + ", which has no body here");
    if ((name == "mpfSiteLoad" || name == "mpfSiteStore") && !hasSite(*call))
      refuse(call->getBeginLoc(),
             "an access site is a constant from 1 to " + std::to_string(kMaxSite));
    if (name == "mpfState" || name == "mpfRange" || name == "mpfRecord" ||
        llvm::StringRef(name).starts_with("atomic"))
      return true;
    if (callee != nullptr && isChecked(*callee, context_, trustedBytes_))
      return true;
    for (const clang::Expr *argument : call->arguments())
      if (argument->getType()->isPointerType() && !isRegisterArray(argument))
        report(*argument, "pointer handed to " + name);
    return true;
  }

private:
  static constexpr int64_t kMaxSite = 4096; ///< mpf's texts have some dozens of sites

  bool refuse(clang::SourceLocation begin, std::string message) {
    if (foreign_)
      reportAt(begin, std::move(message));
    return true;
  }
  bool refuseJump(clang::SourceLocation begin) {
    return refuse(begin,
                  "a jump: the checker of kernels counts turns of loops, to end those that do "
                  "not; write a loop");
  }
  /// Whether the preamble, or the prelude before it, declares a function.
  bool isOfPreamble(const clang::FunctionDecl &function) const {
    const auto &sources = context_.getSourceManager();
    const clang::SourceLocation begin =
        sources.getExpansionLoc(function.getFirstDecl()->getBeginLoc());
    return begin.isValid() && (sources.getFileID(begin) != sources.getMainFileID() ||
                               sources.getFileOffset(begin) < trustedBytes_);
  }
  bool hasSite(const clang::CallExpr &call) const {
    clang::Expr::EvalResult site;
    return call.getNumArgs() > 0 && call.getArg(0)->EvaluateAsInt(site, context_) &&
           site.Val.getInt() >= 1 && site.Val.getInt() <= kMaxSite;
  }

  /// Whether the pointer leads into a local array, which lives in registers: a variable, or a
  /// member of a variable or of a parameter by reference. The check of the call covers what a
  /// reference binds to.
  bool isRegisterArray(const clang::Expr *pointer) const {
    bool member = false;
    while (true) {
      pointer = pointer->IgnoreParenCasts();
      if (const auto *sum = llvm::dyn_cast<clang::BinaryOperator>(pointer))
        pointer =
            sum->getLHS()->getType()->isPointerType() || sum->getLHS()->getType()->isArrayType()
                ? sum->getLHS()
                : sum->getRHS();
      else if (const auto *inner = llvm::dyn_cast<clang::ArraySubscriptExpr>(pointer);
               inner != nullptr && inner->getType()->isArrayType())
        pointer = inner->getBase();
      else if (const auto *part = llvm::dyn_cast<clang::MemberExpr>(pointer);
               part != nullptr && !part->isArrow() && (member || part->getType()->isArrayType())) {
        pointer = part->getBase();
        member = true;
      } else
        break;
    }
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(pointer);
    const auto *variable =
        reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable == nullptr || !variable->hasLocalStorage() ||
        variable->hasAttr<clang::CUDASharedAttr>())
      return false;
    return member || variable->getType()->isArrayType();
  }

  /// Whether an access is the lvalue of a site macro, or the operand of `&`, which accesses
  /// nothing.
  bool isSanctioned(const clang::Expr &access) const {
    clang::DynTypedNode node = clang::DynTypedNode::create(access);
    while (true) {
      const auto parents = context_.getParents(node);
      if (parents.size() != 1)
        return false;
      const auto *const parent = parents[0].get<clang::Expr>();
      if (parent == nullptr)
        return false;
      if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(parent))
        return unary->getOpcode() == clang::UO_AddrOf;
      if (const auto *call = llvm::dyn_cast<clang::CallExpr>(parent)) {
        const clang::FunctionDecl *const callee = call->getDirectCallee();
        return callee != nullptr &&
               (callee->getName() == "mpfSiteLoad" || callee->getName() == "mpfSiteStore") &&
               call->getNumArgs() > 1 && call->getArg(1) == node.get<clang::Expr>();
      }
      const auto *const cast = llvm::dyn_cast<clang::ImplicitCastExpr>(parent);
      const auto *const member = llvm::dyn_cast<clang::MemberExpr>(parent);
      const auto *const element = llvm::dyn_cast<clang::ArraySubscriptExpr>(parent);
      // p[i].member and p->array[i] name a part of the same access.
      const bool transparent =
          llvm::isa<clang::ParenExpr>(parent) ||
          (cast != nullptr && (cast->getCastKind() == clang::CK_NoOp ||
                               cast->getCastKind() == clang::CK_ArrayToPointerDecay)) ||
          (member != nullptr && !member->isArrow()) ||
          (element != nullptr && element->getBase() == node.get<clang::Expr>());
      if (!transparent)
        return false;
      node = parents[0];
    }
  }

  void report(const clang::Expr &access, std::string message) {
    if (!isSanctioned(access))
      reportAt(access.getBeginLoc(), std::move(message));
  }
  void reportAt(clang::SourceLocation begin, std::string message) {
    const auto &sources = context_.getSourceManager();
    const auto place = sources.getPresumedLoc(sources.getExpansionLoc(begin));
    findings_.push_back({place.getLine(), place.getColumn(), std::move(message)});
  }

  clang::ASTContext &context_;
  size_t trustedBytes_;
  bool foreign_;
  std::vector<SourceFinding> &findings_;
};

class Consumer : public clang::ASTConsumer {
public:
  Consumer(size_t trustedBytes, std::vector<KernelDeclaration> *kernels,
           std::vector<SourceFinding> &findings)
      : trustedBytes_(trustedBytes), kernels_(kernels), findings_(findings) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (context.getDiagnostics().hasErrorOccurred())
      return;
    if (kernels_ != nullptr)
      *kernels_ = checkDeclarations(context, trustedBytes_, findings_);
    for (clang::Decl *declaration : context.getTranslationUnitDecl()->decls())
      visit(declaration, context);
  }

private:
  void visit(clang::Decl *declaration, clang::ASTContext &context) {
    if (auto *linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(declaration))
      for (clang::Decl *inner : linkage->decls())
        visit(inner, context);
    if (auto *made = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration))
      for (clang::FunctionDecl *instance : made->specializations())
        visit(instance, context);
    const auto *const function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (function != nullptr && function->doesThisDeclarationHaveABody() &&
        isChecked(*function, context, trustedBytes_))
      RawAccessFinder(context, trustedBytes_, kernels_ != nullptr, findings_)
          .TraverseStmt(function->getBody());
  }

  size_t trustedBytes_;
  std::vector<KernelDeclaration> *kernels_;
  std::vector<SourceFinding> &findings_;
};

class Action : public clang::ASTFrontendAction {
public:
  /// `kernels` receives the kernels of a text that a user edited; null if mpf wrote the text.
  Action(size_t trustedBytes, std::vector<KernelDeclaration> *kernels,
         std::vector<SourceFinding> &findings)
      : trustedBytes_(trustedBytes), kernels_(kernels), findings_(findings), errors_(findings) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef) override {
    compiler.getDiagnostics().setClient(&errors_, false);
    if (kernels_ != nullptr)
      compiler.getPreprocessor().addPPCallbacks(
          watchDirectives(compiler.getSourceManager(), trustedBytes_, findings_));
    return std::make_unique<Consumer>(trustedBytes_, kernels_, findings_);
  }

private:
  size_t trustedBytes_;
  std::vector<KernelDeclaration> *kernels_;
  std::vector<SourceFinding> &findings_;
  ErrorCollector errors_;
};

std::vector<SourceFinding> findingsIn(const std::string &source, size_t trustedBytes,
                                      std::vector<KernelDeclaration> *kernels) {
  std::vector<SourceFinding> findings;
  const std::vector<std::string> arguments = {
      "-x",           "cuda",       "--cuda-device-only", "--cuda-gpu-arch=sm_80",
      "-nocudainc",   "-nocudalib", "-nostdinc",          "-nostdinc++",
      "-std=c++17",   "-include",   "prelude.cuh",        "-fsyntax-only",
      "--cuda-path=/"}; // no toolkit: Clang would warn of one with another version
  const bool ran = clang::tooling::runToolOnCodeWithArgs(
      std::make_unique<Action>(trustedBytes, kernels, findings), source, arguments, "kernel.cu",
      "mpf-check", std::make_shared<clang::PCHContainerOperations>(),
      {{"prelude.cuh", std::string(kClangPrelude)}});
  if (!ran && findings.empty())
    findings.emplace_back().message = "Clang could not parse the text";
  return findings;
}

} // namespace

std::vector<SourceFinding> checkCudaSource(const std::string &source, size_t trustedBytes) {
  return findingsIn(source, trustedBytes, nullptr);
}

KernelFile checkKernelFile(const std::string &source, size_t trustedBytes) {
  KernelFile file;
  if (trustedBytes == 0)
    file.findings = {{0, 0, "the text does not begin with mpf's preamble as mpf wrote it"}};
  else
    file.findings = findingsIn(source, trustedBytes, &file.kernels);
  return file;
}

} // namespace mpf
