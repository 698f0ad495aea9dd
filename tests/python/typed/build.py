import numpy as np

import mpf

m = mpf.Network("sprinkler")
m.var("rain", ["no", "yes"])
m.var("wet", 2)
m.prob("rain", [0.8, 0.2])
m.prob("wet", np.array([[0.9, 0.1], [0.2, 0.8]]), given=["rain"])
log: float = m.log_evidence(given={"wet": 1})
best: mpf.Best = m.best(given={"wet": 1})
label: str = best["rain"]
