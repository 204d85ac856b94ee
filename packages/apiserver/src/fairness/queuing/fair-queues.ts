/** A request that waits for a seat. */
export interface Waiting {
  readonly seats: number;
  /** Whether its caller has gone. Such a request frees its place for others. */
  readonly isGone: () => boolean;
  /** Called if it was removed because its caller has gone. */
  readonly drop: () => void;
}

interface Placed<W> {
  readonly waiting: W;
  readonly arrivalR: number;
}

/** What a queue has done, as the debug endpoint shows it. */
export interface QueueState {
  readonly waiting: number;
  readonly waitingSeats: number;
  readonly executing: number;
  readonly seatsInUse: number;
  readonly nextR: number;
  /** Estimated, of requests that wait. */
  readonly work: number;
}

/** A queue with requests that wait, or that it dispatched and that are not done. Others are not kept. */
export class Queue<W extends Waiting> {
  readonly index: number;
  readonly placed: Placed<W>[] = [];
  waitingSeats = 0;
  executing = 0;
  seatsInUse = 0;
  /** The virtual time at which the oldest request starts. */
  nextR = 0;

  constructor(index: number) {
    this.index = index;
  }

  get isIdle(): boolean {
    return this.placed.length === 0 && this.executing === 0;
  }
}

/** A request is estimated to take so long, and corrected when it is done; Kubernetes' value. */
const estimatedMs = 3;

/**
 * Fair queuing of requests: the queue whose oldest request would finish first, if all queues were served at once, is next.
 * Virtual time `R` counts seat-milliseconds that each active queue has had since the start. Kubernetes describes it as fair
 * queuing for server requests.
 */
export class FairQueues<W extends Waiting> {
  #count: number;
  #lengthLimit: number;
  readonly #queues = new Map<number, Queue<W>>();
  #r = 0;
  #at: number;
  #enqueued = 0;
  /** The queue of the last dispatch. With equal times, the next one in a circle is served. */
  #last = 0;
  /** Of requests that wait. */
  waiting = 0;
  waitingSeats = 0;
  /** Of requests that came from a queue. */
  #seatsInUse = 0;

  constructor(now: number, count: number, lengthLimit: number) {
    this.#at = now;
    this.#count = count;
    this.#lengthLimit = lengthLimit;
  }

  get r(): number {
    return this.#r;
  }

  get count(): number {
    return this.#count;
  }

  /** Requests in queues that are no longer dealt are still served. */
  resize(count: number, lengthLimit: number): void {
    this.#count = count;
    this.#lengthLimit = lengthLimit;
  }

  /** Whether every queue of the hand is full. */
  isFull(hand: readonly number[]): boolean {
    return hand.every((index) => (this.#queues.get(index)?.placed.length ?? 0) >= this.#lengthLimit);
  }

  /** Puts the request into the queue of the hand with the least work. Returns undefined if that queue is full and must not grow. */
  enqueue(waiting: W, hand: readonly number[], mayGrow: boolean): Queue<W> | undefined {
    const queue = this.#shortestOf(hand);
    if (!mayGrow && queue.placed.length >= this.#lengthLimit) {
      this.#dropGone(queue);
      if (queue.placed.length >= this.#lengthLimit) return undefined;
    }
    if (queue.isIdle) {
      queue.nextR = this.#r;
      this.#queues.set(queue.index, queue);
    }
    queue.placed.push({ waiting, arrivalR: this.#r });
    queue.waitingSeats += waiting.seats;
    this.waiting++;
    this.waitingSeats += waiting.seats;
    return queue;
  }

  /** The queue whose oldest request is next, of those whose oldest request may begin. */
  next(mayBegin: (waiting: W) => boolean = () => true): Queue<W> | undefined {
    let best: Queue<W> | undefined;
    let bestFinish = Infinity;
    for (const queue of this.#queues.values()) {
      const oldest = queue.placed[0];
      if (oldest === undefined || !mayBegin(oldest.waiting)) continue;
      const finish = queue.nextR + oldest.waiting.seats * estimatedMs;
      const isSooner = finish < bestFinish || (finish === bestFinish && best && this.#isBefore(queue, best));
      if (isSooner) [best, bestFinish] = [queue, finish];
    }
    return best;
  }

  /** Takes the oldest request of a queue to execute it. */
  dispatch(queue: Queue<W>): W | undefined {
    const waiting = this.#take(queue, 0);
    if (waiting === undefined) return undefined;
    this.#last = queue.index;
    queue.executing++;
    queue.seatsInUse += waiting.seats;
    this.#seatsInUse += waiting.seats;
    queue.nextR += waiting.seats * estimatedMs;
    this.#bound(queue);
    return waiting;
  }

  /** A request that was dispatched is done, after so many milliseconds. */
  finish(queue: Queue<W>, seats: number, tookMs: number): void {
    queue.executing--;
    queue.seatsInUse -= seats;
    this.#seatsInUse -= seats;
    queue.nextR -= seats * (estimatedMs - tookMs);
    this.#bound(queue);
    if (queue.isIdle) this.#queues.delete(queue.index);
  }

  /** Removes a request that no longer waits. Returns false if it was dispatched before. */
  remove(queue: Queue<W>, waiting: W): boolean {
    const at = queue.placed.findIndex((placed) => placed.waiting === waiting);
    if (at < 0) return false;
    this.#take(queue, at);
    this.#bound(queue);
    if (queue.isIdle) this.#queues.delete(queue.index);
    return true;
  }

  /**
   * Advances virtual time by what was served. Call it before any change. Kubernetes counts all seats of the level, because its
   * requests wait for nothing else. Ours also wait for turns of the event loop: with those seats `R` would run ahead of all
   * queues, and requests would be served in the order in which they came.
   */
  advance(now: number): void {
    const passed = now - this.#at;
    this.#at = now;
    const active = this.#queues.size;
    if (active > 0) this.#r += (this.#seatsInUse / active) * passed;
  }

  stateOf(index: number): QueueState | undefined {
    const queue = this.#queues.get(index);
    if (queue === undefined) return undefined;
    const { placed, waitingSeats, executing, seatsInUse, nextR } = queue;
    return { waiting: placed.length, waitingSeats, executing, seatsInUse, nextR, work: waitingSeats * estimatedMs };
  }

  /** Requests that wait, with the index of their queue. */
  *all(): Generator<readonly [queue: Queue<W>, waiting: W], void> {
    for (const queue of this.#queues.values()) for (const { waiting } of queue.placed) yield [queue, waiting];
  }

  /** Visits the hand from another card each time, so that flows with a common queue do not prefer it. */
  #shortestOf(hand: readonly number[]): Queue<W> {
    const offset = this.#enqueued++ % hand.length;
    let shortest: Queue<W> | undefined;
    for (let position = 0; position < hand.length; position++) {
      const index = hand[(offset + position) % hand.length] ?? 0;
      const queue = this.#queues.get(index);
      // All requests are estimated alike, so that seats are a measure of work.
      if (queue === undefined || queue.waitingSeats === 0) return queue ?? new Queue(index);
      if (shortest === undefined || queue.waitingSeats < shortest.waitingSeats) shortest = queue;
    }
    return shortest ?? new Queue(0);
  }

  #take(queue: Queue<W>, at: number): W | undefined {
    const [placed] = queue.placed.splice(at, 1);
    if (placed === undefined) return undefined;
    const { seats } = placed.waiting;
    queue.waitingSeats -= seats;
    this.waiting--;
    this.waitingSeats -= seats;
    return placed.waiting;
  }

  #dropGone(queue: Queue<W>): void {
    for (let at = queue.placed.length - 1; at >= 0; at--) {
      if (queue.placed[at]?.waiting.isGone()) this.#take(queue, at)?.drop();
    }
  }

  /** No request starts before it arrived, so that a queue does not save up time while it has little to do. */
  #bound(queue: Queue<W>): void {
    const oldest = queue.placed[0];
    if (oldest !== undefined) queue.nextR = Math.max(queue.nextR, oldest.arrivalR);
  }

  #isBefore(one: Queue<W>, other: Queue<W>): boolean {
    return this.#distance(one) < this.#distance(other);
  }

  #distance({ index }: Queue<W>): number {
    const count = Math.max(this.#count, 1);
    return (((index - this.#last - 1) % count) + count) % count;
  }
}
