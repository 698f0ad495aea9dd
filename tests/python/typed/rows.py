import numpy as np
import numpy.typing as npt

import mpf

rows: npt.NDArray[np.int8] = np.zeros((5, 2), np.int8)
m = mpf.parse("var a, b : 2\nprob P(a) = [0.5, 0.5]\nprob P(b | a) = [[0.5, 0.5], [0.1, 0.9]]")
logs = m.log_evidence(cases=rows)
print(logs.shape)
table: mpf.RowTable = m.posterior("a", cases=rows)
print(np.asarray(table).shape, table.to_frame())
