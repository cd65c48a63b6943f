<?php
class Ledger {
    public function settle(array $items, int $limit = 50): array {
        return array_filter($items, fn($item) => $item->due < $limit);
    }
}
