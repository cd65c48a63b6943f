"""Invoices: lines, tax, numbers, and the states an invoice goes through.

An invoice is a draft until it is sent. A sent invoice is never changed: a mistake is put right by a credit note, which
is an invoice of its own with negative lines. Numbers are given when an invoice is sent and have no gaps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum

from billing.money import Money, gross, total, vat

PAYMENT_DAYS = 14
DUNNING_AFTER = (7, 21, 35)


class State(Enum):
    DRAFT = "draft"
    SENT = "sent"
    PAID = "paid"
    CANCELLED = "cancelled"


class InvoiceError(Exception):
    """The operation is not allowed in the state the invoice is in."""


@dataclass(frozen=True)
class Line:
    """One position. `percent` is the tax rate in percent."""

    text: str
    quantity: int
    unit: Money
    percent: Decimal = Decimal(19)

    @property
    def net(self) -> Money:
        return self.unit.times(Decimal(self.quantity))


@dataclass(frozen=True)
class Invoice:
    """An invoice as it is at one moment; every operation returns a new one."""

    customer: str
    lines: tuple[Line, ...] = ()
    state: State = State.DRAFT
    number: str = ""
    sent_on: date | None = None
    corrects: str = ""
    notes: tuple[str, ...] = field(default=())

    def add(self, line: Line) -> Invoice:
        """A further line, on a draft only."""
        if self.state is not State.DRAFT:
            raise InvoiceError("a sent invoice is not changed; write a credit note")
        return replace(self, lines=(*self.lines, line))

    def net(self) -> Money:
        return total(line.net for line in self.lines)

    def taxes(self) -> dict[Decimal, Money]:
        """The tax by rate, computed on the sum of each rate and not line by line."""
        sums: dict[Decimal, Money] = defaultdict(lambda: Money(0))
        for line in self.lines:
            sums[line.percent] += line.net
        return {percent: vat(amount, percent) for percent, amount in sorted(sums.items())}

    def gross(self) -> Money:
        return self.net() + total(self.taxes().values())

    def due_on(self) -> date:
        """The last day for payment."""
        if self.sent_on is None:
            raise InvoiceError("a draft is not due")
        return self.sent_on + timedelta(days=PAYMENT_DAYS)


def send(invoice: Invoice, today: date, next_number: Callable[[int], int]) -> Invoice:
    """Numbers and dates a draft; the number is taken last, when nothing can fail any more."""
    if invoice.state is not State.DRAFT:
        raise InvoiceError(f"the invoice is {invoice.state.value} already")
    if not invoice.lines:
        raise InvoiceError("an invoice without lines is not sent")
    running = next_number(today.year)
    return replace(invoice, state=State.SENT, number=f"{today.year}-{running:06d}", sent_on=today)


def credit(invoice: Invoice, reason: str) -> Invoice:
    """A draft of the credit note that undoes a sent invoice."""
    if invoice.state not in (State.SENT, State.PAID):
        raise InvoiceError("only a sent invoice can be credited")
    lines = tuple(replace(line, unit=-line.unit) for line in invoice.lines)
    return Invoice(invoice.customer, lines, corrects=invoice.number, notes=(reason,))


def dunning_level(invoice: Invoice, today: date) -> int:
    """How many reminders are due by now, 0 to 3."""
    if invoice.state is not State.SENT:
        return 0
    late = (today - invoice.due_on()).days
    return sum(1 for days in DUNNING_AFTER if late >= days)


def overdue(invoices: Iterable[Invoice], today: date) -> list[Invoice]:
    """Those with a reminder due, the latest first."""
    late = [invoice for invoice in invoices if dunning_level(invoice, today)]
    return sorted(late, key=lambda invoice: invoice.due_on())


def preview(lines: Iterable[Line]) -> Money:
    """What lines would cost with tax, for the basket; may differ by a cent from the invoice."""
    return total(gross(line.net, line.percent) for line in lines)
