"""mpf.einsum against numpy.einsum, and against sums over every assignment for other semirings."""
import itertools
import unittest

import numpy as np

import mpf

# Expressions of opt_einsum's tests, and edge cases.
EXPRESSIONS = """
a,ab,abc->abc a,b,ab->ab ea,fb,gc,hd,abcd->efgh ea,fb,abcd,gc,hd->efgh abcd,ea,fb,gc,hd->efgh
acdf,jbje,gihb,hfac,gfac,gifabc,hfac acdf,jbje,gihb,hfac,gfac,gifabc,hfac->a
abhe,hidj,jgba,hiab,gab bde,cdh,agdb,hica,ibd,hgicd,hiac bdk,bdj,cdh,hgicd->kjg
ab,ab,c-> ab,ab,c->c ab,ab,cd,cd-> ab,ab,cd,cd->ac ab,ab,cd,cd->cd ab,ab,cd,cd,ef,ef->
ab,cd,ef->abcdef ab,cd,ef->acdf ab,cd,de->abcde ab,cd,de->be ab,bcd,cd->abcd
eb,cb,fb->cef dd,fb,be,cdb->cef bca,cdb,dbf,afc-> dcc,fce,ea,dbf->ab fdf,cdd,ccd,afe->ae abcd,ad
ed,fcd,ff,bcf->be baa,dcf,af,cde->be bd,db,eac->ace fff,fae,bef,def->abd efc,dbc,acf,fd->abe
ba,ac,da->bcd aab,fa,df,ecc->bde ecb,fef,bad,ed->ac bcf,bbb,fbf,fc-> bb,ff,be->e bcb,bb,fc,fff->
fbb,dfd,fc,fc-> afd,ba,cc,dc->bf adb,bc,fa,cfc->d bbd,bda,fc,db->acf dba,ead,cad->bce aef,fbc,dca->bde
ab,ba ab->ba ab-> aa->a aaa-> a-> a->a ,-> ,a->a a,-> ,,-> ab,b->a
""".split()
ELLIPSES = ["...a->...", "a...->...a", "...ab,...bc->...ac", "a...,b...->ab...", "...,a->a...", "...->...", "ab...,b->a...",
            "...a,a->...", "...aa->...a"]


class EinsumTest(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(22)

    def operands(self, expression, sizes=None, kind=float):
        letters = sorted(set(expression) & set("abcdefghijklmnopqrstuvwxyz"))
        sizes = sizes or {letter: int(self.random.integers(1, 4)) for letter in letters}
        shapes = [[sizes[letter] for letter in part] for part in expression.split("->")[0].split(",")]
        if kind is float:
            return [self.random.standard_normal(shape) for shape in shapes]
        return [self.random.integers(0, 9, shape).astype(kind) for shape in shapes]

    def check(self, *arguments):
        wanted = np.einsum(*arguments)
        found = mpf.einsum(*arguments)
        self.assertEqual(found.dtype, wanted.dtype)
        self.assertEqual(found.shape, np.shape(wanted))
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-11)

    def test_expressions(self):
        for expression in EXPRESSIONS:
            with self.subTest(expression):
                self.check(expression, *self.operands(expression))
                self.check(expression, *self.operands(expression))

    def test_ellipses(self):
        for expression in ELLIPSES:
            with self.subTest(expression):
                parts = expression.split("->")[0].split(",")
                for wide in ((), (2,), (2, 3)):
                    operands = [self.random.standard_normal([*([3] * part.index("...") if "..." in part else []), *wide,
                                                             *[3] * (len(part) - part.index("...") - 3)])
                                if "..." in part else self.random.standard_normal([3] * len(part)) for part in parts]
                    self.check(expression, *operands)
        self.check("...a,...a->...", np.ones((2, 1, 3)), np.ones((4, 3)))  # axes stretch and align at the right

    def test_lists(self):
        x, y = self.random.standard_normal((2, 3)), self.random.standard_normal((3, 4))
        self.check(x, [0, 1], y, [1, 2])
        self.check(x, [0, 1], y, [1, 2], [2, 0])
        np.testing.assert_allclose(mpf.einsum(x, ["i", ("j", 1)], y, [("j", 1), 7.5], [7.5, "i"]), (x @ y).T)
        np.testing.assert_allclose(mpf.einsum("αβ,βγ->γα", x, y), (x @ y).T)

    def test_axes_of_length_1_stretch(self):
        self.check("ab,ab->ab", np.ones((1, 3)), self.random.standard_normal((4, 3)))
        self.check("ab,ab->", np.ones((1, 3)), self.random.standard_normal((4, 3)))
        self.check("a,a->a", np.ones(1), np.ones(1))

    def test_empty_axes(self):
        self.check("ab,bc->ac", np.ones((2, 0)), np.ones((0, 3)))
        self.check("ab->a", np.ones((0, 3)))

    def test_strides(self):
        x = self.random.standard_normal((6, 8))
        self.check("ab,cb->ac", x[::2, ::-2], x[::-1, 1::2])
        self.check("aa->a", x[:, 2:])
        self.check("ab->b", np.asfortranarray(x))

    def test_types(self):
        for kind in ("f4", "f8", "i8", "i4", "u8", "?", "f2"):
            with self.subTest(kind):
                expression = "ab,bc,cd->ad"
                operands = self.operands(expression, dict(a=2, b=3, c=4, d=2), kind)
                found, wanted = mpf.einsum(expression, *operands), np.einsum(expression, *operands)
                self.assertEqual(found.dtype, wanted.dtype)
                np.testing.assert_allclose(found, wanted, rtol=1e-2 if kind == "f2" else 1e-5)
        negative = np.array([[-3, 2], [5, -7]])
        self.check("ab,bc->ac", negative, negative)
        self.check("ab,b->a", negative.astype(float), np.array([1, 2]))
        self.assertEqual(mpf.einsum("a->", np.ones(3), dtype="f4").dtype, np.float32)

    def test_integers_are_exact_or_refused(self):
        big = np.array([[1 << 40, 1], [1, (1 << 40) - 1]])
        self.assertEqual(mpf.einsum("a,a->", big[0] >> 10, big[1] >> 10), 0)
        with self.assertRaises(mpf.Overflow):
            mpf.einsum("ab,bc->ac", big, big)
        with self.assertRaises(mpf.Overflow):
            mpf.einsum("ab,bc->ac", big, -big)
        with self.assertRaisesRegex(mpf.Overflow, "uint8"):
            mpf.einsum("a,b->ab", np.array([200], "u1"), np.array([200], "u1"))
        with self.assertRaisesRegex(mpf.Overflow, "2\\^53"):
            mpf.einsum("a->", np.array([(1 << 53) + 1]))
        cancelling = np.array([1 << 52, 1, -(1 << 52)])
        with self.assertRaises(mpf.Overflow):  # the sum is 4, but doubles lose it on the way
            mpf.einsum("a,b->", cancelling, np.array([4]))

    def test_semirings(self):
        for semiring, reduce, combine in [("max-product", np.max, np.multiply), ("max-sum", np.max, np.add),
                                          ("min-sum", np.min, np.add)]:
            for expression in ("ab,bc,cd->ad", "ab,bc,ca->", "ab,b,bc->ac", "aab,b->a"):
                for _ in range(3):
                    operands = self.operands(expression)
                    if semiring == "max-product":
                        operands = [abs(operand) for operand in operands]
                    found = mpf.einsum(expression, *operands, semiring=semiring)
                    np.testing.assert_allclose(found, self.brute(expression, operands, reduce, combine), atol=1e-12)
        self.assertEqual(mpf.einsum("a->", np.empty(0), semiring="min-sum"), np.inf)

    @staticmethod
    def brute(expression, operands, reduce, combine):
        left, output = expression.split("->")
        inputs = left.split(",")
        sizes = {letter: size for part, operand in zip(inputs, operands) for letter, size in zip(part, operand.shape)}
        entries = {}
        for states in itertools.product(*(range(size) for size in sizes.values())):
            at = dict(zip(sizes, states))
            value = operands[0][tuple(at[letter] for letter in inputs[0])]
            for part, operand in zip(inputs[1:], operands[1:]):
                value = combine(value, operand[tuple(at[letter] for letter in part)])
            entries.setdefault(tuple(at[letter] for letter in output), []).append(value)
        table = np.empty([sizes[letter] for letter in output])
        for place, values in entries.items():
            table[place] = reduce(values)
        return table

    def test_beyond_pairs(self):
        letters = [chr(0x4E00 + i) for i in range(60)]  # more than NumPy's 52 letters, rank 0 result
        chain = ",".join(a + b for a, b in zip(letters, letters[1:]))
        matrices = [self.random.random((3, 3)) for _ in letters[1:]]
        wanted = np.linalg.multi_dot([*matrices, np.ones((3, 1))]).sum()
        self.assertAlmostEqual(mpf.einsum(chain + "->", *matrices) / wanted, 1, places=10)

    def test_out(self):
        x = self.random.standard_normal((3, 3))
        out = np.empty((3, 3))
        self.assertIs(mpf.einsum("ab,bc->ac", x, x, out=out), out)
        np.testing.assert_allclose(out, x @ x)
        with self.assertRaises(mpf.BadInput):
            mpf.einsum("ab->a", x, out=out)

    def test_refused(self):
        x = np.ones((2, 3))
        for arguments, kind, text in [
                ((), mpf.BadInput, "expression"),
                (("ab,bc", x), mpf.BadInput, "2 operands, 1 are given"),
                (("abc", x), mpf.BadInput, "operand 0 has 2 axes"),
                (("a", x), mpf.BadInput, "operand 0 has 2 axes"),
                (("ab->c", x), mpf.BadInput, "'c', which no operand has"),
                (("ab->aa", x), mpf.BadInput, "'a' twice"),
                (("ab,ba->", x, x), mpf.BadInput, "the letter b has sizes 3 and 2"),
                (("...a...", x), mpf.BadInput, "two ellipses"),
                (("a.b", x), mpf.BadInput, "no list of subscripts"),
                (("ab->a->b", x), mpf.BadInput, "no list of subscripts"),
                (("ab", x.astype(complex)), TypeError, "complex128"),
                (("ab", x.astype(object)), TypeError, "object"),
                (("a", np.array(["2020-01-01"], "M8[D]")), TypeError, "datetime64"),
                (("a", np.ones(3, np.longdouble)), TypeError, "float128")]:
            with self.assertRaisesRegex(kind, text):
                mpf.einsum(*arguments)
        with self.assertRaisesRegex(TypeError, "complex"):
            mpf.einsum("ab", x, dtype=complex)
        with self.assertRaisesRegex(mpf.Usage, "semiring"):
            mpf.einsum("ab", x, semiring="tropical")
        with self.assertRaisesRegex(mpf.BadInput, "f0"):
            mpf.einsum("ab->a", -x, semiring="max-product")
        with self.assertRaises(mpf.MemoryBound):
            mpf.einsum("ab,cd,ef->abcdef", *[np.ones((40, 40))] * 3, memory=1 << 20)

    def test_pairwise(self):
        x, y = self.random.standard_normal((2, 3, 4)), self.random.standard_normal((4, 3, 5))
        for axes in ([[1, 2], [1, 0]], [[-1], [0]], 0):
            np.testing.assert_allclose(mpf.tensordot(x, y, axes), np.tensordot(x, y, axes), atol=1e-12)
        np.testing.assert_allclose(mpf.tensordot(x, y, 1), np.tensordot(x, y, 1), atol=1e-12)
        np.testing.assert_array_equal(mpf.transpose(x, (2, 0, 1)), np.transpose(x, (2, 0, 1)))
        with self.assertRaises(mpf.BadInput):
            mpf.tensordot(x, y, [[0], [0]])
        try:
            import opt_einsum
        except ImportError:
            self.skipTest("opt_einsum is not installed")
        for expression in EXPRESSIONS:
            operands = self.operands(expression)
            np.testing.assert_allclose(opt_einsum.contract(expression, *operands, backend="mpf"),
                                       np.einsum(expression, *operands), rtol=1e-9, atol=1e-11)


if __name__ == "__main__":
    unittest.main()
