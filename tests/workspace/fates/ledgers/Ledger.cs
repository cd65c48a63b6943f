class Ledger {
    public List<int> Settle(List<Item> items) {
        return items.Where(item => item.Due < 50).Select(item => item.Id).ToList();
    }
}
