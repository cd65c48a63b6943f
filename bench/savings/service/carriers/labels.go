package carriers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Label is a printed shipping label and the number it can be traced by.
type Label struct {
	Number  string
	Carrier string
	PDF     []byte
	Made    time.Time
}

// Printer makes labels at one carrier.
type Printer interface {
	Print(ctx context.Context, quote Quote, parcel Parcel, key string) (Label, error)
	Void(ctx context.Context, number string) error
}

// ErrVoided says that a label was cancelled and cannot be used again.
var ErrVoided = errors.New("the label was voided")

// ErrTooLate says that the carrier has collected the parcel already.
var ErrTooLate = errors.New("the parcel is on its way")

const (
	voidWindow   = 4 * time.Hour
	maxNameRunes = 35
)

// Desk prints labels once, however often it is asked.
type Desk struct {
	mu       sync.Mutex
	printers map[string]Printer
	made     map[string]Label
	voided   map[string]bool
	now      func() time.Time
}

// NewDesk makes a desk with a printer for each carrier name.
func NewDesk(printers map[string]Printer) *Desk {
	return &Desk{
		printers: printers,
		made:     map[string]Label{},
		voided:   map[string]bool{},
		now:      time.Now,
	}
}

// Print makes the label for an order, or returns the one that was made for it before.
func (d *Desk) Print(ctx context.Context, order string, quote Quote, parcel Parcel) (Label, error) {
	key := Key(order, quote, parcel)
	d.mu.Lock()
	defer d.mu.Unlock()
	if label, ok := d.made[key]; ok {
		if d.voided[label.Number] {
			return Label{}, ErrVoided
		}
		return label, nil
	}
	printer, ok := d.printers[quote.Carrier]
	if !ok {
		return Label{}, fmt.Errorf("no printer for %s", quote.Carrier)
	}
	label, err := printer.Print(ctx, quote, parcel, key)
	if err != nil {
		return Label{}, fmt.Errorf("printing for order %s: %w", order, err)
	}
	label.Made = d.now()
	d.made[key] = label
	return label, nil
}

// Void cancels a label while the carrier still lets us.
func (d *Desk) Void(ctx context.Context, label Label) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.voided[label.Number] {
		return nil
	}
	if d.now().Sub(label.Made) > voidWindow {
		return ErrTooLate
	}
	if err := d.printers[label.Carrier].Void(ctx, label.Number); err != nil {
		return err
	}
	d.voided[label.Number] = true
	return nil
}

// Key is the same for the same order, offer and measures, so that a repeated request prints nothing new.
func Key(order string, quote Quote, parcel Parcel) string {
	text := fmt.Sprintf("%s|%s|%s|%d|%d", order, quote.Carrier, quote.Service, ChargedWeight(parcel), quote.Price)
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// Recipient shortens a name to what fits on the label, at a word if possible.
func Recipient(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	runes := []rune(name)
	if len(runes) <= maxNameRunes {
		return name
	}
	cut := string(runes[:maxNameRunes])
	if at := strings.LastIndex(cut, " "); at > maxNameRunes/2 {
		return cut[:at]
	}
	return cut
}

// CheckDigit is the last digit of a parcel number: weights three and one, as for article numbers.
func CheckDigit(digits string) (int, error) {
	sum := 0
	for at, char := range digits {
		if char < '0' || char > '9' {
			return 0, fmt.Errorf("%q is not a digit", char)
		}
		weight := 1
		if (len(digits)-at)%2 == 1 {
			weight = 3
		}
		sum += int(char-'0') * weight
	}
	return (10 - sum%10) % 10, nil
}
