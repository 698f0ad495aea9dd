"""Packages whose arrays lie on a GPU: their streams, and new arrays of their kind.

No package is imported here: who gives an array of one has imported it.
"""
import sys

from mpf import _mpf
from mpf.device import require_gpu
from mpf.errors import Usage


def number_of(stream):
    """The number of a stream: an int, or a stream of a package. The default stream is 1."""
    for name in ("cuda_stream", "ptr", "handle"):  # torch, CuPy, numba
        found = getattr(stream, name, None)
        if found is not None:
            stream = getattr(found, "value", found)
            break
    else:
        if hasattr(stream, "__cuda_stream__"):
            stream = stream.__cuda_stream__()[1]
    if isinstance(stream, bool) or not isinstance(stream, int) or stream < 0:
        raise Usage(f"stream={stream!r}: give a stream of torch or CuPy, or its number")
    return stream or 1


class _Streams:
    """The stream of a call, and the current stream of the package, whose memory the arrays and answers are.

    Where they differ, each waits for the other: the call's stream before the work, and the package's behind it. So the
    package may use memory again that is freed after the call.
    """

    def start(self, current, stream):
        self.current = current or 1
        self.stream = self.current if stream is None else number_of(stream)
        self.order = -1  # for __dlpack__: the arrays need no order of their own

    def before(self):
        if self.stream != self.current:
            _mpf.order_streams(self.current, self.stream)

    def after(self):
        if self.stream != self.current:
            _mpf.order_streams(self.stream, self.current)

    def take(self, owner):
        pass

    def finish(self, found):
        return found


class Torch(_Streams):
    """torch: answers are tensors, computed on the current stream."""

    def __init__(self, torch, array, stream):
        require_gpu(array.device.index)
        self.torch = torch
        self.device = array.device
        self.start(torch.cuda.current_stream(array.device).cuda_stream, stream)

    def empty(self, shape, is_double):
        found = self.torch.empty(shape, dtype=self.torch.float64 if is_double else self.torch.int32, device=self.device)
        return found, found.data_ptr()


class Cupy(_Streams):
    """CuPy: answers are its arrays, computed on the current stream."""

    def __init__(self, cupy, array, stream):
        require_gpu(array.device.id)
        self.cupy = cupy
        self.device = array.device
        with self.device:
            self.start(cupy.cuda.get_current_stream().ptr, stream)

    def empty(self, shape, is_double):
        with self.device:
            found = self.cupy.empty(shape, dtype="f8" if is_double else "i4")
        return found, found.data.ptr


class Other(_Streams):
    """Any other package: answers are arrays of mpf, which have both protocols. JAX gets arrays of its own."""

    def __init__(self, array, stream):
        self.current = self.stream = self.order = 1 if stream is None else number_of(stream)
        self.inputs = [stream]  # what the stream reads, and the stream

    def take(self, owner):
        self.inputs.append(owner)

    def empty(self, shape, is_double):
        found = _mpf.DeviceArray(list(shape), is_double, self.stream, self.inputs)
        return found, found.address()


class Jax(Other):
    """JAX: its arrays cannot be written, so it takes those of mpf over, on its own stream."""

    def __init__(self, jax, array, stream):
        super().__init__(array, stream)
        self.jax = jax

    def finish(self, found):
        import jax.dlpack
        return jax.dlpack.from_dlpack(found)


def package_of(array):
    """The name of the package of an array."""
    module = type(array).__module__.partition(".")[0]
    return "jax" if module == "jaxlib" else module


def kind_of(array, stream):
    """The package of an array on the GPU."""
    kind = {"torch": Torch, "cupy": Cupy, "jax": Jax}.get(package_of(array))
    return Other(array, stream) if kind is None else kind(sys.modules[package_of(array)], array, stream)
