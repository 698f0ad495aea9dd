import mpf

m = mpf.read("alarm.bif")
page = m.explain("marginals")
best = m.best(cases={"x": ["a", None], "y": [0, 1]})
rows: mpf.BestRows = best
print(rows.states.shape, rows["x"], rows.to_frame())
