"""Amounts of money in whole cents, with the few operations that billing needs and no others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

CURRENCIES = {"EUR": 2, "CHF": 2, "SEK": 2, "HUF": 0, "JPY": 0}


class CurrencyMismatch(ValueError):
    """Two amounts of different currencies met in one operation."""


@dataclass(frozen=True, order=True)
class Money:
    """An amount in the smallest unit of its currency."""

    cents: int
    currency: str = "EUR"

    def __post_init__(self) -> None:
        if self.currency not in CURRENCIES:
            raise ValueError(f"unknown currency {self.currency!r}")

    @classmethod
    def parse(cls, text: str, currency: str = "EUR") -> Money:
        """Reads `12.34`, `12,34` or `12`; more digits than the currency has are refused."""
        digits = CURRENCIES[currency]
        value = Decimal(text.strip().replace(",", "."))
        scaled = value.scaleb(digits)
        if scaled != scaled.to_integral_value():
            raise ValueError(f"{text!r} has more than {digits} digits after the point")
        return cls(int(scaled), currency)

    def __add__(self, other: Money) -> Money:
        self._same(other)
        return Money(self.cents + other.cents, self.currency)

    def __sub__(self, other: Money) -> Money:
        self._same(other)
        return Money(self.cents - other.cents, self.currency)

    def __neg__(self) -> Money:
        return Money(-self.cents, self.currency)

    def times(self, factor: Decimal) -> Money:
        """The product, rounded half to even."""
        product = (Decimal(self.cents) * factor).quantize(Decimal(1), rounding=ROUND_HALF_EVEN)
        return Money(int(product), self.currency)

    def split(self, weights: Sequence[int]) -> list[Money]:
        """Parts in proportion to the weights that add up to the whole; what is left over goes to the first parts."""
        total = sum(weights)
        if total <= 0:
            raise ValueError("the weights must add up to more than zero")
        parts = [self.cents * weight // total for weight in weights]
        for index in range(self.cents - sum(parts)):
            parts[index % len(parts)] += 1
        return [Money(part, self.currency) for part in parts]

    def __str__(self) -> str:
        digits = CURRENCIES[self.currency]
        value = Decimal(self.cents).scaleb(-digits)
        return f"{value:.{digits}f} {self.currency}"

    def _same(self, other: Money) -> None:
        if self.currency != other.currency:
            raise CurrencyMismatch(f"{self.currency} and {other.currency}")


def total(amounts: Iterable[Money], currency: str = "EUR") -> Money:
    """The sum; of nothing, zero in the given currency."""
    result = Money(0, currency)
    for amount in amounts:
        result += amount
    return result


def vat(net: Money, percent: Decimal) -> Money:
    """The tax on a net amount."""
    return net.times(percent / 100)


def gross(net: Money, percent: Decimal) -> Money:
    """Net amount and tax together."""
    return net + vat(net, percent)
