"""Arrays of other packages in the memory of a GPU: where they lie, and what they hold.

Both protocols are read: DLPack (versions 0 and 1) and `__cuda_array_interface__` (versions 2 and 3). In both, stream 1
is the default stream and 2 that of each thread; 0 is forbidden. mpf calls the default stream 1 too.
"""
from mpf import _mpf
from mpf.errors import BadInput, Unsupported, Usage

_HOST = (1, 3)  # device types of DLPack: CPU, memory of the host that is locked for CUDA
_GPU = (2, 13)  # CUDA, managed memory of CUDA
_KINDS = {0: 0, 1: 1, 6: 1, 2: 2}  # code of a type in DLPack -> 0 signed, 1 unsigned or bool, 2 float
_LETTERS = {"i": 0, "u": 1, "b": 1, "f": 2}


class DeviceCells:
    """Numbers on the GPU.

    Attributes:
        - address: of the first number.
        - shape, strides: the strides are in bytes.
        - kind: 0 signed, 1 unsigned or bool, 2 float.
        - item: the bytes of a number.
        - owner: keeps the memory.
        - after: the stream of an interface, for whose work one has to wait; else None.
    """

    __slots__ = ("address", "shape", "strides", "kind", "item", "owner", "after")

    def __init__(self, address, shape, strides, kind, item, owner, after=None):
        self.address = address
        self.shape = shape
        self.strides = strides
        self.kind = kind
        self.item = item
        self.owner = owner
        self.after = after

    def checked(self):
        if self.address == 0 and 0 not in self.shape:
            raise BadInput("an array of cases has no memory: it was freed")
        if self.kind is None or (self.kind == 2 and self.item not in (4, 8)) or self.item not in (1, 2, 4, 8):
            raise TypeError("cases in a GPU's memory are bools, integers of 8 to 64 bits, float32 or float64")
        return self


def is_on_device(values):
    """Whether an array lies in the memory of a GPU. Raises Unsupported for devices other than the host and CUDA."""
    query = getattr(values, "__dlpack_device__", None)
    if query is not None and hasattr(values, "__dlpack__"):
        try:
            device = int(query()[0])
        except (RuntimeError, TypeError, ValueError, BufferError) as error:  # JAX deleted it, for example
            raise BadInput(f"an array of cases cannot be read: {error}") from error
        if device not in _HOST and device not in _GPU:
            raise Unsupported(f"an array of cases lies on a device of DLPack's type {device}: mpf reads the host's "
                              "memory and that of CUDA")
        return device in _GPU
    return hasattr(values, "__cuda_array_interface__")


def cells_of(values, stream):
    """The numbers of an array on the GPU, after whose computation `stream` goes on. -1: it does so anyway."""
    if hasattr(values, "__dlpack__"):
        return _of_dlpack(values, stream)
    return _of_interface(values.__cuda_array_interface__, values)


def _of_dlpack(values, stream):
    try:
        try:
            capsule = values.__dlpack__(stream=stream, max_version=(1, 1))
        except TypeError:  # a package that knows no versions
            capsule = values.__dlpack__(stream=stream)
    except (BufferError, RuntimeError, ValueError) as error:
        raise BadInput(f"an array of cases cannot be read: {error}") from error
    view = _mpf.ArrayView(capsule)
    place, number = view.device()
    if place not in _GPU:
        raise BadInput(f"an array of cases says that it is on a GPU, and lies on a device of DLPack's type {place}")
    require_gpu(number)
    code, bits = view.type()
    return DeviceCells(view.address(), view.shape(), view.strides(), _KINDS.get(code), bits // 8, view).checked()


def require_gpu(number):
    """Raises Usage for a GPU that mpf does not use."""
    if number not in (0, None):
        raise Usage(f"an array of cases lies on GPU {number}: mpf uses GPU 0, or the one that CUDA_VISIBLE_DEVICES names")


def _of_interface(found, owner):
    if found.get("mask") is not None:
        raise BadInput("an array of cases on a GPU has a mask: use negative numbers for what is not observed")
    text, shape = found["typestr"], list(found["shape"])
    if not text[2:].isdigit():
        raise TypeError(f"an array of cases on a GPU has numpy type {text}: give bools, integers or floats")
    kind, item = _LETTERS.get(text[1:2]), int(text[2:])
    if text[0] == ">" and item > 1:
        raise TypeError("an array of cases on a GPU has its bytes in another order than the machine")
    strides = found.get("strides")
    if strides is None:
        strides, dense = [], item
        for length in reversed(shape):
            strides.insert(0, dense)
            dense *= length
    after = found.get("stream")
    if after == 0:
        raise BadInput("an array of cases names the stream 0, which __cuda_array_interface__ forbids")
    cells = DeviceCells(int(found["data"][0]), shape, list(strides), kind, item, owner, after).checked()
    if 0 not in shape:
        require_gpu(max(_mpf.device_of(cells.address), 0))  # the interface itself names no GPU
    return cells
