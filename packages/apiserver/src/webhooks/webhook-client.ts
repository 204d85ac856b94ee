import { Agent } from 'node:https';
import { isIP } from 'node:net';
import { errorMessage, quote } from '@flotilla/kube';
import { Deadline } from './deadline.ts';
import { goClientError } from './go-client-error.ts';
import {
  idleMs,
  openSession,
  sendHttp1,
  sendHttp2,
  type Answer,
  type Request,
  type Session,
  type Target,
} from './send-request.ts';
import type { WebhookAddress, WebhookAnswer, WebhookCall } from './webhook-call.ts';

/** Those of Go's client. */
const maxIdleConnections = 25;
const maxRedirections = 10;

/**
 * Calls webhooks over connections that stay open between calls. Like kube-apiserver it uses HTTP/2 only with servers on this
 * machine: one HTTP/2 connection would send all calls to one of the endpoints of a Service.
 */
export class WebhookClient {
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: maxIdleConnections, timeout: idleMs });
  /** Connections by target. 'http/1.1' if the server does not know HTTP/2. */
  readonly #sessions = new Map<string, Promise<Session>>();

  readonly call = async (call: WebhookCall): Promise<WebhookAnswer> => {
    const deadline = new Deadline(call.timeoutMs, call.signal);
    try {
      return await this.#follow(call, deadline);
    } finally {
      deadline.end();
    }
  };

  /** Ends all connections. */
  close(): void {
    this.#agent.destroy();
    for (const connecting of this.#sessions.values()) void connecting.then(destroy, () => undefined);
    this.#sessions.clear();
  }

  /** Follows redirections, like Go's client. */
  async #follow(call: WebhookCall, deadline: Deadline): Promise<WebhookAnswer> {
    let request: Request = { ...call, method: 'POST' };
    for (let redirections = 0; ; redirections++) {
      const answer = await this.#try(request, deadline);
      const next = redirected(request, answer);
      if (!next) return answer;
      if (redirections === maxRedirections) throw failure(request, `stopped after ${maxRedirections} redirects`);
      request = next;
    }
  }

  async #try(call: Request, deadline: Deadline): Promise<Answer> {
    const host = call.url.hostname.replace(/^\[|\]$/g, '');
    let address: WebhookAddress = { host, port: Number(call.url.port || 443) };
    try {
      address = call.address?.() ?? address;
      return await deadline.race(this.#send(call, { address, host, authority: call.authority }, deadline.signal));
    } catch (error) {
      throw failure(call, whyOf(error, host, address), error);
    }
  }

  /** A server may close an idle connection at any time, which says nothing about the server: then it is called once more. */
  async #send(call: Request, target: Target, signal: AbortSignal): Promise<Answer> {
    const isKept = this.#sessions.has(keyOf(target));
    const session = isLoopback(target.host) ? await this.#session(target) : 'http/1.1';
    if (session === 'http/1.1') return this.#sendHttp1(call, target, signal);
    try {
      return await sendHttp2(call, session, signal);
    } catch (error) {
      if (!isKept || !isClosed(error)) throw error;
      session.destroy();
      this.#sessions.delete(keyOf(target));
      return this.#send(call, target, signal);
    }
  }

  async #sendHttp1(call: Request, target: Target, signal: AbortSignal): Promise<Answer> {
    const first = sendHttp1(call, target, this.#agent, signal);
    try {
      return await first.answer;
    } catch (error) {
      if (!first.usedOpenConnection() || !isClosed(error)) throw error;
      return sendHttp1(call, target, this.#agent, signal).answer;
    }
  }

  /** Calls at the same time share the connection. */
  #session(target: Target): Promise<Session> {
    const key = keyOf(target);
    const known = this.#sessions.get(key);
    if (known) return known;
    const connecting = openSession(target, () => {
      if (this.#sessions.get(key) === connecting) this.#sessions.delete(key);
    });
    this.#sessions.set(key, connecting);
    return connecting;
  }
}

function keyOf({ address, host, authority = '' }: Target): string {
  return `${address.host} ${address.port} ${host} ${authority}`;
}

function failure({ method, shownUrl }: Request, why: string, cause?: unknown): Error {
  return new Error(`${method === 'POST' ? 'Post' : 'Get'} ${quote(shownUrl)}: ${why}`, { cause });
}

/** Undefined if the answer is no redirection. Only two of them repeat the request as it is. */
function redirected(request: Request, { status, location }: Answer): Request | undefined {
  const isRepeated = status === 307 || status === 308;
  if (location === '' || (!isRepeated && ![301, 302, 303].includes(status))) return undefined;
  const url = URL.parse(location, request.url);
  if (url?.protocol !== 'https:') return undefined;
  const { address, ...rest } = request;
  return {
    ...rest,
    url,
    shownUrl: url.href,
    ...(address && url.host === request.url.host && { address }),
    ...(!isRepeated && { method: 'GET' as const, body: new Uint8Array() }),
  };
}

function whyOf(error: unknown, host: string, address: WebhookAddress): string {
  const known = error as NodeJS.ErrnoException;
  return known.code === undefined ? errorMessage(error) : goClientError(known, host, address);
}

function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isClosed(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'EPIPE' || code.startsWith('ERR_HTTP2_');
}

function destroy(session: Session): void {
  if (session !== 'http/1.1') session.destroy();
}
