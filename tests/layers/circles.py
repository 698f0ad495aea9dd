"""Finds circles in a graph: Tarjan's strongly connected components of more than one node."""


def circlesOf(edges):
    """Returns the circles, sorted, each as a sorted list. `edges` is a dictionary: node -> set of nodes."""
    index, low, stack, onStack, circles = {}, {}, [], set(), []

    def enter(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        onStack.add(node)
        return node, iter(sorted(edges.get(node, ())))

    for root in sorted(edges):
        if root in index:
            continue
        path = [enter(root)]
        while path:
            node, rest = path[-1]
            for successor in rest:
                if successor == node:
                    continue
                if successor not in index:
                    path.append(enter(successor))
                    break
                if successor in onStack:
                    low[node] = min(low[node], index[successor])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == index[node]:
                    start = stack.index(node)
                    circle = stack[start:]
                    del stack[start:]
                    onStack.difference_update(circle)
                    if len(circle) > 1:
                        circles.append(sorted(circle))
    return sorted(circles)
