"""Python code to anchor to: definitions with enough tokens to be evidence, and some without."""

QUEUE = '''"""A queue."""

LIMIT = 50


class Queue:
    """Holds work."""

    def seed(self, limit=50):
        """Fills it."""
        for number in range(limit):
            self.items.append(number * 2)
        return self.items

    def empty(self):
        return len(self.items) == 0


def drain(queue, batch):
    taken = []
    while queue.items and len(taken) < batch:
        taken.append(queue.items.pop(0))
    return taken
'''

RECURSIVE = """def walk(node, depth):
    found = [node.name]
    for child in node.children:
        if depth > 0:
            found.extend(walk(child, depth - 1))
    return sorted(found)
"""

# The same, with another name outside and inside.
RECURSIVE_RENAMED = RECURSIVE.replace("walk", "descend")

TALLY = """def tally(rows, column):
    totals = {}
    for row in rows:
        key = row[column]
        totals[key] = totals.get(key, 0) + 1
    return totals
"""

SMALL = """def ready(self):
    return True
"""
