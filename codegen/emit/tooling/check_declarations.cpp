#include "codegen/emit/tooling/check_declarations.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

namespace mpf {

namespace {

class Declarations {
public:
  Declarations(const clang::ASTContext &context, size_t trustedBytes,
               std::vector<SourceFinding> &findings)
      : context_(context), sources_(context.getSourceManager()), trustedBytes_(trustedBytes),
        findings_(findings) {}

  void check(const clang::Decl &declaration) {
    if (declaration.isImplicit() || isTrusted(declaration))
      return;
    if (const auto *linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(&declaration)) {
      for (const clang::Decl *inner : linkage->decls())
        check(*inner);
    } else if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
      checkFunction(*function);
    } else if (const auto *made = llvm::dyn_cast<clang::FunctionTemplateDecl>(&declaration)) {
      checkFunction(*made->getTemplatedDecl());
    } else if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(&declaration)) {
      if (!variable->isConstexpr())
        report(declaration, "a variable outside of the kernels: nothing watches it");
    } else if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(&declaration)) {
      checkRecord(*record);
    } else if (!llvm::isa<clang::TypedefNameDecl>(declaration) &&
               !llvm::isa<clang::EnumDecl>(declaration) &&
               !llvm::isa<clang::StaticAssertDecl>(declaration) &&
               !llvm::isa<clang::EmptyDecl>(declaration)) {
      report(declaration, std::string("a declaration that a kernel file may not have (") +
                              declaration.getDeclKindName() + ")");
    }
  }

  std::vector<KernelDeclaration> kernels;

private:
  bool isTrusted(const clang::Decl &declaration) const {
    const clang::SourceLocation begin = sources_.getExpansionLoc(declaration.getBeginLoc());
    if (begin.isInvalid())
      return true; // the compiler's own
    // The text may include no files (watch_directives.h), so any other file is the prelude.
    return sources_.getFileID(begin) != sources_.getMainFileID() ||
           sources_.getFileOffset(begin) < trustedBytes_;
  }

  void checkFunction(const clang::FunctionDecl &function) {
    const bool isKernel = function.hasAttr<clang::CUDAGlobalAttr>();
    if (!isKernel && !function.hasAttr<clang::CUDADeviceAttr>())
      return report(function, "a function for the host: a kernel file has kernels and device "
                              "functions only");
    if (function.hasAttr<clang::CUDAHostAttr>() || function.hasAttr<clang::ConstructorAttr>() ||
        function.hasAttr<clang::DestructorAttr>())
      return report(function, "a function that the host runs");
    if (!function.hasBody())
      return report(function, "a function without a body: what it does cannot be checked");
    if (!isKernel)
      return;
    if (!function.isExternC())
      report(function, "a kernel that is not extern \"C\": its name would not be found");
    if (function.doesThisDeclarationHaveABody())
      kernels.push_back(describe(function));
  }

  KernelDeclaration describe(const clang::FunctionDecl &kernel) const {
    KernelDeclaration described{kernel.getNameAsString(), {}};
    for (const clang::ParmVarDecl *parameter : kernel.parameters())
      described.parameters.push_back(
          parameter->getType().getCanonicalType().getUnqualifiedType().getAsString(
              context_.getPrintingPolicy()));
    const auto *const bounds = kernel.getAttr<clang::CUDALaunchBoundsAttr>();
    clang::Expr::EvalResult threads;
    if (bounds != nullptr && bounds->getMaxThreads()->EvaluateAsInt(threads, context_))
      described.mostThreads = threads.Val.getInt().getLimitedValue();
    return described;
  }

  void checkRecord(const clang::CXXRecordDecl &record) {
    if (!record.isThisDeclarationADefinition())
      return;
    if (record.getNumBases() != 0 || record.getDescribedClassTemplate() != nullptr)
      return report(record, "a class: structs of a kernel file have fields only");
    for (const clang::Decl *member : record.decls())
      if (!member->isImplicit() && !llvm::isa<clang::FieldDecl>(member))
        return report(*member, "a member that is no field: structs of a kernel file have no "
                               "functions");
  }

  void report(const clang::Decl &declaration, std::string message) {
    const auto place = sources_.getPresumedLoc(sources_.getExpansionLoc(declaration.getBeginLoc()));
    findings_.push_back({place.getLine(), place.getColumn(), std::move(message)});
  }

  const clang::ASTContext &context_;
  const clang::SourceManager &sources_;
  size_t trustedBytes_;
  std::vector<SourceFinding> &findings_;
};

} // namespace

std::vector<KernelDeclaration> checkDeclarations(const clang::ASTContext &context,
                                                 size_t trustedBytes,
                                                 std::vector<SourceFinding> &findings) {
  Declarations declarations(context, trustedBytes, findings);
  for (const clang::Decl *declaration : context.getTranslationUnitDecl()->decls())
    declarations.check(*declaration);
  return std::move(declarations.kernels);
}

} // namespace mpf
