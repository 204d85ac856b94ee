import type { Clock } from '@flotilla/timing';
import { TooManyRequests } from '../limits/too-many-requests.ts';
import type { Asking, Flow } from './flow.ts';
import type { RejectReason } from './flow-stats.ts';
import type { LevelSpec } from './objects/flow-objects.ts';
import type { CallerThrottle } from './queuing/caller-throttle.ts';
import { FairQueues, type Queue } from './queuing/fair-queues.ts';
import { costOfRequest } from './queuing/request-cost.ts';
import { maxAwaitedTurns, type RequestTurns } from './queuing/turn-queue.ts';
import { RetryAfter } from './retry-after.ts';
import { SeatDemand } from './seats/seat-demand.ts';
import type { SeatLimits } from './seats/seat-limits.ts';
import { Seated } from './seats/seated.ts';
import { LevelUsage } from './usage/level-usage.ts';
import type { ReadWriteUsage } from './usage/read-write-usage.ts';
import type { Begun, Seat, WaitingRequest } from './waiting-request.ts';

export interface LevelDependencies {
  readonly clock: Clock;
  readonly turns: Pick<RequestTurns, 'whenToBegin'>;
  readonly throttle: CallerThrottle;
  /** Called when a request finds no seat. */
  readonly shortage: () => void;
  readonly readWriteUsage: ReadWriteUsage;
  /** The seats of the server. */
  readonly serverSeats: number;
}

/** How often requests that wait are checked for their deadline. */
const sweepMs = 250;

/** A priority level: its seats, the requests that have them, and those that wait. */
export class PriorityLevel {
  spec: LevelSpec;
  limits: SeatLimits;
  /** The seats that it has now, borrowed ones included. */
  seats = 0;
  seatsInUse = 0;
  executing = 0;
  /** Of all flows, since the start. */
  dispatched = 0;
  rejected = 0;
  timedOut = 0;
  cancelled = 0;
  readonly demand: SeatDemand;
  readonly usage: LevelUsage;
  readonly retryAfter = new RetryAfter();
  readonly queues: FairQueues<WaitingRequest>;
  /** Requests that have seats, for the debug endpoint. */
  readonly seated = new Seated<Seat>();
  readonly #parts: LevelDependencies;
  /** Turns of the event loop that were asked for, and those that came and were not used. */
  #awaitedTurns = 0;
  #freeTurns = 0;
  #cancelSweep: (() => void) | undefined;

  constructor(spec: LevelSpec, limits: SeatLimits, parts: LevelDependencies) {
    const now = parts.clock.elapsed();
    this.spec = spec;
    this.limits = limits;
    this.#parts = parts;
    this.demand = new SeatDemand(now);
    this.usage = new LevelUsage(now);
    this.queues = new FairQueues(now, spec.queuing?.queues ?? 0, spec.queuing?.lengthLimit ?? 0);
  }

  get waiting(): number {
    return this.queues.waiting;
  }

  get isIdle(): boolean {
    return this.executing === 0 && this.queues.waiting === 0;
  }

  configure(spec: LevelSpec, limits: SeatLimits): void {
    this.spec = spec;
    this.limits = limits;
    this.queues.resize(spec.queuing?.queues ?? 0, spec.queuing?.lengthLimit ?? 0);
  }

  stop(): void {
    this.#cancelSweep?.();
  }

  setSeats(seats: number): void {
    const now = this.#parts.clock.elapsed();
    this.queues.advance(now);
    this.seats = seats;
    const { queues = 1, lengthLimit = 1 } = this.spec.queuing ?? {};
    // Without seats, kube-apiserver counts in tenths of the server.
    const countedSeats = seats > 0 ? seats : Math.round(this.#parts.serverSeats / 10);
    this.usage.setLimits({ waiting: queues * lengthLimit, seats: countedSeats }, now);
    this.#dispatch();
  }

  /** Whether a request with so many seats may execute now. Requests that wait go first. */
  hasRoomFor(seats: number): boolean {
    return this.spec.isExempt || (this.queues.waiting === 0 && this.#fits(seats));
  }

  /** Whether the caller has had its share of time for now. Levels without queues hold no request. */
  holds(caller: string | undefined): boolean {
    return this.spec.queuing !== undefined && this.#parts.throttle.holds(caller);
  }

  /** Whether the request would be rejected, so that its body need not be read. */
  wouldReject(asking: Asking): boolean {
    const { queuing } = this.spec;
    if (this.hasRoomFor(asking.seats)) return false;
    if (queuing === undefined) return true;
    if (this.seatsInUse < this.seats || this.queues.waiting < queuing.lengthLimit) return false;
    return this.queues.isFull(asking.flow.handOf(asking.flow.distinguisherOf(asking.user, asking.info)));
  }

  /** Takes seats, even above the limit. */
  take(asking: Asking, bodyBytes = 0, queue?: Queue<WaitingRequest>): Seat {
    const now = this.#parts.clock.elapsed();
    this.#parts.throttle.charge(asking.caller, costOfRequest(bodyBytes));
    const seat: Seat = { asking, queue, since: now, position: -1 };
    const { stats } = asking.flow;
    this.queues.advance(now);
    this.seated.add(seat);
    this.executing++;
    this.seatsInUse += asking.seats;
    stats.executingRequests++;
    stats.executingSeats += asking.seats;
    this.#parts.readWriteUsage.add('executing', asking, 1, now);
    this.#recordUse(now);
    return seat;
  }

  release(seat: Seat): void {
    if (!this.seated.delete(seat)) return;
    const now = this.#parts.clock.elapsed();
    const { seats, flow } = seat.asking;
    this.queues.advance(now);
    this.executing--;
    this.seatsInUse -= seats;
    flow.stats.executingRequests--;
    flow.stats.executingSeats -= seats;
    if (seat.queue !== undefined) this.queues.finish(seat.queue, seats, now - seat.since);
    this.#parts.readWriteUsage.add('executing', seat.asking, -1, now);
    this.#recordUse(now);
    if (this.queues.waiting > 0) this.#dispatch();
  }

  /** Counts a request that is refused before its body is read. */
  reject(flow: Flow): TooManyRequests {
    this.#parts.shortage();
    return this.#rejected(flow, this.spec.queuing === undefined ? 'concurrency-limit' : 'queue-full', 0);
  }

  /** Counts a request that waited for a turn of the event loop, and needs no seat. */
  executedAfter(flow: Flow, waitedMs: number): void {
    this.dispatched++;
    flow.stats.dispatched++;
    flow.stats.estimatedSeats.observe(1);
    flow.stats.waitedAndExecuted.observe(waitedMs / 1000);
  }

  /** Counts a request that executes without waiting. */
  executedAtOnce(flow: Flow, seats: number): void {
    this.dispatched++;
    flow.stats.executedAtOnce(seats);
  }

  /**
   * Begins a change whose body is complete: returns its seats, and a promise for its turn of the event loop if it must wait
   * for one. If its flow has no seat, or others wait for a turn, the change waits in a queue, where turns are shared fairly.
   */
  begin(asking: Asking, bodyBytes: number | undefined): Begun | Promise<Seat> {
    const { flow, seats } = asking;
    if (!this.hasRoomFor(seats) || this.holds(asking.caller)) return this.wait(asking, bodyBytes);
    const hasQueues = this.spec.queuing !== undefined;
    if (hasQueues && bodyBytes !== undefined && !this.#hasTurn(bodyBytes)) return this.wait(asking, bodyBytes);
    this.executedAtOnce(flow, seats);
    const turn = hasQueues || bodyBytes === undefined ? undefined : this.#parts.turns.whenToBegin(bodyBytes);
    return { seat: this.take(asking, bodyBytes), turn };
  }

  /**
   * Resolves with seats when it is the request's turn. Rejects with TooManyRequests if the queues are full, or if the request
   * waited for too long. With `bodyBytes` it also waits for a turn of the event loop with time for the body.
   */
  wait(asking: Asking, bodyBytes: number | undefined): Promise<Seat> {
    if (!this.#fits(asking.seats)) this.#parts.shortage();
    const now = this.#parts.clock.elapsed();
    this.queues.advance(now);
    const { flow, user, info, request } = asking;
    if (this.spec.queuing === undefined) return Promise.reject(this.#rejected(flow, 'concurrency-limit', 0));
    return new Promise((resolve, reject) => {
      const distinguisher = flow.distinguisherOf(user, info);
      const waiting: WaitingRequest = {
        asking,
        bodyBytes,
        distinguisher,
        since: now,
        seats: asking.seats,
        isGone: () => request.isGone ?? request.signal.aborted,
        drop: () => this.#giveUp(waiting, false),
        start: resolve,
        reject,
      };
      // With free seats, requests wait for turns of the event loop, which come soon.
      const mayGrow = this.seatsInUse < this.seats && !this.holds(asking.caller);
      const queue = this.queues.enqueue(waiting, flow.handOf(distinguisher), mayGrow);
      if (queue === undefined) return reject(this.#rejected(flow, 'queue-full', 0));
      flow.stats.waitingRequests++;
      flow.stats.waitingSeats += asking.seats;
      flow.stats.estimatedSeats.observe(asking.seats);
      flow.stats.queueLengths.observe(queue.placed.length);
      this.#parts.readWriteUsage.add('waiting', asking, 1, now);
      this.#recordUse(now);
      this.#sweepLater();
      this.#dispatch();
    });
  }

  #fits(seats: number): boolean {
    if (this.spec.isExempt) return true;
    // A request that is wider than the level has it for itself.
    if (seats > this.seats) return this.executing === 0;
    return this.seatsInUse + seats <= this.seats;
  }

  /** Dispatches as many requests as have seats, and time in this turn of the event loop. */
  #dispatch(): void {
    while (this.queues.waiting > 0) {
      const queue = this.queues.next(this.#isFree);
      if (queue === undefined) return this.#parts.throttle.whenFree(this.#dispatchFree);
      const next = queue.placed[0]?.waiting;
      if (next === undefined) return;
      if (next.isGone()) {
        this.queues.remove(queue, next);
        next.drop();
        continue;
      }
      if (!this.#fits(next.seats)) return;
      if (next.bodyBytes !== undefined && !this.#hasTurn(next.bodyBytes)) return;
      this.#start(queue);
    }
  }

  readonly #isFree = ({ asking }: WaitingRequest): boolean => !this.holds(asking.caller);

  readonly #dispatchFree = (): void => {
    this.queues.advance(this.#parts.clock.elapsed());
    this.#dispatch();
  };

  #start(queue: Queue<WaitingRequest>): void {
    const next = this.queues.dispatch(queue);
    if (next === undefined) return;
    const { stats } = next.asking.flow;
    const now = this.#parts.clock.elapsed();
    this.#leave(next, now);
    this.dispatched++;
    stats.dispatched++;
    stats.waitedAndExecuted.observe((now - next.since) / 1000);
    next.start(this.take(next.asking, next.bodyBytes, queue));
  }

  /**
   * Whether this turn of the event loop has time for a body. Otherwise asks for turns: they are for the requests that are next
   * when they come, not for those that asked.
   */
  #hasTurn(bodyBytes: number): boolean {
    if (this.#freeTurns > 0) {
      this.#freeTurns--;
      return true;
    }
    const wanted = Math.max(1, Math.min(this.queues.waiting, this.seats - this.seatsInUse, maxAwaitedTurns));
    while (this.#awaitedTurns < wanted) {
      const turn = this.#parts.turns.whenToBegin(bodyBytes);
      if (turn === undefined) return true;
      this.#awaitedTurns++;
      void turn.then(() => this.#useTurn());
    }
    return false;
  }

  #useTurn(): void {
    this.#awaitedTurns--;
    this.#freeTurns++;
    this.queues.advance(this.#parts.clock.elapsed());
    this.#dispatch();
    this.#freeTurns = 0;
  }

  #leave({ asking }: WaitingRequest, now: number): void {
    this.#parts.readWriteUsage.add('waiting', asking, -1, now);
    asking.flow.stats.waitingRequests--;
    asking.flow.stats.waitingSeats -= asking.seats;
  }

  /** Kubernetes reports a caller that has gone like one that waited for too long. */
  #giveUp(waiting: WaitingRequest, isLate: boolean): void {
    const now = this.#parts.clock.elapsed();
    this.#leave(waiting, now);
    if (isLate) this.timedOut++;
    else this.cancelled++;
    waiting.reject(this.#rejected(waiting.asking.flow, 'time-out', now - waiting.since));
    this.#recordUse(now);
  }

  #rejected({ stats }: Flow, reason: RejectReason, waitedMs: number): TooManyRequests {
    this.rejected++;
    stats.reject(reason);
    stats.waitedAndRejected.observe(waitedMs / 1000);
    this.retryAfter.recordDropped(this.#parts.clock.now());
    return new TooManyRequests(this.retryAfter.seconds);
  }

  #recordUse(now: number): void {
    const demand = this.seatsInUse + this.queues.waitingSeats;
    this.demand.set(demand, now);
    this.usage.demand.set(demand, now);
    this.usage.seats.set(this.seatsInUse, now);
    this.usage.executing.set(this.executing, now);
    this.usage.waiting.set(this.queues.waiting, now);
  }

  /** One timer for all requests that wait: most wait for some milliseconds. */
  #sweepLater(): void {
    if (this.#cancelSweep !== undefined) return;
    this.#cancelSweep = this.#parts.clock.after(sweepMs, () => {
      this.#cancelSweep = undefined;
      const now = this.#parts.clock.elapsed();
      this.queues.advance(now);
      const isLate = ({ since, asking }: WaitingRequest): boolean => now - since >= asking.waitMs;
      const over = this.queues.all().filter(([, waiting]) => isLate(waiting) || waiting.isGone());
      for (const [queue, waiting] of over.toArray()) {
        if (this.queues.remove(queue, waiting)) this.#giveUp(waiting, isLate(waiting));
      }
      if (this.queues.waiting > 0) this.#sweepLater();
    });
  }
}
