"""One bucket for other programs: the entries that mpf-bench uses, and the same check of results.

Tables are dense and row-major over digits; `operands` and `result` of an exported bucket list the
digits of each table (mpf-bench buckets --export).
"""
import numpy as np

ALIGN_BYTES = 256  # between operands, as in bucket_values.cpp
CHUNK = 1 << 22


def valuesAt(first, count):
    """bucket_values.cpp valueAt: a hash of the place, uniform in [0.5, 1)."""
    with np.errstate(over="ignore"):
        bits = np.arange(first + 1, first + count + 1, dtype=np.uint64)
        bits *= np.uint64(0x9E3779B97F4A7C15)
        bits = (bits ^ (bits >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
        bits ^= bits >> np.uint64(32)
    return 0.5 + (bits >> np.uint64(12)).astype(np.float64) * 2.0 ** -53


def filledEntries(count, dtype, form):
    """The array that all operands are cut from: values, or their log2."""
    entries = np.empty(count, dtype)
    for first in range(0, count, CHUNK):
        values = valuesAt(first, min(CHUNK, count - first))
        entries[first:first + len(values)] = np.log2(values) if form == "log" else values
    return entries


class Bucket:
    """Shapes and places of one exported bucket; immutable."""

    def __init__(self, exported):
        self.set, self.name = exported["set"], exported["name"]
        self.operations = exported["operations"]
        self.extents = exported["extents"]
        self.operands = exported["operands"]
        self.result = exported["result"]
        self.reduced = [d for d in range(len(self.extents)) if d not in self.result]

    def shape(self, digits):
        return tuple(self.extents[d] for d in digits)

    def size(self, digits):
        return int(np.prod(self.shape(digits), dtype=np.int64))

    def addresses(self):
        return self.size(range(len(self.extents)))

    def places(self, itemBytes):
        """Returns the start of each operand, then the end of the last one."""
        align, places, end = ALIGN_BYTES // itemBytes, [], 0
        for digits in self.operands:
            start = (end + align - 1) // align * align
            places.append(start)
            end = start + self.size(digits)
        return places + [end]

    def tables(self, entries, itemBytes):
        """Operands as views into `entries` (NumPy or torch)."""
        return [entries[place:place + self.size(digits)].reshape(self.shape(digits))
                for place, digits in zip(self.places(itemBytes), self.operands)]

    def worstError(self, tables, form, readEntry, samples=50, seed=20080607):
        """Greatest relative error of the values of seeded entries, recomputed in long double.
        `tables` are NumPy arrays; `readEntry` takes the index tuple of a result entry."""
        random, worst = np.random.default_rng(seed), 0.0
        for _ in range(samples):
            index = tuple(int(random.integers(n)) for n in self.shape(self.result))
            at = dict(zip(self.result, index))
            product = np.ones((), np.longdouble)
            for table, digits in zip(tables, self.operands):
                part = table[tuple(at.get(d, slice(None)) for d in digits)].astype(np.longdouble)
                kept = [d for d in digits if d in self.reduced]
                order = sorted(range(len(kept)), key=lambda i: kept[i])
                shape = [self.extents[d] if d in kept else 1 for d in self.reduced]
                part = part.transpose(order).reshape(shape)
                product = product * (np.exp2(part) if form == "log" else part)
            expected = product.sum()
            found = np.longdouble(readEntry(index))
            error = abs(found - np.log2(expected)) * np.log(np.longdouble(2)) if form == "log" \
                else abs(found - expected) / expected
            if not np.isfinite(error):
                return float("inf")
            worst = max(worst, float(error))
        return worst

    def tolerance(self, dtype):
        return float(np.finfo(dtype).eps) / 2 * (32 + self.size(self.reduced))


def asMatrices(bucket):
    """Digits (batch, rows, columns, summed) when the bucket is a product of two matrices."""
    if len(bucket.operands) != 2:
        return None
    left, right = (set(digits) for digits in bucket.operands)
    batch = [d for d in bucket.result if d in left and d in right]
    rows = [d for d in bucket.result if d in left and d not in right]
    columns = [d for d in bucket.result if d in right and d not in left]
    if any(d not in left or d not in right for d in bucket.reduced) or not bucket.reduced:
        return None
    return batch, rows, columns, bucket.reduced
