import mpf

m = mpf.read("a.bif")
for name, variable in m.variables.items():
    print(name, len(variable), variable.labels)
for name, factor in m.factors.items():
    print(factor.name, factor.scope, factor.values)
m.set("P(x)", [0.5, 0.5])
m.observe({"x": "yes"})
m.unobserve("x")
m.write("b.net")
print(m.evidence, m.queries, m.params)
