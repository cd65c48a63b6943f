/**
 * How many requests a caller may make. A bucket per caller, filled steadily, emptied by one with each request.
 */

import { HttpError } from "./server";

interface Bucket {
  tokens: number;
  filledAt: number;
  refused: number;
}

export interface Limits {
  perSecond: number;
  burst: number;
}

export interface Clock {
  now(): number;
}

const DEFAULTS: Limits = { perSecond: 5, burst: 40 };
const SWEEP_EVERY_MS = 60_000;
const IDLE_MS = 10 * 60_000;

export class Limiter {
  private readonly buckets = new Map<string, Bucket>();
  private readonly special = new Map<string, Limits>();
  private sweptAt = 0;

  constructor(
    private readonly clock: Clock = { now: () => Date.now() },
    private readonly limits: Limits = DEFAULTS,
  ) {}

  /** Other limits for one caller, such as the warehouse whose scanners share an address. */
  allow(caller: string, limits: Limits): void {
    if (limits.perSecond <= 0 || limits.burst < 1) {
      throw new Error(`limits for ${caller} make no sense: ${JSON.stringify(limits)}`);
    }
    this.special.set(caller, limits);
    this.buckets.delete(caller);
  }

  /** Counts a request; throws 429 with the seconds to wait when the bucket is empty. */
  take(caller: string): void {
    this.sweep();
    const limits = this.limitsOf(caller);
    const bucket = this.filled(caller, limits);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      bucket.refused = 0;
      return;
    }
    bucket.refused += 1;
    const wait = Math.ceil((1 - bucket.tokens) / limits.perSecond);
    throw new TooMany(wait, bucket.refused);
  }

  /** What is left for a caller, for the headers of a reply. */
  left(caller: string): number {
    return Math.floor(this.filled(caller, this.limitsOf(caller)).tokens);
  }

  private limitsOf(caller: string): Limits {
    return this.special.get(caller) ?? this.limits;
  }

  private filled(caller: string, limits: Limits): Bucket {
    const now = this.clock.now();
    const bucket = this.buckets.get(caller) ?? { tokens: limits.burst, filledAt: now, refused: 0 };
    const passed = Math.max(0, now - bucket.filledAt) / 1000;
    bucket.tokens = Math.min(limits.burst, bucket.tokens + passed * limits.perSecond);
    bucket.filledAt = now;
    this.buckets.set(caller, bucket);
    return bucket;
  }

  /** Forgets callers that were not seen for ten minutes, at most once a minute. */
  private sweep(): void {
    const now = this.clock.now();
    if (now - this.sweptAt < SWEEP_EVERY_MS) return;
    this.sweptAt = now;
    for (const [caller, bucket] of this.buckets) {
      if (now - bucket.filledAt > IDLE_MS) this.buckets.delete(caller);
    }
  }
}

export class TooMany extends HttpError {
  constructor(
    readonly wait: number,
    readonly refused: number,
  ) {
    super(429, `too many requests, try again in ${wait} s`, "too_many");
  }
}

/** The headers that tell a client how it stands. */
export function headers(limiter: Limiter, caller: string): Record<string, string> {
  return { "ratelimit-remaining": String(limiter.left(caller)) };
}

/** Reads limits such as `10/s burst 100` from the configuration. */
export function parseLimits(text: string): Limits {
  const found = /^(\d+(?:\.\d+)?)\/s(?:\s+burst\s+(\d+))?$/.exec(text.trim());
  if (!found) throw new Error(`not a rate: ${text}`);
  const perSecond = Number(found[1]);
  return { perSecond, burst: found[2] ? Number(found[2]) : Math.ceil(perSecond * 8) };
}
