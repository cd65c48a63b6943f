/**
 * Sessions in a signed cookie. Nothing is kept on the server but the list of sessions that were ended early.
 */

import { createHmac, timingSafeEqual } from "node:crypto";

export interface Session {
  account: string;
  role: "clerk" | "admin" | "carrier";
  issued: number;
  expires: number;
  nonce: string;
}

export interface Revocations {
  has(nonce: string): boolean;
  add(nonce: string, until: number): void;
}

const COOKIE = "parcel_session";
const LIFETIME_S = 8 * 60 * 60;
const RENEW_AFTER_S = 30 * 60;
const SKEW_S = 120;

export class Sessions {
  constructor(
    private readonly keys: string[],
    private readonly revoked: Revocations,
    private readonly now: () => number = () => Math.floor(Date.now() / 1000),
  ) {
    if (keys.length === 0) throw new Error("at least one signing key is needed");
  }

  /** A new session as the value of a Set-Cookie header. */
  issue(account: string, role: Session["role"], nonce: string): string {
    const issued = this.now();
    return this.cookie({ account, role, issued, expires: issued + LIFETIME_S, nonce });
  }

  /** The session of a Cookie header, or null when it is missing, forged, expired or ended. */
  read(header: string): Session | null {
    const value = find(header, COOKIE);
    if (!value) return null;
    const dot = value.lastIndexOf(".");
    if (dot < 0) return null;
    const payload = value.slice(0, dot);
    if (!this.verify(payload, value.slice(dot + 1))) return null;
    const session = decode(payload);
    if (!session || this.revoked.has(session.nonce)) return null;
    const now = this.now();
    if (session.expires <= now || session.issued > now + SKEW_S) return null;
    return session;
  }

  /** The cookie that prolongs a session, or null while the old one is young enough. */
  renew(session: Session): string | null {
    const now = this.now();
    if (now - session.issued < RENEW_AFTER_S) return null;
    return this.cookie({ ...session, issued: now, expires: now + LIFETIME_S });
  }

  /** Ends a session before its time; remembered until it would have expired anyway. */
  end(session: Session): string {
    this.revoked.add(session.nonce, session.expires);
    return `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`;
  }

  private cookie(session: Session): string {
    const payload = Buffer.from(JSON.stringify(session)).toString("base64url");
    const value = `${payload}.${this.sign(payload, this.keys[0])}`;
    return `${COOKIE}=${value}; Path=/; Max-Age=${LIFETIME_S}; HttpOnly; Secure; SameSite=Lax`;
  }

  private sign(payload: string, key: string): string {
    return createHmac("sha256", key).update(payload).digest("base64url");
  }

  private verify(payload: string, signature: string): boolean {
    const given = Buffer.from(signature);
    return this.keys.some((key) => {
      const wanted = Buffer.from(this.sign(payload, key));
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    });
  }
}

function find(header: string, name: string): string | null {
  for (const part of header.split(";")) {
    const [key, ...rest] = part.trim().split("=");
    if (key === name) return rest.join("=");
  }
  return null;
}

function decode(payload: string): Session | null {
  try {
    const session = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const complete =
      typeof session.account === "string" &&
      typeof session.nonce === "string" &&
      typeof session.expires === "number" &&
      ["clerk", "admin", "carrier"].includes(session.role);
    return complete ? (session as Session) : null;
  } catch {
    return null;
  }
}

/** Whether a role may do something; admins may do everything. */
export function allowed(session: Session, needed: Session["role"]): boolean {
  return session.role === "admin" || session.role === needed;
}
