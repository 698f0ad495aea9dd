import mpf

m = mpf.read("a.bif")
marginals = m.marginals(given={"x": [0.1, 0.9]})
for name, table in marginals.items():
    print(name, table)
print(marginals.log_evidence)
value = m.query("total() = sum() f * g", type="u64")
