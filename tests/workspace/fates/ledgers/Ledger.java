class Ledger {
    List<Item> settle(List<Item> items) {
        return items.stream().filter(item -> item.due() < 50).toList();
    }
}
