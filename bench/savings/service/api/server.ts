/**
 * The HTTP side of the service: routes, errors and shutdown. Handlers are thin; what they do stands elsewhere.
 */

import { createServer, IncomingMessage, Server, ServerResponse } from "node:http";
import { randomUUID } from "node:crypto";

import { Limiter } from "./ratelimit";
import { Session, Sessions } from "./sessions";

export interface Context {
  id: string;
  session: Session | null;
  params: Record<string, string>;
  body: unknown;
}

export type Handler = (context: Context) => Promise<Reply> | Reply;

export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code = "error",
  ) {
    super(message);
  }
}

interface Route {
  method: string;
  pattern: RegExp;
  names: string[];
  handler: Handler;
  open: boolean;
}

const MAX_BODY = 256 * 1024;
const DRAIN_MS = 10_000;

export class Api {
  private routes: Route[] = [];
  private server: Server | null = null;

  constructor(
    private readonly sessions: Sessions,
    private readonly limiter: Limiter,
  ) {}

  /** Adds a route such as `/parcels/:id/label`; `open` ones need no session. */
  on(method: string, path: string, handler: Handler, open = false): this {
    const names: string[] = [];
    const source = path.replace(/:(\w+)/g, (_, name: string) => {
      names.push(name);
      return "([^/]+)";
    });
    this.routes.push({ method, pattern: new RegExp(`^${source}$`), names, handler, open });
    return this;
  }

  /** Finds the route and runs it; every error becomes a reply. */
  async handle(request: IncomingMessage): Promise<Reply> {
    const id = String(request.headers["x-request-id"] ?? randomUUID());
    try {
      const { route, params } = this.match(request);
      const session = this.sessions.read(request.headers.cookie ?? "");
      if (!route.open && session === null) {
        throw new HttpError(401, "sign in first", "unauthenticated");
      }
      this.limiter.take(session?.account ?? clientAddress(request));
      const body = await readBody(request);
      return await route.handler({ id, session, params, body });
    } catch (error) {
      return failure(error, id);
    }
  }

  private match(request: IncomingMessage): { route: Route; params: Record<string, string> } {
    const path = (request.url ?? "/").split("?", 1)[0];
    let known = false;
    for (const route of this.routes) {
      const found = route.pattern.exec(path);
      if (!found) continue;
      known = true;
      if (route.method !== request.method) continue;
      const params = Object.fromEntries(route.names.map((name, at) => [name, decodeURIComponent(found[at + 1])]));
      return { route, params };
    }
    throw known ? new HttpError(405, "method not allowed") : new HttpError(404, "no such resource", "not_found");
  }

  listen(port: number): Promise<void> {
    this.server = createServer((request, response) => {
      void this.handle(request).then((reply) => write(response, reply));
    });
    this.server.keepAliveTimeout = 65_000;
    return new Promise((done) => this.server?.listen(port, done));
  }

  /** Stops accepting, lets running requests end, and cuts off what is left after ten seconds. */
  async close(): Promise<void> {
    const server = this.server;
    if (!server) return;
    const closed = new Promise<void>((done) => server.close(() => done()));
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await closed;
    clearTimeout(timer);
  }
}

/** The address of the caller: the last hop that our own load balancer added. */
export function clientAddress(request: IncomingMessage): string {
  const forwarded = String(request.headers["x-forwarded-for"] ?? "");
  const hops = forwarded.split(",").map((hop) => hop.trim());
  return hops[hops.length - 1] || request.socket.remoteAddress || "unknown";
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY) throw new HttpError(413, "the body is too large", "too_large");
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new HttpError(400, "the body is not JSON", "bad_json");
  }
}

export function failure(error: unknown, id: string): Reply {
  if (error instanceof HttpError) {
    return { status: error.status, body: { code: error.code, message: error.message, id } };
  }
  console.error(JSON.stringify({ level: "error", id, error: String(error) }));
  return { status: 500, body: { code: "internal", message: "something went wrong", id } };
}

function write(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
  response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
}
