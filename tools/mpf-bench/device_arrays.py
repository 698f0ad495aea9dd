"""Times of cases in arrays on a GPU, asked from Python, beside the kernel of lanes that answers them.

Draws rows from MODEL.bif and hides four cells of five. Their codes lie on the GPU as arrays of torch. First the answers
to 20,000 rows are compared with those of the CPU. Then a table in Markdown has a row for each type and layout. It has
the microseconds of a call, and the same over the time of the kernel of lanes that reads words. `runOnDevice` takes the
latter; a list of int32 measures it. A call's time is the least of five rounds of 50 calls that wait behind each other on
one stream, by events of the device. The times of kernels are means of torch's profiler. Lanes read rows of bytes
themselves.

usage: device_arrays.py MODEL.bif [ROWS]    (needs the packages mpf and torch, and a GPU)
"""
import sys

import numpy as np
import torch

import mpf

CHECKED_ROWS = 20_000
ROUNDS, CALLS = 5, 50
HIDDEN_SHARE = 0.8
TYPES = (torch.int8, torch.int32, torch.int64, torch.float32)


def drawCodes(network, rows):
    """Returns codes of rows x variables; -1 hides a cell. Each cell is a state of its own variable."""
    random = np.random.default_rng(3)
    codes = np.stack([random.integers(0, len(variable), rows) for variable in network.variables.values()], axis=1)
    codes[random.random(codes.shape) < HIDDEN_SHARE] = -1
    return codes.astype(np.int8)


def layoutsOf(codes, kind):
    """Yields pairs of a name and the same cases in one layout."""
    rows = torch.tensor(codes, device="cuda").to(kind)
    yield "rows", rows
    yield "columns", rows.t().contiguous().t()


def microsecondsOf(call):
    """Returns the least mean of a call's time on the device."""
    least = float("inf")
    for _ in range(ROUNDS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(CALLS):
            call()
        end.record()
        end.synchronize()
        least = min(least, begin.elapsed_time(end) * 1e3 / CALLS)
    return least


def kernelsOf(call):
    """Returns the mean microseconds of each kernel of a call, longest first."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        for _ in range(CALLS):
            call()
        torch.cuda.synchronize()
    times = [(event.key, event.device_time_total / CALLS) for event in profile.key_averages()]
    return sorted((pair for pair in times if pair[1] > 0), key=lambda pair: -pair[1])


def main(path, rows=1_000_000):
    network = mpf.read(path)
    query = network.compile("evidence", device="gpu", states="numbers")
    codes = drawCodes(network, int(rows))
    expected = network.compile("evidence", device="cpu", states="numbers").ask(cases=codes[:CHECKED_ROWS])
    print(f"{torch.cuda.get_device_name()}, {len(codes)} rows x {codes.shape[1]} columns of {path}\n")
    measured = []
    for kind in TYPES:
        for layout, cases in layoutsOf(codes, kind):
            found = torch.from_dlpack(query.ask(cases=cases)).cpu().numpy()[:CHECKED_ROWS]
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)  # log 1 is 0
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                def call():
                    query.ask(cases=cases, stream=stream.cuda_stream)
                call()
                stream.synchronize()
                measured.append((f"{str(kind)[6:]}, {layout}", kernelsOf(call), microsecondsOf(call)))
    lanes = max(microseconds for _, kernels, _ in measured for name, microseconds in kernels if name.startswith("lanes"))
    print(f"The kernel of lanes that reads words takes {lanes:.1f} us.\n")
    print("| cases | call, us | over lanes | kernels, us |\n| --- | --- | --- | --- |")
    for name, kernels, time in measured:
        shown = ", ".join(f"{kernel.split('(')[0]} {microseconds:.1f}" for kernel, microseconds in kernels)
        print(f"| {name} | {time:.1f} | {time / lanes:.2f} | {shown} |")


main(*sys.argv[1:])
