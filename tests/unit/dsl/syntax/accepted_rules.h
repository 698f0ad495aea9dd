// One or more accepted texts for every rule of the grammar in dsl/LANGUAGE.md, with their AST.
#pragma once

#include <string_view>

namespace mpf {

struct RuleCase {
  std::string_view rule;
  std::string_view text;
  std::string_view expected; ///< the AST without positions, or the errors
};

// clang-format off
inline constexpr RuleCase kAccepted[] = {
    {"file", R"(# only a comment
)",
     ""},
    {"file", R"(model m
var x : 2)",
     R"(model m
var
  x
  domain 2)"},
    {"declaration", R"(query best)",
     R"(query best)"},
    {"model", R"(model ising)",
     R"(model ising)"},
    {"include", R"(include "base.mpf")",
     R"(include "base.mpf")"},
    {"include", R"(import "net.uai")",
     R"(import "net.uai")"},
    {"domain", R"(domain yesno = { no, yes })",
     R"(domain yesno
  labels { no, yes })"},
    {"domain", R"(domain die = 6)",
     R"(domain die
  domain 6)"},
    {"domainSpec", R"(domain d = other)",
     R"(domain d
  domain other)"},
    {"domainSpec", R"(var x : n+1)",
     R"(var
  x
  domain (+ n 1))"},
    {"label", R"(domain d = { "1", "two words" })",
     R"(domain d
  labels { `1`, `two words` })"},
    {"label", R"(domain d = { low, `0-4`, größer })",
     R"(domain d
  labels { low, `0-4`, größer })"},
    {"var", R"(var w, x, y : 2)",
     R"(var
  w
  x
  y
  domain 2)"},
    {"var", R"(var s[n][n], t : { down, up })",
     R"(var
  s[n][n]
  t
  labels { down, up })"},
    {"varItem", R"(var s[2*n] : 2)",
     R"(var
  s[(* 2 n)]
  domain 2)"},
    {"param", R"(param n = 32, beta = 0.44)",
     R"(param
  n = 32
  beta = 0.44)"},
    {"paramItem", R"(param a = -1, t in 0..3)",
     R"(param
  a = (- 1)
  t in range 0 3)"},
    {"sweep", R"(param t in linspace(0, 0.5, 64))",
     R"(param
  t in linspace 0 0.5 64)"},
    {"sweep", R"(param t in [0.1, 1, -inf])",
     R"(param
  t in list 0.1 1 (- inf))"},
    {"sweep", R"(param t in 0..n-1)",
     R"(param
  t in range 0 (- n 1))"},
    {"factor", R"(factor f(x, y) = 1)",
     R"(factor f(x, y)
  1)"},
    {"factor", R"(factor c() = 0.5)",
     R"(factor c()
  0.5)"},
    {"prob", R"(prob P(rain) = [0.8, 0.2])",
     R"(prob P(rain)
  array 2: 0.8 0.2)"},
    {"prob", R"(prob P(x[t+1] | x[t], u) = input)",
     R"(prob P(x[(+ t 1)] | x[t], u)
  input)"},
    {"prob", R"(prob P(x) = noisyor)",
     R"(prob P(x)
  noisyor)"},
    {"noisy", R"(prob P(y | a, b) = noisyor(leak = 0.01, [0.9, 1 - q]))",
     R"(prob P(y | a, b)
  noisyor
    leak
      0.01
    array 2: 0.9 (- 1 q))"},
    {"noisy", R"(prob P(y | a, b) = noisymax({ no: [1, 0], yes: [0.2, 0.8] }, leak))",
     R"(prob P(y | a, b)
  noisymax
    map
      no:
        array 2: 1 0
      yes:
        array 2: 0.2 0.8
    leak)"},
    {"noisy", R"(prob P(y | a) = noisymin(file("w")))", "prob P(y | a)\n  noisymin\n    file \"w\""},
    {"varRefs", R"(factor f(a, b[1], c) = 1)",
     R"(factor f(a, b[1], c)
  1)"},
    {"item", "order s[0..n-1][2..][..][i]", "order\n  s[0..(- n 1)][2..][..][i]"},
    {"observation", R"(observe x = [0, _, yes, "1"], y[..2] = file("o.csv", "y"))",
     "observe\n  x =\n    array 4: 0 _ yes \"1\"\n  y[..2] =\n    file \"o.csv\" \"y\""},
    {"observation", R"(observe x ~ file("l.npy"))", "observe\n  x ~\n    file \"l.npy\""},
    {"varRef", "order s[i][j+1]", "order\n  s[i][(+ j 1)]"},
    {"indices", R"(query z = h[0][n-1])",
     R"(query z()
  product
    h[0][(- n 1)])"},
    {"value", R"(factor f(x) = input)",
     R"(factor f(x)
  input)"},
    {"value", R"(factor f(x) = input default [1, 2])",
     R"(factor f(x)
  input
    array 2: 1 2)"},
    {"given", R"(factor f(x) = file("h.npy"))",
     R"(factor f(x)
  file "h.npy")"},
    {"file", R"(factor f(x) = file("t.npz", "A"))", "factor f(x)\n  file \"t.npz\" \"A\""},
    {"given", R"(factor f(x) = input default normalise(file("h.npy")))",
     R"(factor f(x)
  input
    normalise
      file "h.npy")"},
    {"given", R"(factor f(x) = exp(file("l.npy")))", "factor f(x)\n  exp\n    file \"l.npy\""},
    {"inlineValue", R"(factor f(x) = 2 * x)",
     R"(factor f(x)
  (* 2 x))"},
    {"array", R"(factor f(x, y) = [[0.1, 0.9], [0.6, 0.4]])",
     R"(factor f(x, y)
  array 2 x 2: 0.1 0.9 0.6 0.4)"},
    {"array", R"(factor f(x, y) = [
  1, # one
  2
])",
     R"(factor f(x, y)
  array 2: 1 2)"},
    {"element", R"(factor f(x) = [1 - p, 1/3, -2, -inf, .5, 1e-3])",
     R"(factor f(x)
  array 6: (- 1 p) (/ 1 3) -2 -inf 0.5 0.001)"},
    {"map", R"(factor f(x) = { no: 0.8, default: 0.2 })",
     R"(factor f(x)
  map
    no:
      0.8
    default:
      0.2)"},
    {"entry", R"(factor f(x, y) = { (no, 1): 0.5, yes: [1, 2], 2: { a: 1 }, default: 0 })",
     R"(factor f(x, y)
  map
    no, 1:
      0.5
    yes:
      array 2: 1 2
    2:
      map
        a:
          1
    default:
      0)"},
    {"key", R"(factor f(x) = { "1": 1, -1: 2, 01: 3 })",
     R"(factor f(x)
  map
    `1`:
      1
    -1:
      2
    01:
      3)"},
    {"key", R"(factor f(x) = { 0: 1, `0-4`: 2 })",
     R"(factor f(x)
  map
    0:
      1
    `0-4`:
      2)"},
    {"for", R"(for i in 0..n, j in 0..i: factor h(s[i][j]) = 1)",
     R"(for
  i in 0 .. n
  j in 0 .. i
  factor h(s[i][j])
    1)"},
    {"for", R"(for i in 0..n { factor a(x[i]) = 1 prob P(x[i]) = [1] })",
     R"(for
  i in 0 .. n
  factor a(x[i])
    1
  prob P(x[i])
    array 1: 1)"},
    {"block", R"(for i in 0..2: { order x[i] > y })",
     R"(for
  i in 0 .. 2
  order
    x[i] > y)"},
    {"observe", R"(observe wet = yes, rain ~ [0.3, 0.7])",
     R"(observe
  wet = yes
  rain ~
    array 2: 0.3 0.7)"},
    {"observe", R"(observe cases file("cases.csv"))",
     R"(observe cases file "cases.csv")"},
    {"observe", R"(observe cases = 1)",
     R"(observe
  cases = 1)"},
    {"observation", R"(observe s[0] ~ { no: 0.3, yes: 0.7 })",
     R"(observe
  s[0] ~
    map
      no:
        0.3
      yes:
        0.7)"},
    {"observation", R"(observe x ~ posterior 0.5, y ~ posterior exp([0, -1]))",
     R"(observe
  x ~ posterior
    0.5
  y ~ posterior
    exp
      array 2: 0 -1)"},
    {"observation", R"(observe x ~ posterior, do = 1, do(x[i] = yes))",
     R"(observe
  x ~
    posterior
  do = 1
  do(x[i] = yes))"},
    {"observation", R"(observe x = 2)",
     R"(observe
  x = 2)"},
    {"order", R"(order x > z > w > y, a > b)",
     R"(order
  x > z > w > y
  a > b)"},
    {"chain", R"(order s[0] > t)",
     R"(order
  s[0] > t)"},
    {"query", R"(query evidence)",
     R"(query evidence)"},
    {"shortForm", R"(query marginals query best query gradient)",
     R"(query marginals
query best
query gradient)"},
    {"shortForm", "query marginals(x[0..2], y)", "query marginals(x[0..2], y)"},
    {"conditions", "query P(a | b = 1)", "query P(a)\n  observe\n    b = 1"},
    {"condition", "query P(a | b, c = 1, d[2])", "query P(a | b, d[2])\n  observe\n    c = 1"},
    {"condition", "query P(a, b | c) : f32", "query P(a, b | c) : f32"},
    {"shortForm", "query samples(10*k)", "query samples (* 10 k)"},
    {"shortForm", "query P(rain, s[1])", "query P(rain, s[1])"},
    {"explicitForm", R"(query k(x, z) = sum(w, y) f * g * h)",
     R"(query k(x, z)
  sum(w, y)
  product *
    f
    g
    h)"},
    {"elementType", R"(query evidence : u128 query n(x) : u64 = count() f and g)",
     R"(query evidence : u128
query n(x) : u64
  count()
  product and
    f
    g)"},
    {"explicitForm", R"(query k() = f)",
     R"(query k()
  product
    f)"},
    {"explicitForm", R"(query `best` = max() (f * g))",
     R"(query best()
  max()
  product *
    f
    g)"},
    {"reduction", R"(query m = max(a) sum(b) logsum(c) min(d) any(e) argmin(g) argmax(h) count() f)",
     R"(query m()
  max(a)
  sum(b)
  logsum(c)
  min(d)
  any(e)
  argmin(g)
  argmax(h)
  count()
  product
    f)"},
    {"product", R"(query k = sum() f * g)",
     R"(query k()
  sum()
  product *
    f
    g)"},
    {"product", R"(query k = logsum() f + g)",
     R"(query k()
  logsum()
  product +
    f
    g)"},
    {"product", R"(query k = any() f and g)",
     R"(query k()
  any()
  product and
    f
    g)"},
    {"factorRef", R"(query k = sum() P(x[1]) * h[2] * P)",
     R"(query k()
  sum()
  product *
    P(x[1])
    h[2]
    P)"},
    {"expression", R"(param a = x == 1 ? 2 : y ? 3 : 4)",
     R"(param
  a = (? (== x 1) 2 (? y 3 4)))"},
    {"disjunction", R"(param a = p || q || r)",
     R"(param
  a = (|| (|| p q) r))"},
    {"conjunction", R"(param a = p && q || r && s)",
     R"(param
  a = (|| (&& p q) (&& r s)))"},
    {"comparison", R"(param a = p + 1 <= q, b = p != q)",
     R"(param
  a = (<= (+ p 1) q)
  b = (!= p q))"},
    {"sum", R"(param a = 1 - 2 + 3)",
     R"(param
  a = (+ (- 1 2) 3))"},
    {"term", R"(param a = 2 * 3 / 4 + 5)",
     R"(param
  a = (+ (/ (* 2 3) 4) 5))"},
    {"unary", R"(param a = -!-x)",
     R"(param
  a = (- (! (- x))))"},
    {"power", R"(param a = -2^2, b = 2^3^2, c = 2^-1)",
     R"(param
  a = (- (^ 2 2))
  b = (^ 2 (^ 3 2))
  c = (^ 2 (- 1)))"},
    {"primary", R"(factor f(x) = x == "1")",
     R"(factor f(x)
  (== x "1"))"},
    {"primary", R"(param a = (1 + s[i][j]) * inf)",
     R"(param
  a = (* (+ 1 s[i][j]) inf))"},
    {"call", R"(param a = min(1, 2, exp(x)))",
     R"(param
  a = (min 1 2 (exp x)))"},
    {"function", R"(factor f(x) = state(x) == 1)",
     R"(factor f(x)
  (== (state x) 1))"},
    {"function", R"(param a = exp(1) + log(1) + log2(1) + sqrt(1) + abs(1) + min(1) + max(1))",
     R"(param
  a = (+ (+ (+ (+ (+ (+ (exp 1) (log 1)) (log2 1)) (sqrt 1)) (abs 1)) (min 1)) (max 1)))"},
    {"name", R"(var `two words`, `order`, `a\`b\x01` : 2)",
     R"(var
  `two words`
  `order`
  `a\`b\x01`
  domain 2)"},
    {"plainName", R"(var _a1, θ, P, file, batch, sum : 2)",
     R"(var
  _a1
  θ
  P
  file
  batch
  sum
  domain 2)"},
    {"number", R"(param a = 0, b = 12.5, c = 1., d = .5, e = 2e3, f = 2.5E-3)",
     R"(param
  a = 0
  b = 12.5
  c = 1.
  d = 0.5
  e = 2e3
  f = 0.0025)"},
    {"string", R"(include "a \"b\" \\ \n")",
     R"(include "a \"b\" \\ \n")"},
    {"escape", R"(include "\\ \" \` \n \t \r \x7f")",
     R"(include "\\ \" ` \n \t \r \x7f")"}
};
// clang-format on

} // namespace mpf
