import { isMaster, type ApiRequest, type ApiResponse, type MetricsRegistry, type User } from '@flotilla/kube';
import { BodyLimit } from '../limits/body-limit.ts';
import type { InFlightRequest } from '../limits/in-flight-request.ts';
import type { PathHandler } from '../request/path-handler.ts';
import type { RequestInfo, ResourceInfo } from '../request/request-info.ts';
import { requestTimeoutMs } from '../request/request-timeout.ts';
import { isStream } from '../response/response-parts.ts';
import type { Resource } from '../resources/resource.ts';
import type { StoreEvent } from '../store/store.ts';
import { dumpPaths } from './dump.ts';
import type { Asking, Flow } from './flow.ts';
import { FlowConfig } from './flow-config.ts';
import { flowMetrics } from './flow-metrics.ts';
import { FlowRequest } from './flow-request.ts';
import { finished, refusal, withFlowHeaders } from './flow-response.ts';
import { endingStream, heldStream } from './held-stream.ts';
import { FlowObjectKeeper, type KeeperOptions } from './objects/flow-object-keeper.ts';
import type { Seat } from './waiting-request.ts';
import { CallerThrottle } from './queuing/caller-throttle.ts';
import { costOfSending } from './queuing/request-cost.ts';
import { TurnQueue } from './queuing/turn-queue.ts';
import { changeSeats, listSeats, type StoredObjects } from './work-estimate.ts';
import { WatchCounts } from './watch-counts.ts';

type Answer = ApiResponse | Promise<ApiResponse>;

/** The maximum numbers of requests in flight. Priority levels divide their sum. */
export interface InFlightLimits {
  readonly reading: number;
  readonly changing: number;
}

/** Those of kube-apiserver. */
const defaultInFlightLimits: InFlightLimits = { reading: 400, changing: 200 };

export interface FlowControlOptions extends KeeperOptions {
  readonly metrics: MetricsRegistry;
  readonly findResource: (group: string, version: string, plural: string) => Resource | undefined;
  readonly inFlightLimits?: InFlightLimits | undefined;
}

/** A request whose user is known. */
export interface FlowedRequest {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: User;
}

interface Execution {
  readonly seats: number;
  readonly start: number;
  readonly run: () => Answer;
}

/** Subresources that stream from a kubelet. They would hold a seat for hours. */
export const longRunningSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Kubernetes lets a request wait for a quarter of its time. */
const waitingShare = 4;

/**
 * API priority and fairness: decides by FlowSchemas and PriorityLevelConfigurations when a request executes, waits or is
 * refused. A request that is answered in the turn in which it came never has a seat, and a get does not wait for one.
 */
export class FlowControl {
  readonly #options: FlowControlOptions;
  readonly #bodies = new BodyLimit();
  readonly #watches = new WatchCounts();
  readonly #reads: TurnQueue;
  readonly #throttle: CallerThrottle;
  readonly #keeper: FlowObjectKeeper;
  readonly config: FlowConfig;

  constructor(options: FlowControlOptions) {
    const { reading, changing } = options.inFlightLimits ?? defaultInFlightLimits;
    this.#options = options;
    this.#throttle = new CallerThrottle(options.clock);
    this.#reads = new TurnQueue(options.turns, this.#throttle);
    this.#keeper = new FlowObjectKeeper(options);
    const onChanged = (event: StoreEvent | undefined): void => this.#keeper.changed(event);
    this.config = new FlowConfig({ ...options, throttle: this.#throttle, seats: reading + changing, onChanged });
    flowMetrics(options.metrics, this.config);
  }

  /** Runs a request when its flow has a seat. `run` must not throw or reject. */
  answer(flowed: FlowedRequest, run: (inFlight?: InFlightRequest) => Answer): Answer {
    const { info, user, request } = flowed;
    if (info.isResource && info.subresource !== '' && longRunningSubresources.has(info.subresource)) return run();
    const isExempt = isMaster(user);
    const flow = isExempt ? this.config.exempt() : this.config.flowOf(user, info, verbOf(request, info));
    const start = performance.now();
    if (!isExempt) this.#throttle.requested(callerOf(flowed));
    // Most requests are gets, so that they are recognised first.
    if (isImmediate(info)) return this.#get(flow, flowed, start, run);
    if (info.isResource && isChange(info)) return this.#change(flow, flowed, start, run);
    const { level } = flow;
    const seats = this.#seatsToRead(flow, info);
    const mayBegin = level.hasRoomFor(seats) && !level.holds(callerOf(flowed));
    if (!mayBegin) return this.#queued(this.#asking(flow, flowed, seats), start, run);
    return this.#executed(flow, flowed, { seats, start, run });
  }

  /** The debug endpoints. */
  paths(): ReadonlyMap<string, PathHandler> {
    return dumpPaths(this.config, this.#options.clock);
  }

  /** Call once the default objects exist: from then on they are kept. */
  start(): void {
    this.#keeper.start();
  }

  stop(): void {
    this.#keeper.stop();
    this.config.stop();
    this.#throttle.stop();
  }

  #executed(flow: Flow, flowed: FlowedRequest, { seats, start, run }: Execution): Answer {
    const { level } = flow;
    const response = run();
    level.executedAtOnce(flow, seats);
    if (!(response instanceof Promise)) return finished(flow, flowed.info, response, start);
    const seat = level.take(this.#asking(flow, flowed, seats));
    this.#throttle.entered(seat.asking.caller);
    return response.then((answered) => this.#read(seat, answered, start));
  }

  /** A get needs time in a turn of the event loop, and no seat. */
  #get(flow: Flow, flowed: FlowedRequest, start: number, run: () => Answer): Answer {
    const { level } = flow;
    const { user, info } = flowed;
    const { isExempt, queuing } = level.spec;
    if (!isExempt) {
      const mostWaiting = queuing ? queuing.lengthLimit * queuing.handSize : 0;
      if (this.#reads.isFull(user.name, mostWaiting)) return finished(flow, info, refusal(level.reject(flow)), start);
      const turn = this.#reads.whenToBegin(user.name);
      if (turn) return this.#inTurn(flow, flowed, turn, run);
    }
    return this.#executed(flow, flowed, { seats: 1, start, run });
  }

  #change(flow: Flow, flowed: FlowedRequest, start: number, run: (inFlight: InFlightRequest) => Answer): Answer {
    const { info, request, user } = flowed;
    const asking = this.#asking(flow, flowed, this.#seatsToChange(flow, info as ResourceInfo));
    if (flow.level.wouldReject(asking)) return finished(flow, info, refusal(flow.level.reject(flow)), start);
    const inFlight = new FlowRequest(asking, this.#bodies.bodyOf(request, user));
    const response = run(inFlight);
    if (!(response instanceof Promise)) {
      flow.level.executedAtOnce(flow, asking.seats);
      return finished(flow, info, response, start);
    }
    this.#throttle.entered(asking.caller);
    return response.then((answered) => {
      inFlight.end();
      this.#throttle.left(asking.caller);
      return finished(flow, info, answered, start);
    });
  }

  async #queued(asking: Asking, start: number, run: () => Answer): Promise<ApiResponse> {
    const { flow, info, caller } = asking;
    let seat: Seat;
    this.#throttle.entered(caller);
    try {
      seat = await flow.level.wait(asking, undefined);
    } catch (error) {
      this.#throttle.left(caller);
      return finished(flow, info, refusal(error), start);
    }
    return this.#read(seat, await run(), start);
  }

  async #inTurn(flow: Flow, flowed: FlowedRequest, turn: Promise<void>, run: () => Answer): Promise<ApiResponse> {
    const start = performance.now();
    const { info } = flowed;
    const caller = callerOf(flowed);
    this.#throttle.entered(caller);
    await turn;
    this.#throttle.left(caller);
    const begun = performance.now();
    flow.level.executedAfter(flow, begun - start);
    return finished(flow, info, await run(), begun);
  }

  /** A list has its seats until it waits for its reader, a watch until its events can begin. */
  #read(seat: Seat, response: ApiResponse, start: number): ApiResponse {
    const { flow, info, caller } = seat.asking;
    const { level } = flow;
    const { body } = response;
    const isWatch = info.isResource && info.verb === 'watch';
    if (isWatch || !isStream(body)) {
      level.release(seat);
      this.#throttle.left(caller);
      return finished(flow, info, isWatch && isStream(body) ? this.#counted(info, response) : response, start);
    }
    const release = (): void => {
      level.release(seat);
      flow.stats.regularSeconds.observe((performance.now() - start) / 1000);
    };
    const written = (bytes: number): void => this.#throttle.charge(caller, costOfSending(bytes));
    const ended = (): void => this.#throttle.left(caller);
    return withFlowHeaders(flow, { ...response, body: heldStream(body, { release, written, ended }) });
  }

  #counted(info: ResourceInfo, response: ApiResponse): ApiResponse {
    const { body } = response;
    if (!isStream(body)) return response;
    this.#watches.add(info);
    return { ...response, body: endingStream(body, () => this.#watches.remove(info)) };
  }

  #asking(flow: Flow, { request, info, user }: FlowedRequest, seats: number): Asking {
    const waitMs = requestTimeoutMs(info.query) / waitingShare;
    return { flow, user, info, request, seats, waitMs, caller: callerOf({ user, request }) };
  }

  #seatsToRead({ level }: Flow, info: RequestInfo): number {
    if (!info.isResource || (info.verb !== 'list' && info.verb !== 'watch')) return 1;
    return listSeats(info, () => this.#storedObjects(info), level.limits.widest);
  }

  #seatsToChange({ level, stats }: Flow, info: ResourceInfo): number {
    if (level.spec.isExempt || info.verb === 'deletecollection') return 1;
    const watches = this.#watches.interestedIn(info);
    stats.watchCounts.observe(watches);
    return changeSeats(watches, level.limits.widest);
  }

  /** The size is that of the first objects. */
  #storedObjects({ group, version, resource: plural }: ResourceInfo): StoredObjects | undefined {
    const resource = this.#options.findResource(group, version, plural);
    if (!resource) return undefined;
    const { store } = this.#options;
    const { collection } = resource;
    let bytes = 0;
    let sampled = 0;
    for (const entry of store.snapshot().range(collection, '')) {
      bytes += entry.bytes.length;
      if (++sampled === sampleSize) break;
    }
    return { count: store.count(collection), bytes: sampled === 0 ? 0 : bytes / sampled };
  }
}

const sampleSize = 8;

const changeVerbs: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** In process, callers are parts of this program. They are not throttled, and no other caller is for them. */
function callerOf({ request, user }: Pick<FlowedRequest, 'request' | 'user'>): string | undefined {
  return request.connection === undefined ? undefined : user.name;
}

function isChange({ verb }: ResourceInfo): boolean {
  return changeVerbs.has(verb);
}

/** Answered from memory in this turn of the event loop: its seat would be free again before another request could wait for it. */
function isImmediate(info: RequestInfo): boolean {
  return info.isResource && info.verb === 'get' && !info.query.has('resourceVersion');
}

/** HEAD has no routes; Kubernetes classifies it like GET. */
function verbOf({ method }: Pick<ApiRequest, 'method'>, info: RequestInfo): string {
  if (!info.isResource) return method.toLowerCase();
  if (info.verb !== 'unknown' || method !== 'HEAD') return info.verb;
  return info.name === '' ? 'list' : 'get';
}
