import pickle

import mpf

m = mpf.read("a.mpf")
q: mpf.Compiled = m.compile("P(a)", observable=["b"], memory=1 << 30, timeout=3.0)
q2 = pickle.loads(pickle.dumps(q))
q.save("x.mpfb")
q3 = mpf.load("x.mpfb", device="cpu")
print(q3.ask({"b": 1}), q.kind, [v.name for v in q.variables])
