// Accepted texts of the rules for arrays, lists, folds and functions, with their AST, and
// all accepted texts.
#pragma once

#include "tests/unit/dsl/syntax/accepted_rules.h"

#include <iterator>
#include <vector>

namespace mpf {

// clang-format off
inline constexpr RuleCase kAcceptedArrays[] = {
    {"var", R"(var a, b : 2, c : 3)",
     R"(var
  a
  b
  domain 2
  c
  domain 3)"},
    {"varGroup", R"(var x[n] : { no, yes }, y : x)",
     R"(var
  x[n]
  labels { no, yes }
  y
  domain x)"},
    {"domainSpec", R"(domain word = file("vocab.txt"))",
     R"(domain word
  file "vocab.txt")"},
    {"sweep", R"(param t in file("t.npy"), u in file("t.npz", "u"))",
     R"(param
  t in
    file "t.npy"
  u in
    file "t.npz" "u")"},
    {"sweep", R"(param t in times, u in w[2])",
     R"(param
  t in
    times
  u in
    w[2])"},
    {"paramItem", R"(param A[3][room][] = file("A.npz", "A"), n, w[] = [1, 2 * n], m[room] = { default: 1 })",
     R"(param
  A[3][room][] =
    file "A.npz" "A"
  n
  w[] =
    array 2: 1 (* 2 n)
  m[room] =
    map
      default:
        1)"},
    {"param", R"(param n)",
     R"(param
  n)"},
    {"def", R"(def mendel(f, m : geno) = [1 - f, f * m])",
     R"(def mendel
  f
  m
    domain geno
  array 2: (- 1 f) (* f m))"},
    {"def", R"(def off(p) = 1 - p)",
     R"(def off
  p
  (- 1 p))"},
    {"argument", R"(def f(a : 3, b : { no, yes }) = a)",
     R"(def f
  a
    domain 3
  b
    labels { no, yes }
  a)"},
    {"where", R"(prob P(x | y) = [q, 1 - q] where q = y == a ? 0.5 : p, p = 2)",
     R"(prob P(x | y)
  array 2: q (- 1 q)
  where q = (? (== y a) 0.5 p)
  where p = 2)"},
    {"binding", R"(factor f(x) = input default w where w = 2)",
     R"(factor f(x)
  input
    w
  where w = 2)"},
    {"range", R"(for i in 0..n if i % 2 == 0, j in checks[i]: observe x[j] = 0)",
     R"(for
  i in 0 .. n if (== (% i 2) 0)
  j in checks[i]
  observe
    x[j] = 0)"},
    {"ranges", R"(for i in a+1..2*n, j in nonzero(w[i]): observe x[i] = 0)",
     R"(for
  i in (+ a 1) .. (* 2 n)
  j in (nonzero w[i])
  observe
    x[i] = 0)"},
    {"list", R"(for i in [0, n - 1]: observe x[i] = 0)",
     R"(for
  i in (list 0 (- n 1))
  observe
    x[i] = 0)"},
    {"list", R"(for i in checks[j]: observe x[i] = 0)",
     R"(for
  i in checks[j]
  observe
    x[i] = 0)"},
    {"term", R"(param a = 7 % 2 * 3)",
     R"(param
  a = (* (% 7 2) 3))"},
    {"call", R"(factor f(x) = mendel(x, 1) + g(x))",
     R"(factor f(x)
  (+ (mendel x 1) (g x)))"},
    {"function", R"(param a = log10(1) + floor(1) + ceil(1) + round(1) + erf(1) + lgamma(1) + size(A) + size(A, 1))",
     R"(param
  a = (+ (+ (+ (+ (+ (+ (+ (log10 1) (floor 1)) (ceil 1)) (round 1)) (erf 1)) (lgamma 1)) (size A)) (size A 1)))"},
    {"fold", R"(param a = sum(i in 0..3, j in [1, 2] if i != j: A[i][j]))",
     R"(param
  a = (sum (in i (.. 0 3)) (in j (list 1 2) (!= i j)) A[i][j]))"},
    {"fold", R"(param a = prod(i in w: i) + min(i in w: i) + max(i in w: i) + any(i in w: i) + all(i in w: i) + count(i in w: i))",
     R"(param
  a = (+ (+ (+ (+ (+ (prod (in i w) i) (min (in i w) i)) (max (in i w) i)) (any (in i w) i)) (all (in i w) i)) (count (in i w) i)))"},
};
// clang-format on

inline std::vector<RuleCase> acceptedRules() {
  std::vector<RuleCase> rules(std::begin(kAccepted), std::end(kAccepted));
  rules.insert(rules.end(), std::begin(kAcceptedArrays), std::end(kAcceptedArrays));
  return rules;
}

} // namespace mpf
