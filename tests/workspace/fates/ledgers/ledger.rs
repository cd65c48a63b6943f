impl Ledger {
    pub fn settle(&self, items: &[Item]) -> Vec<u32> {
        items.iter().filter(|item| item.due < 50).map(|item| item.id).collect()
    }
}
