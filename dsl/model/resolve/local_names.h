// Names that mean something in one place alone: loop indices, arguments of a function, and names
// behind `where`.
#pragma once

#include "dsl/model/resolve/build_context.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mpf {

/// An argument of the call whose function is being written out.
struct CallArgument {
  std::vector<Instruction> code;      ///< over the scope of the caller
  const ast::Expr *written = nullptr; ///< in the caller's text
  const DomainInfo *domain = nullptr; ///< null: the argument is a number
};

/// The local names, and the file, of the place that is being compiled.
struct LocalPlace {
  const CallFrame *call = nullptr;
  const WhereNames *where = nullptr;
  std::vector<LoopIndex> loop = {};
  std::shared_ptr<const SourceBuffer> source = nullptr;
};

/// The call of a function whose body is being compiled. Its body sees the arguments, params,
/// domains and earlier functions.
struct CallFrame {
  const FunctionSymbol *function = nullptr;
  bool isOfEntry = false;                   ///< the arguments have the states of one entry put in
  std::vector<CallArgument> arguments = {}; ///< one for each of the declaration
  LocalPlace caller = {};                   ///< set by InsideCall
};

/// The names behind the `where` of a value.
struct WhereNames {
  std::span<const ast::Binding> bindings; ///< each sees those before it
  size_t loops = 0;                       ///< loop indices that the bindings see
  /// The first binding of each name; it may be behind `bindings`. Not null.
  const std::unordered_map<std::string_view, size_t> *places = nullptr;
};

/// Returns the argument of the current call with this name; null: none.
const CallArgument *findArgument(const BuildContext &context, const std::string &name);
/// Returns the place of the `where` name among its bindings; nothing: none.
std::optional<size_t> findBinding(const BuildContext &context, const std::string &name);
/// Whether the name is one of this header's.
bool isLocalName(const BuildContext &context, const std::string &name);

/// Makes the body of a function the current place, while it lives.
class InsideCall {
public:
  InsideCall(BuildContext &context, CallFrame &frame);
  ~InsideCall();
  InsideCall(const InsideCall &) = delete;
  InsideCall &operator=(const InsideCall &) = delete;

private:
  BuildContext &context_;
  CallFrame &frame_;
};

/// Makes the place of the current call the current one again, while it lives.
class InsideCaller {
public:
  explicit InsideCaller(BuildContext &context);
  ~InsideCaller();
  InsideCaller(const InsideCaller &) = delete;
  InsideCaller &operator=(const InsideCaller &) = delete;

private:
  BuildContext &context_;
  LocalPlace body_;
};

/// Makes the first `count` names behind the current `where` the only ones, while it lives, with the
/// loop indices that they see.
class InsideBinding {
public:
  InsideBinding(BuildContext &context, size_t count);
  ~InsideBinding();
  InsideBinding(const InsideBinding &) = delete;
  InsideBinding &operator=(const InsideBinding &) = delete;

private:
  BuildContext &context_;
  const WhereNames *outer_;
  WhereNames names_;
  std::vector<LoopIndex> hidden_;
};

/// Makes `names` the current ones while it lives.
class WhereScope {
public:
  WhereScope(BuildContext &context, std::span<const ast::Binding> bindings);
  ~WhereScope();
  WhereScope(const WhereScope &) = delete;
  WhereScope &operator=(const WhereScope &) = delete;
  /// Returns false after reporting a name that means something else here.
  bool check();

private:
  BuildContext &context_;
  std::unordered_map<std::string_view, size_t> places_;
  WhereNames names_;
};

} // namespace mpf
