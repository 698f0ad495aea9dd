import numpy as np

import mpf

a, b = np.ones((2, 3)), np.ones((3, 4))
c = mpf.einsum("ij,jk->ik", a, b)
print(c.shape)
d = mpf.einsum("ij,jk->ik", a, b, semiring="max-product")
