export class Ledger {
  settle(items: Item[], limit: number = 50): string[] {
    return items.filter((item) => item.due < limit).map((item) => item.id);
  }
}
