class Ledger {
  settle(items, limit = 50) {
    return items.filter((item) => item.due < limit).map((item) => item.id);
  }
}
