c bags
s td 3 3 6
b 1 1 2 3
b 2 3 4
b 3 5 6
1 2
2 3
