"""Packages whose arrays lie on a GPU: their streams, and new arrays of their kind.

No package is imported here: who gives an array of one has imported it.
"""
import sys

from mpf import _mpf
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


class Torch:
    """torch: answers are tensors, computed on the current stream."""

    def __init__(self, torch, array, stream):
        self.torch = torch
        self.device = array.device
        current = torch.cuda.current_stream(array.device).cuda_stream or 1
        self.stream = current if stream is None else number_of(stream)
        self.order = -1 if self.stream == current else self.stream

    def take(self, array, owner):
        if self.order != -1:
            array.record_stream(self._external())

    def empty(self, shape, is_double):
        found = self.torch.empty(shape, dtype=self.torch.float64 if is_double else self.torch.int32, device=self.device)
        if self.order != -1:
            found.record_stream(self._external())
        return found, found.data_ptr()

    def finish(self, found):
        return found

    def _external(self):
        return self.torch.cuda.ExternalStream(self.stream, self.device)


class Cupy:
    """CuPy: answers are its arrays, computed on the current stream."""

    def __init__(self, cupy, array, stream):
        self.cupy = cupy
        current = cupy.cuda.get_current_stream().ptr or 1
        self.stream = current if stream is None else number_of(stream)
        self.order = -1 if self.stream == current else self.stream

    def take(self, array, owner):
        pass

    def empty(self, shape, is_double):
        if self.order == -1:
            found = self.cupy.empty(shape, dtype="f8" if is_double else "i4")
        else:
            with self.cupy.cuda.ExternalStream(self.stream):
                found = self.cupy.empty(shape, dtype="f8" if is_double else "i4")
        return found, found.data.ptr

    def finish(self, found):
        return found


class Other:
    """Any other package: answers are arrays of mpf, which have both protocols. JAX gets arrays of its own."""

    def __init__(self, array, stream):
        self.stream = self.order = 1 if stream is None else number_of(stream)
        self.inputs = []

    def take(self, array, owner):
        self.inputs.append(owner)

    def empty(self, shape, is_double):
        found = _mpf.DeviceArray(list(shape), is_double, self.stream, self.inputs)
        return found, found.address()

    def finish(self, found):
        return found


class Jax(Other):
    """JAX: its arrays cannot be written, so it takes those of mpf over, on its own stream."""

    def __init__(self, jax, array, stream):
        super().__init__(array, stream)
        self.jax = jax

    def finish(self, found):
        import jax.dlpack
        return jax.dlpack.from_dlpack(found)


def kind_of(array, stream):
    """The package of an array on the GPU."""
    module = type(array).__module__.partition(".")[0]
    for name, kind in (("torch", Torch), ("cupy", Cupy), ("jax", Jax), ("jaxlib", Jax)):
        if module == name:
            return kind(sys.modules[module], array, stream)
    return Other(array, stream)
