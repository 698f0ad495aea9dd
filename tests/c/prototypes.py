"""The functions of the headers for C, read from their text."""
import os
import re


class Parameter:
    """`type`: without `MPF_OPTIONAL`, its stars side by side: "const char *const*"."""

    def __init__(self, text):
        self.isOptional = text.startswith("MPF_OPTIONAL")
        text = text.removeprefix("MPF_OPTIONAL").strip()
        self.type, self.name = re.fullmatch(r"(.*?)(\w+)", text).groups()
        self.type = self.type.strip()

    @property
    def isPointer(self):
        return self.type.endswith("*") or self.type == "mpf_progress"


class Function:
    def __init__(self, result, name, parameters):
        self.result = result.strip()
        self.name = name
        self.parameters = [] if parameters.strip() == "void" else [Parameter(one.strip())
                                                                   for one in parameters.split(",")]


def headersIn(folder):
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if re.fullmatch(r"mpf_c\w*\.h", name)]


def functionsIn(folder):
    return [function for header in headersIn(folder) for function in _functionsOf(header)]


def _functionsOf(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", file.read(), flags=re.DOTALL)
    found = re.findall(r"^MPF_API ([^;(]*?)\b(mpf_\w+)\(([^;]*)\);", text, re.MULTILINE)
    if not found or len(found) != text.count("\nMPF_API "):
        raise SystemExit("the header has functions that prototypes.py cannot read")
    return [Function(result, name, " ".join(parameters.split())) for result, name, parameters in found]
