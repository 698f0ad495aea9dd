"""Copies a .npz archive. Its arrays op0, op1, ... are called arr_0, arr_1, ... in the copy.

usage: rename_arrays.py FROM TO
"""
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as given, zipfile.ZipFile(sys.argv[2], "w") as made:
    for name in given.namelist():
        made.writestr(name.replace("op", "arr_"), given.read(name))
