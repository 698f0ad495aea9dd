"""Writes a clique of variables, as a printed model. Their names are hostile to programs that show them.

usage: write_odd_names.py FILE
"""
import itertools
import sys

NAMES = [
    b"<script>document.title=1</script>",
    b"</title></svg>&amp;",
    b"a&b<c>\"d'e",
    b"{{script}}",
    b"]]>-->",
    "木星の変数 ÷ ∑".encode(),
    "e\u0301\u202e\U0001F600".encode(),
    b"broken \xff\xc0\x80 bytes",
    b"bell\x07 and escape\x1b[31m",
    b"javascript:alert(1)",
]


def quoted(name):
    return b'"' + name.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def main(path):
    lines = [b'model "odd <names> & \'more\'"']
    lines += [b"var " + quoted(name) + b" extent=2" for name in NAMES]
    lines += [b"table 0 elems=4", b"  values 1 2 3 5"]
    for left, right in itertools.combinations(NAMES, 2):
        factor = quoted(b"f(" + left + b", " + right + b")")
        lines.append(b"factor " + factor + b" family=" + factor + b" kind=plain table=0 scope "
                     + quoted(left) + b" " + quoted(right))
    lines += [b'query "Z <&>" kind=evidence combine=times samples=0', b"  factors all"]
    with open(path, "wb") as file:
        file.write(b"\n".join(lines) + b"\n")


main(sys.argv[1])
