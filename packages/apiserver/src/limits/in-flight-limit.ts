import { anonymous, isMaster, type ApiRequest, type ApiResponse, type User } from '@flotilla/kube';
import { waitingBodyBytes } from './limits.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { textResponse } from '../response/respond.ts';
import { SharedLimit, type Holder } from './shared-limit.ts';
import { Work, type HolderKey, type WorkPool } from './work.ts';

/** How many requests may be worked on at once. */
export interface InFlightLimits {
  readonly reading: number;
  readonly changing: number;
}

/** kube-apiserver's. */
export const defaultInFlightLimits: InFlightLimits = { reading: 400, changing: 200 };

/** A process has one memory, however many servers run in it, so all of them share this. */
const bodiesOfProcess = new SharedLimit('bodyBytes', waitingBodyBytes);

/**
 * Counts requests that are being worked on, those that read apart from those that change, and gives every user a share. What is
 * answered at once never counts, nor does waiting for a body; watches and the like would count for hours, and probes must get
 * through whatever happens.
 */
export class InFlightLimit implements WorkPool {
  readonly bodies: SharedLimit;
  readonly #seats: Readonly<Record<WorkKind, SharedLimit>>;
  readonly #holders = new Map<HolderKey, Holder>();

  constructor({ reading, changing }: InFlightLimits, bodies: SharedLimit = bodiesOfProcess) {
    this.#seats = { reading: new SharedLimit('reading', reading), changing: new SharedLimit('changing', changing) };
    this.bodies = bodies;
  }

  /** Whether the user would be refused now, without a look at the body. */
  isFull(kind: WorkKind, request: Caller, user: User): boolean {
    const seats = this.#seats[kind];
    return !seats.isCalm && !isMaster(user) && !seats.hasRoom(this.#holders.get(keyOf(request, user)));
  }

  /** One request, which counts from when it is told to begin. */
  workOf(kind: WorkKind, request: Caller, user: User): Work {
    return new Work(this, this.#seats[kind], keyOf(request, user), isMaster(user));
  }

  holderOf(key: HolderKey): Holder {
    let holder = this.#holders.get(key);
    if (holder === undefined) this.#holders.set(key, (holder = { reading: 0, changing: 0, bodyBytes: 0 }));
    return holder;
  }

  /** Who holds nothing is forgotten. */
  release(key: HolderKey, { reading, changing, bodyBytes }: Holder): void {
    if (reading === 0 && changing === 0 && bodyBytes === 0) this.#holders.delete(key);
  }
}

export type WorkKind = 'reading' | 'changing';

type Caller = Pick<ApiRequest, 'connection'>;

/** Users are known by their names, those without one by their connections. */
function keyOf({ connection }: Caller, { name }: User): HolderKey {
  return name === anonymous.name && connection !== undefined ? connection : name;
}

/** Subresources that lead to a kubelet: they stream. */
export const longRunning: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);
const probes = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

/** Undefined for a request that is not counted. */
export function workKindOf(request: Pick<ApiRequest, 'method'>, info: RequestInfo): WorkKind | undefined {
  if (isUncounted(info)) return undefined;
  return isReading(request, info) ? 'reading' : 'changing';
}

function isUncounted(info: RequestInfo): boolean {
  return info.isResource ? info.verb === 'watch' || longRunning.has(info.subresource) : probes.test(info.path);
}

function isReading({ method }: Pick<ApiRequest, 'method'>, info: RequestInfo): boolean {
  return info.isResource ? info.verb === 'get' || info.verb === 'list' : method === 'GET';
}

/** In plain text, not as a Status: it must cost next to nothing. */
export function tooManyRequests(): ApiResponse {
  const response = textResponse(429, 'Too many requests, please try again later.\n');
  return { ...response, headers: { ...response.headers, 'retry-after': '1' } };
}
