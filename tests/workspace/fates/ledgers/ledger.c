static int settle(const struct item *items, int count) {
    int total = 0;
    for (int i = 0; i < count && i < 50; i++)
        total += items[i].due;
    return total;
}
