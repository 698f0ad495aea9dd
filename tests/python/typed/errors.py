import mpf

try:
    mpf.read("none.bif")
except mpf.BadInput as error:
    print(error.kind, error.places)
except (mpf.MemoryBound, mpf.TimeLimit, mpf.Overflow) as other:
    raise SystemExit(str(other))
