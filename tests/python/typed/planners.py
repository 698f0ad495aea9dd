import mpf

optimizer = mpf.PathOptimizer()
path = optimizer([set("ab"), set("bc")], set("ac"), {"a": 2, "b": 3, "c": 4}, None)
print(path)
net = mpf.read("a.bif")
bn = mpf.to_pyagrum(net)
back = mpf.from_pyagrum(bn)
