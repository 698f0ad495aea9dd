"""Tables with `__arrow_c_stream__` made by ctypes, so that the tests need no Arrow library."""
import ctypes

import numpy as np

Pointer = ctypes.c_void_p


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


SchemaRelease = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
ArrayRelease = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
StreamRelease = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
GetSchema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
GetNext = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
GetError = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))

Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
                   ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                   ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.POINTER(Schema)),
                   ("release", SchemaRelease), ("private_data", Pointer)]
Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
                  ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(Pointer)),
                  ("children", ctypes.POINTER(ctypes.POINTER(Array))), ("dictionary", ctypes.POINTER(Array)),
                  ("release", ArrayRelease), ("private_data", Pointer)]
Stream._fields_ = [("get_schema", GetSchema), ("get_next", GetNext), ("get_last_error", GetError),
                   ("release", StreamRelease), ("private_data", Pointer)]


class Column:
    """A column in one chunk: texts, numbers of a numpy array, or texts behind indices of a dictionary."""

    def __init__(self, format, cells, dictionary=None):
        self.format, self.dictionary = format, dictionary
        self.length = len(cells)
        valid = np.array([cell is not None for cell in cells], dtype=np.uint8)
        self.nulls = int(self.length - valid.sum())
        self.parts = [np.packbits(valid, bitorder="little")]
        if format in ("u", "U"):
            texts = [(cell or "").encode() for cell in cells]
            self.parts.append(np.cumsum([0, *map(len, texts)], dtype=np.int32 if format == "u" else np.int64))
            self.parts.append(np.frombuffer(b"".join(texts) + b"\0", np.uint8))
        elif format == "b":
            self.parts.append(np.packbits([bool(cell) for cell in cells], bitorder="little"))
        else:
            kind = {"c": "i1", "C": "u1", "s": "i2", "i": "i4", "l": "i8", "f": "f4", "g": "f8"}[format]
            self.parts.append(np.array([cell or 0 for cell in cells], dtype=kind))


class Table:
    """Chunks of columns by name. `released` counts the structs that the reader gave back."""

    def __init__(self, chunks, offset=0):
        self.chunks, self.offset = chunks, offset
        self.kept, self.released, self.at = [], 0, 0

    def keep(self, thing):
        self.kept.append(thing)
        return thing

    def release(self, kind):
        def released(pointer):
            self.released += 1
            pointer.contents.release = kind()
        return self.keep(kind(released))

    def schema(self, format, name, children=(), dictionary=None):
        made = self.keep(Schema(format=format.encode(), name=name.encode(), n_children=len(children)))
        if children:
            made.children = self.keep((ctypes.POINTER(Schema) * len(children))(*map(ctypes.pointer, children)))
        if dictionary is not None:
            made.dictionary = ctypes.pointer(self.schema(dictionary.format, ""))
        return made

    def array(self, length, parts, nulls=0, children=(), dictionary=None, offset=0):
        buffers = self.keep((Pointer * max(len(parts), 1))(*[self.keep(part).ctypes.data for part in parts]))
        made = self.keep(Array(length=length, null_count=nulls, offset=offset, n_buffers=len(parts),
                               n_children=len(children), buffers=buffers))
        if children:
            made.children = self.keep((ctypes.POINTER(Array) * len(children))(*map(ctypes.pointer, children)))
        if dictionary is not None:
            made.dictionary = ctypes.pointer(self.array(dictionary.length, dictionary.parts, dictionary.nulls))
        return made

    def get_schema(self, _, target):
        children = [self.schema(column.format, name, dictionary=column.dictionary)
                    for name, column in self.chunks[0].items()]
        target[0] = self.schema("+s", "", children)
        target.contents.release = self.release(SchemaRelease)
        return 0

    def get_next(self, _, target):
        if self.at == len(self.chunks):
            target[0] = Array()
            return 0
        columns = list(self.chunks[self.at].values())
        self.at += 1
        children = [self.array(c.length, c.parts, c.nulls, dictionary=c.dictionary) for c in columns]
        target[0] = self.array(columns[0].length - self.offset, [], children=children, offset=self.offset)
        target.contents.release = self.release(ArrayRelease)
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        stream = self.keep(Stream(get_schema=self.keep(GetSchema(self.get_schema)),
                                  get_next=self.keep(GetNext(self.get_next)),
                                  get_last_error=self.keep(GetError(lambda _: b"it failed")),
                                  release=self.release(StreamRelease)))
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [Pointer, ctypes.c_char_p, Pointer]
        return make(ctypes.addressof(stream), self.keep(b"arrow_array_stream"), None)
