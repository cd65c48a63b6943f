class Ledger
  def settle(items, limit = 50)
    items.select { |item| item.due < limit }.map { |item| item.id }
  end
end
