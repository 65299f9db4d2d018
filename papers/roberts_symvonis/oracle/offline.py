# SPDX-License-Identifier: Apache-2.0
"""Section 2 of Roberts and Symvonis read literally: edges of the multistage graph are a set, and a worm takes those it needs.

A worm is a pair of nodes (source, destination); node row * n + column. An edge is (node, node, stage). Nothing here is fast.
"""


def one_bend(n, source, destination):
    """The nodes of the path: along the row to the column of the destination, then along this column."""
    nodes, (row, column), (to_row, to_column) = [source], divmod(source, n), divmod(destination, n)
    while (row, column) != (to_row, to_column):
        if column != to_column:
            column += 1 if to_column > column else -1
        else:
            row += 1 if to_row > row else -1
        nodes.append(row * n + column)
    return nodes


def links(n, worm):
    nodes = one_bend(n, *worm)
    return list(zip(nodes, nodes[1:]))


def edges(path, k, stage):
    """The edges of the multistage graph that a worm needs if its head departs in this stage (step i of the algorithm)."""
    return ((*link, stage + place + flit) for place, link in enumerate(path) for flit in range(k))


def distances(n, worm):
    (row, column), (to_row, to_column) = (divmod(node, n) for node in worm)
    return abs(to_column - column), abs(to_row - row)


ORDERS = {
    "row-major": lambda h, v, s: s,
    "lex-desc-h-v": lambda h, v, s: (-h, -v, s),
    "lex-asc-h-v": lambda h, v, s: (h, v, s),
    "longest": lambda h, v, s: (-h - v, s),
    "shortest": lambda h, v, s: (h + v, -s),
    "lex-desc-v-h": lambda h, v, s: (-v, -h, s),
    "h-desc-v-asc": lambda h, v, s: (-h, v, s),
}


NAMED = {
    "transpose": lambda n, r, c: (c, r),
    "reversal": lambda n, r, c: (n - 1 - r, n - 1 - c),
    "shift": lambda n, r, c: ((r + n // 2) % n, (c + n // 2) % n),
    "rotate": lambda n, r, c: (n - 1 - c, r),
    "bitrev": lambda n, r, c: divmod(int(f"{r * n + c:0{(n * n).bit_length() - 1}b}"[::-1], 2), n),
}


def named(n, name):
    goals = (NAMED[name](n, *divmod(node, n)) for node in range(n * n))
    return [(node, row * n + column) for node, (row, column) in enumerate(goals)]


def figures(n, k, starts):
    """The last step in which a flit crosses a link, and the starts of the worms that use links: their sum, the largest."""
    moving = [start for worm, start in starts.items() if worm[0] != worm[1]]
    return {"makespan": makespan(n, k, starts), "sum_of_starts": sum(moving), "largest_start": max(moving, default=0)}


def ordered(n, order, worms):
    return sorted(worms, key=lambda worm: ORDERS[order](*distances(n, worm), worm[0]))


def off_line_mesh_routing(n, k, worms):
    """The algorithm of the paper, for worms in their order: the start of each worm. A worm without links starts in 1."""
    taken, starts = set(), {}
    for worm in worms:
        path, stage = links(n, worm), 1
        while any(edge in taken for edge in edges(path, k, stage)):
            stage += 1
        taken.update(edges(path, k, stage))
        starts[worm] = stage
    return starts


def multistage(k, paths, order):
    """The same for given paths on any graph: a path is a list of links. Returns the start of each worm."""
    taken, starts = set(), [1] * len(paths)
    for worm in order:
        while any(edge in taken for edge in edges(paths[worm], k, starts[worm])):
            starts[worm] += 1
        taken.update(edges(paths[worm], k, starts[worm]))
    return starts


def meetings(paths):
    """For each worm: in how many ways others meet it. Each way forbids 2 k - 1 starts."""
    return [sum(len({q.index(link) - p.index(link) for link in set(p) & set(q)}) for j, q in enumerate(paths) if j != i)
            for i, p in enumerate(paths)]


def makespan(n, k, starts):
    """The last step in which a flit crosses a link."""
    return max((start + sum(distances(n, worm)) + k - 2 for worm, start in starts.items() if worm[0] != worm[1]), default=0)


def first_clash(n, k, starts):
    """The first stage of which two worms want one edge; None for a valid off-line solution (paths are edge disjoint)."""
    seen, clashes = set(), []
    for worm, start in starts.items():
        mine = set(edges(links(n, worm), k, start))
        clashes += [edge[2] for edge in mine & seen]
        seen |= mine
    return min(clashes, default=None)


def lower_bounds(n, k, worms):
    """What no schedule beats: distance, straight cuts, and links of one-bend paths."""
    moving = [worm for worm in worms if worm[0] != worm[1]]
    distance = max((sum(distances(n, worm)) + k - 1 for worm in moving), default=0)
    crossing = [sum(a < cut <= b for a, b in ends) for cut in range(1, n) for part in (lambda x: x // n, lambda x: x % n)
                for ends in ([(part(s), part(d)) for s, d in worms], [(part(d), part(s)) for s, d in worms])]
    before_behind = {}
    for worm in moving:
        path = links(n, worm)
        for place, link in enumerate(path):
            before_behind.setdefault(link, []).append((place, len(path) - 1 - place))
    one_bend_paths = max((a + b + k * sum(x >= a and y >= b for x, y in over)
                          for over in before_behind.values() for a, _ in over for _, b in over
                          if any(x >= a and y >= b for x, y in over)), default=0)
    return {"lower_distance": distance, "lower_cut": max(-(-k * c // n) for c in crossing) if crossing else 0,
            "lower_one_bend": max(distance, one_bend_paths)}


def theorem_1(n, k):
    """Latest start, and bounds of the makespan: the last crossing of a tail, one less than the paper's last step.

    By descending h the others of a row begin in its first n - h columns, so a worm with this h meets 2 n - 2 - h at most.
    """
    start = (2 * n - 2) * (2 * k - 1) + 1
    descending = [(2 * k - 1) * (n - 1 if h == 0 else 2 * n - 2 - h) + 1 + h + (n - 1) + k - 2 for h in range(n)]
    return {"bound_start": start, "bound": start + (2 * n - 2) + k - 2, "bound_h_descending": max(descending)}


def pairs_forbid(n, k, p, q):
    """How many starts of p are forbidden by q if q starts in 0 (Lemma 1: 2k - 1 at most)."""
    taken = set(edges(links(n, q), k, 0))
    return sum(any(edge in taken for edge in edges(links(n, p), k, stage)) for stage in range(-4 * n - 2 * k, 4 * n + 2 * k))
