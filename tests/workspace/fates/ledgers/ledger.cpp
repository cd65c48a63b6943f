namespace money {
int settle(const std::vector<Item>& items) {
    int total = 0;
    for (const auto& item : items) {
        if (item.due < 50) total += item.due;
    }
    return total;
}
}
