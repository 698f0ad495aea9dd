"""Prints a model whose swept param a0 is halved and doubled again in COUNT params, one by one.

usage: param_chain.py COUNT
"""
import sys

count = int(sys.argv[1])
print("param a0 in [1, 2]")
for i in range(1, count + 1):
    print(f"param a{i} = (a{i - 1} + a{i - 1}) / 2")
print(f"var x : 2\nfactor f(x) = [a{count}, 1]\nquery z = sum() f")
