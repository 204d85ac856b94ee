import { anonymous, isMaster, type ApiRequest, type ApiResponse, type User } from '@flotilla/kube';
import { waitingBodyBytes } from './limits.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { textResponse } from '../response/respond.ts';
import { SharedLimit, type Holder } from './shared-limit.ts';
import { InFlightRequest, type HolderKey, type RequestPool } from './in-flight-request.ts';

/** The maximum numbers of requests in flight. */
export interface InFlightLimits {
  readonly reading: number;
  readonly changing: number;
}

/** Those of kube-apiserver. */
export const defaultInFlightLimits: InFlightLimits = { reading: 400, changing: 200 };

/** Shared by all servers of a process, because they share its memory. */
const bodiesOfProcess = new SharedLimit('bodyBytes', waitingBodyBytes);

/**
 * Limits requests in flight, separately for reads and changes, and gives every user a share. Synchronous responses and requests
 * that wait for their body do not count. Neither do long-running requests, which would hold a seat for hours, nor probes, which
 * must always succeed.
 */
export class InFlightLimit implements RequestPool {
  readonly bodies: SharedLimit;
  readonly #seats: Readonly<Record<RequestClass, SharedLimit>>;
  readonly #holders = new Map<HolderKey, Holder>();
  /** From so many holders on, those that hold nothing are removed. */
  #maxHolders = minHolders;

  constructor({ reading, changing }: InFlightLimits, bodies: SharedLimit = bodiesOfProcess) {
    this.#seats = { reading: new SharedLimit('reading', reading), changing: new SharedLimit('changing', changing) };
    this.bodies = bodies;
  }

  /** Whether to refuse the request before its body is read. */
  isFull(kind: RequestClass, request: Caller, user: User): boolean {
    const seats = this.#seats[kind];
    return !seats.isHalfFree && !isMaster(user) && !seats.hasRoom(this.#holders.get(keyOf(request, user)));
  }

  /** Takes no seat before `begin` or `count`. */
  inFlightRequest(kind: RequestClass, request: Caller, user: User): InFlightRequest {
    return new InFlightRequest(this, this.#seats[kind], keyOf(request, user), isMaster(user));
  }

  holderOf(key: HolderKey): Holder {
    let holder = this.#holders.get(key);
    if (holder === undefined) {
      if (this.#holders.size >= this.#maxHolders) this.#forgetIdle();
      this.#holders.set(key, (holder = { reading: 0, changing: 0, bodyBytes: 0 }));
    }
    return holder;
  }

  /** Removes the holder of a connection, which may be closed. A user is likely to ask again. */
  release(key: HolderKey, holder: Holder): void {
    if (typeof key !== 'string' && isIdle(holder)) this.#holders.delete(key);
  }

  #forgetIdle(): void {
    for (const [key, holder] of this.#holders) if (isIdle(holder)) this.#holders.delete(key);
    this.#maxHolders = Math.max(minHolders, 2 * this.#holders.size);
  }
}

const minHolders = 1024;

function isIdle({ reading, changing, bodyBytes }: Holder): boolean {
  return reading === 0 && changing === 0 && bodyBytes === 0;
}

export type RequestClass = 'reading' | 'changing';

type Caller = Pick<ApiRequest, 'connection'>;

/** Users count by name, anonymous ones by connection. */
function keyOf({ connection }: Caller, { name }: User): HolderKey {
  return name === anonymous.name && connection !== undefined ? connection : name;
}

/** Subresources that stream from a kubelet. */
export const longRunningSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);
const probePaths = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

/** Returns undefined for a request that does not count. */
export function requestClassOf(request: Pick<ApiRequest, 'method'>, info: RequestInfo): RequestClass | undefined {
  if (isUncounted(info)) return undefined;
  return isReading(request, info) ? 'reading' : 'changing';
}

function isUncounted(info: RequestInfo): boolean {
  return info.isResource
    ? info.verb === 'watch' || longRunningSubresources.has(info.subresource)
    : probePaths.test(info.path);
}

function isReading({ method }: Pick<ApiRequest, 'method'>, info: RequestInfo): boolean {
  return info.isResource ? info.verb === 'get' || info.verb === 'list' : method === 'GET';
}

/** Plain text instead of a Status, because it must cost little. */
export function tooManyRequests(): ApiResponse {
  const response = textResponse(429, 'Too many requests, please try again later.\n');
  return { ...response, headers: { ...response.headers, 'retry-after': '1' } };
}
