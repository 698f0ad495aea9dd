"""Tests the reader of classes with the forms of C++ that could mislead it."""
from classes import classesOf

TEXT = r'''
#define MADE(x) \
  class x {
template <class T, int N = (3 > 2)> struct Plain {
  int a = 1, b{2}, c[4][2];  // int d;
  std::map<int, std::vector<T>> m, n = f(1, 2);
  static constexpr int kNone = 0;
  static int shared;
  const char *text = "class X { void f(); int y; };";
  char quote = '"';
  uint64_t many = 1'000'000;
  std::function<void(int, T)> call;
  int (*pointer)(int, int) = nullptr;
  std::array<int, N> values{{1, 2}};
  unsigned bits : 3;
  union { int u; float v; };
  bool operator==(const Plain &) const = default;
  int size() const { return a < b && c[0] > m ? 1 : 2; }
};
class Forward;
enum class Kind { One, Two };
namespace mpf {
class alignas(64) Busy final : public Base<int, Plain<int>>, private Other {
public:
  explicit Busy(int a, std::vector<int> b = {1, 2}) : Base{a}, other_{b}, third_(c) { work(); }
  Busy();
  ~Busy() override;
  Busy(const Busy &) = delete;
  Busy &operator=(const Busy &) = delete;
  Busy &operator=(Busy &&other) noexcept;
  void set(int a);
  void set(double b) { if (b) { a = b; } }
  template <class F> requires std::invocable<F> auto visit(F &&f) const -> decltype(f(1)) { return f(1); }
  std::vector<int> get() const;
  bool operator()(int a) const { return a; }
  bool operator<(const Busy &b) const;
  [[nodiscard]] std::pair<int, int> both() const noexcept { struct Local { void go(); int l; }; return {a[i[0]], 2}; }
  static Busy make();
  operator bool() const { return true; }
  friend class Forward;
  friend bool same(const Busy &a, const Busy &b) { return &a == &b; }
  using Base::Base;
  static_assert(sizeof(int) == 4);
  struct Inner { int x, y; Inner *next; } inner_;
  enum class State { Off, On };
private:
  struct Later;
  decltype(auto) odd() { return R"(} class Raw { int a; )"; }
  State state_ = State::Off;
  std::unique_ptr<Later> later_;
  int Busy::*field_ = nullptr;
  const std::vector<int> &list_;
};
}
void outside() { class Hidden { int a; void go() {} }; auto f = [](int x) { return x; }; }
struct Busy::Later { int one; };
'''

EXPECTED = {
    "Plain": (["operator==", "size"],
              ["a", "b", "c", "m", "n", "shared", "text", "quote", "many", "call", "pointer", "values", "bits",
               "u", "v"], False),
    "Busy": (["Busy", "both", "get", "make", "odd", "operator()", "operator<", "operator=", "operatorbool",
              "set", "visit", "~Busy"],
             ["inner_", "state_", "later_", "field_", "list_"], True),
    "Busy::Local": (["go"], ["l"], True),
    "Busy::Inner": ([], ["x", "y", "next"], False),
    "Hidden": (["go"], ["a"], True),
    "Busy::Later": ([], ["one"], False),
}

found = {read.name: (sorted(read.functions), read.data, read.changes) for read in classesOf(TEXT)}
for name in sorted(set(found) | set(EXPECTED)):
    assert found.get(name) == EXPECTED.get(name), f"{name}: {found.get(name)}, not {EXPECTED.get(name)}"
line = 1 + TEXT[:TEXT.index("class alignas(64) Busy")].count("\n")
assert [read.line for read in classesOf(TEXT) if read.name == "Busy"] == [line]
for text in ("struct A { void f() { ; };", "class A { int b[3; };"):
    try:
        classesOf(text)
    except ValueError as error:
        assert "line 1" in str(error), error
    else:
        raise AssertionError(f"no error: {text}")
