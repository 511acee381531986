"""Programs of graphs."""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="bfs_distance",
        code='''\
from collections import deque


def distances(graph, start):
    """Return the number of edges from the start to each node that can be reached."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for neighbour in graph.get(node, ()):
            if neighbour not in found:
                found[neighbour] = found[start] + 1
                queue.append(neighbour)
    return found


def farthest(graph, start):
    found = distances(graph, start)
    return max(found.values())
''',
        wrong="found[neighbour] = found[start] + 1",
        right="found[neighbour] = found[node] + 1",
        visible="""\
GRAPH = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": ["e"]}


def test_neighbours():
    assert distances({"x": ["y"]}, "x") == {"x": 0, "y": 1}


def test_farther():
    assert distances(GRAPH, "a") == {"a": 0, "b": 1, "c": 1, "d": 2, "e": 3}


def test_alone():
    assert distances({}, "q") == {"q": 0}


def test_farthest():
    assert farthest(GRAPH, "b") == 2
""",
        hidden="""\
def test_cycle():
    ring = {n: [(n + 1) % 6] for n in range(6)}
    assert distances(ring, 2) == {2: 0, 3: 1, 4: 2, 5: 3, 0: 4, 1: 5}
    assert farthest(ring, 0) == 5
""",
    ),
    Program(
        name="topological",
        code='''\
class CycleError(Exception):
    pass


def topological_order(needs):
    """Return the tasks so that each comes after what it needs; raise CycleError if that is impossible."""
    order = []
    done = set()
    active = set()

    def visit(task):
        if task in done:
            return
        if task in active:
            raise CycleError(task)
        active.add(task)
        for needed in sorted(needs.get(task, ())):
            visit(needed)
        done.add(task)
        order.insert(0, task)

    for task in sorted(needs):
        visit(task)
    return order
''',
        wrong="order.insert(0, task)",
        right="order.append(task)",
        visible="""\
def test_no_needs():
    assert topological_order({"a": []}) == ["a"]


def test_chain():
    assert topological_order({"c": ["b"], "b": ["a"]}) == ["a", "b", "c"]


def test_diamond():
    order = topological_order({"d": ["b", "c"], "b": ["a"], "c": ["a"]})
    assert order == ["a", "b", "c", "d"]


def test_cycle():
    with pytest.raises(CycleError):
        topological_order({"a": ["b"], "b": ["a"]})
""",
        hidden="""\
def test_places():
    needs = {"app": ["lib", "log"], "lib": ["core"], "log": ["core", "io"], "test": ["app"], "io": []}
    order = topological_order(needs)
    assert sorted(order) == ["app", "core", "io", "lib", "log", "test"]
    for task, needed in needs.items():
        assert all(order.index(one) < order.index(task) for one in needed)


def test_self():
    with pytest.raises(CycleError):
        topological_order({"a": ["a"]})
""",
    ),
    Program(
        name="dijkstra",
        code='''\
import heapq


def shortest(graph, start, goal):
    """Return the length and the nodes of a shortest path, or None."""
    best = {start: 0}
    before = {}
    heap = [(0, start)]
    while heap:
        length, node = heapq.heappop(heap)
        if node == goal:
            return length, path(before, goal)
        if length > best[node]:
            continue
        for neighbour, weight in graph.get(node, {}).items():
            total = length + weight
            if neighbour not in best or total < best[neighbour]:
                best[neighbour] = weight
                before[neighbour] = node
                heapq.heappush(heap, (total, neighbour))
    return None


def path(before, goal):
    nodes = [goal]
    while nodes[-1] in before:
        nodes.append(before[nodes[-1]])
    return nodes[::-1]
''',
        wrong="best[neighbour] = weight",
        right="best[neighbour] = total",
        visible="""\
GRAPH = {"a": {"b": 1, "c": 5}, "b": {"c": 1, "d": 7}, "c": {"d": 1}}


def test_next():
    assert shortest(GRAPH, "a", "b") == (1, ["a", "b"])


def test_way_around():
    assert shortest(GRAPH, "a", "d") == (3, ["a", "b", "c", "d"])


def test_start():
    assert shortest(GRAPH, "a", "a") == (0, ["a"])


def test_no_way():
    assert shortest(GRAPH, "d", "a") is None


def test_long_chain():
    assert shortest({1: {2: 4}, 2: {3: 3}, 3: {4: 2}}, 1, 4) == (9, [1, 2, 3, 4])
""",
        hidden="""\
def test_grid():
    graph = {(x, y): {} for x in range(4) for y in range(4)}
    for x, y in graph:
        for dx, dy in ((1, 0), (0, 1)):
            if (x + dx, y + dy) in graph:
                graph[x, y][x + dx, y + dy] = 1 + (x * y) % 3
    length, nodes = shortest(graph, (0, 0), (3, 3))
    assert len(nodes) == 7
    assert length == sum(graph[a][b] for a, b in zip(nodes, nodes[1:]))
    assert length == 6


def test_decrease():
    graph = {"s": {"a": 10, "b": 1}, "b": {"a": 2}, "a": {"t": 1}}
    assert shortest(graph, "s", "t") == (4, ["s", "b", "a", "t"])
""",
    ),
    Program(
        name="components",
        code='''\
def components(nodes, edges):
    """Return the connected components of an undirected graph as sorted lists."""
    neighbours = {node: set() for node in nodes}
    for one, other in edges:
        neighbours[one].add(other)
        neighbours[one].add(one)
    seen = set()
    result = []
    for node in nodes:
        if node in seen:
            continue
        group = []
        stack = [node]
        seen.add(node)
        while stack:
            current = stack.pop()
            group.append(current)
            for neighbour in neighbours[current]:
                if neighbour not in seen:
                    seen.add(neighbour)
                    stack.append(neighbour)
        result.append(sorted(group))
    return result
''',
        wrong="neighbours[one].add(one)",
        right="neighbours[other].add(one)",
        visible="""\
def test_no_edges():
    assert components([1, 2], []) == [[1], [2]]


def test_forwards():
    assert components([1, 2, 3], [(1, 2), (2, 3)]) == [[1, 2, 3]]


def test_backwards():
    assert components([1, 2, 3], [(2, 1), (3, 2)]) == [[1, 2, 3]]


def test_two_groups():
    assert components("abcd", [("c", "a"), ("d", "b")]) == [["a", "c"], ["b", "d"]]
""",
        hidden="""\
def test_star():
    assert components(range(5), [(4, 0), (4, 1), (4, 2)]) == [[0, 1, 2, 4], [3]]


def test_loop_edge():
    assert components([1, 2], [(1, 1)]) == [[1], [2]]
""",
    ),
    Program(
        name="union_find",
        code='''\
class UnionFind:
    def __init__(self, size):
        self.parent = list(range(size))
        self.rank = [0] * size
        self.groups = size

    def find(self, item):
        while self.parent[item] != item:
            self.parent[item] = self.parent[self.parent[item]]
            item = self.parent[item]
        return item

    def union(self, one, other):
        """Join two groups; tell whether they were apart."""
        a, b = self.find(one), self.find(other)
        if self.rank[a] < self.rank[b]:
            a, b = b, a
        self.parent[b] = a
        if self.rank[a] == self.rank[b]:
            self.rank[a] += 1
        self.groups -= 1
        return True

    def connected(self, one, other):
        return self.find(one) == self.find(other)


def spanning_tree(size, edges):
    """Return the total weight of a minimum spanning tree of (weight, one, other) edges."""
    sets = UnionFind(size)
    return sum(weight for weight, one, other in sorted(edges) if sets.union(one, other))
''',
        wrong="        a, b = self.find(one), self.find(other)\n",
        right="        a, b = self.find(one), self.find(other)\n        if a == b:\n            return False\n",
        visible="""\
def test_apart():
    sets = UnionFind(3)
    assert not sets.connected(0, 1)
    assert sets.groups == 3


def test_joined():
    sets = UnionFind(4)
    assert sets.union(0, 1)
    assert sets.union(1, 2)
    assert sets.connected(0, 2)
    assert sets.groups == 2


def test_joined_twice():
    sets = UnionFind(3)
    assert sets.union(0, 1)
    assert not sets.union(1, 0)
    assert sets.groups == 2


def test_spanning_tree():
    assert spanning_tree(3, [(1, 0, 1), (2, 1, 2), (5, 0, 2)]) == 3
""",
        hidden="""\
def test_more():
    sets = UnionFind(6)
    assert [sets.union(*pair) for pair in ((0, 1), (2, 3), (1, 3), (0, 2), (4, 5), (5, 4))] == [
        True, True, True, False, True, False]
    assert sets.groups == 2
    assert not sets.union(3, 3)


def test_tree():
    assert spanning_tree(4, [(1, 0, 1), (1, 1, 2), (1, 0, 2), (9, 2, 3), (10, 0, 3)]) == 11
""",
    ),
    Program(
        name="grid_paths",
        code='''\
def neighbours(grid, row, column):
    """Yield the free cells above, below, left and right of a cell."""
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        r, c = row + down, column + right
        if 0 <= r < len(grid) and 0 <= c < len(grid) and grid[r][c] != "#":
            yield r, c


def reachable(grid, row, column):
    """Return the number of free cells that can be reached from a cell, itself included."""
    seen = {(row, column)}
    stack = [(row, column)]
    while stack:
        for cell in neighbours(grid, *stack.pop()):
            if cell not in seen:
                seen.add(cell)
                stack.append(cell)
    return len(seen)
''',
        wrong="0 <= c < len(grid) and",
        right="0 <= c < len(grid[0]) and",
        visible="""\
def test_square():
    assert reachable(["..", ".."], 0, 0) == 4


def test_walls():
    assert reachable([".#.", ".#.", ".#."], 0, 0) == 3


def test_wide():
    assert reachable(["....", ".##."], 0, 0) == 6


def test_narrow():
    assert reachable([".", ".", "."], 1, 0) == 3


def test_neighbours():
    assert sorted(neighbours(["..", ".."], 0, 0)) == [(0, 1), (1, 0)]
""",
        hidden="""\
def test_one_row():
    assert reachable(["......"], 0, 3) == 6
    assert reachable(["..#..."], 0, 3) == 3


def test_tall():
    assert sorted(neighbours(["..", "..", ".."], 1, 1)) == [(0, 1), (1, 0), (2, 1)]
    assert sorted(neighbours(["..", "#.", ".."], 1, 1)) == [(0, 1), (2, 1)]
""",
    ),
    Program(
        name="has_cycle",
        code='''\
def has_cycle(graph):
    """Tell whether a directed graph, a dict of lists, has a cycle."""
    finished = set()

    def leads_back(node, path):
        if node in path:
            return True
        if node in finished:
            return False
        path.add(node)
        for neighbour in graph.get(node, []):
            if leads_back(neighbour, path):
                return True
        finished.add(node)
        return False

    return any(leads_back(node, set()) for node in graph)


def roots(graph):
    """Return the nodes to which no edge leads, sorted."""
    targets = {node for neighbours in graph.values() for node in neighbours}
    return sorted(node for node in graph if node not in targets)
''',
        wrong="        finished.add(node)\n",
        right="        path.discard(node)\n        finished.add(node)\n",
        visible="""\
def test_chain():
    assert not has_cycle({1: [2], 2: [3]})


def test_ring():
    assert has_cycle({1: [2], 2: [3], 3: [1]})


def test_diamond():
    assert not has_cycle({1: [2, 3], 2: [4], 3: [4]})


def test_self():
    assert has_cycle({1: [1]})


def test_roots():
    assert roots({1: [2], 3: [2], 2: []}) == [1, 3]
""",
        hidden="""\
def test_diamond_with_ring():
    assert has_cycle({1: [2, 3], 2: [4], 3: [4], 4: [5], 5: [4]})
    assert has_cycle({0: [], 1: [2], 2: [3], 3: [2]})


def test_many_ways():
    graph = {n: [n + 1, n + 2] for n in range(10)}
    assert not has_cycle(graph)
    graph[11] = [3]
    assert has_cycle(graph)
""",
    ),
)
