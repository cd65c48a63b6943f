package ledger

func settle(items []Item) []int {
	var ids []int
	for _, item := range items {
		if item.Due < 50 {
			ids = append(ids, item.ID)
		}
	}
	return ids
}
