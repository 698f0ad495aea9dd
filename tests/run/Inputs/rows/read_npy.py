"""Prints the shape and the numbers of a .npy file of doubles."""
import array
import ast
import sys

data = open(sys.argv[1], "rb").read()
length = int.from_bytes(data[8:10], "little")
shape = ast.literal_eval(data[10:10 + length].decode())["shape"]
print(shape, *(f"{number:.12g}" for number in array.array("d", data[10 + length:])))
