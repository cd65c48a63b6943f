// Package carriers asks the parcel services what a shipment costs and picks one.
package carriers

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"sync"
	"time"
)

// Parcel is what is sent. Weights are grams, lengths millimetres.
type Parcel struct {
	Weight  int
	Length  int
	Width   int
	Height  int
	Country string
	Insured int
}

// Quote is an offer of one carrier. The price is in cents.
type Quote struct {
	Carrier string
	Service string
	Price   int
	Days    int
}

// Carrier answers questions about prices.
type Carrier interface {
	Name() string
	Quote(ctx context.Context, parcel Parcel) ([]Quote, error)
}

// ErrNoQuote says that nobody offered anything.
var ErrNoQuote = errors.New("no carrier offered a price")

const (
	quoteTimeout   = 1800 * time.Millisecond
	volumetricUnit = 5000
	surcharge      = 350
)

// Board keeps the carriers in use.
type Board struct {
	mu       sync.RWMutex
	carriers []Carrier
	paused   map[string]time.Time
}

// NewBoard makes a board of carriers.
func NewBoard(carriers ...Carrier) *Board {
	return &Board{carriers: carriers, paused: map[string]time.Time{}}
}

// Pause leaves a carrier out until a time, after it failed or was switched off by hand.
func (b *Board) Pause(name string, until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.paused[name] = until
}

func (b *Board) active(now time.Time) []Carrier {
	b.mu.RLock()
	defer b.mu.RUnlock()
	var active []Carrier
	for _, carrier := range b.carriers {
		if until, ok := b.paused[carrier.Name()]; ok && now.Before(until) {
			continue
		}
		active = append(active, carrier)
	}
	return active
}

// Quotes asks all active carriers at once and returns what came in time, the cheapest first.
func (b *Board) Quotes(ctx context.Context, parcel Parcel) ([]Quote, error) {
	ctx, cancel := context.WithTimeout(ctx, quoteTimeout)
	defer cancel()
	active := b.active(time.Now())
	results := make(chan []Quote, len(active))
	for _, carrier := range active {
		go func(carrier Carrier) {
			quotes, err := carrier.Quote(ctx, parcel)
			if err != nil {
				b.Pause(carrier.Name(), time.Now().Add(5*time.Minute))
				quotes = nil
			}
			results <- quotes
		}(carrier)
	}
	var all []Quote
	for range active {
		select {
		case quotes := <-results:
			all = append(all, quotes...)
		case <-ctx.Done():
			return rank(all)
		}
	}
	return rank(all)
}

func rank(quotes []Quote) ([]Quote, error) {
	if len(quotes) == 0 {
		return nil, ErrNoQuote
	}
	sort.SliceStable(quotes, func(i, j int) bool {
		if quotes[i].Price != quotes[j].Price {
			return quotes[i].Price < quotes[j].Price
		}
		return quotes[i].Days < quotes[j].Days
	})
	return quotes, nil
}

// ChargedWeight is the larger of the real and the volumetric weight, in grams.
func ChargedWeight(parcel Parcel) int {
	volumetric := parcel.Length * parcel.Width * parcel.Height / volumetricUnit
	if volumetric > parcel.Weight {
		return volumetric
	}
	return parcel.Weight
}

// Bulky says whether a parcel does not fit the sorting belt and costs extra.
func Bulky(parcel Parcel) bool {
	longest := parcel.Length
	if parcel.Width > longest {
		longest = parcel.Width
	}
	if parcel.Height > longest {
		longest = parcel.Height
	}
	return longest > 1200 || parcel.Length+2*(parcel.Width+parcel.Height) > 3000
}

// WithSurcharge adds what bulky parcels cost beyond the tariff.
func WithSurcharge(quote Quote, parcel Parcel) Quote {
	if Bulky(parcel) {
		quote.Price += surcharge
		quote.Service = fmt.Sprintf("%s (bulky)", quote.Service)
	}
	return quote
}
