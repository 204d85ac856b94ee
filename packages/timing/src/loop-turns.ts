/** Design D2: no turn of the event loop takes longer than 10 ms. Half of that is for work in progress. */
const workMs = 5;

/** The other half is for new requests. Their cost is estimated, because many arrive before the first one runs. */
const requestsMs = 5;
const requestMs = 0.25;
/** A request with a body of this size costs twice as much as one without. */
const bytesPerRequest = 4096;

/** Reading the clock costs as much as a small step, so not every step reads it. */
const stepsPerRead = 8;
const bytesPerStep = 4096;

/** Pieces after others in one turn. A few together share messages to other threads, and commits. */
const maxAfterOthers = 32;

/** Work that comes after other work gets a piece at least this often. */
const leastOftenMs = 10;
/** What can wait as long as the thread is busy gets a tenth of that. */
const spareLeastOftenMs = 100;

interface Request {
  readonly ms: number;
  readonly begin: () => void;
}

/** Waits until the thread has nothing to do. */
interface IdleWaiter {
  readonly resolve: () => void;
  /** By the number of the turn. */
  readonly endsAt: number;
}

/** Pieces that let other work go first, but not for longer than `leastOftenMs`. */
class LastPieces {
  readonly #leastOftenMs: number;
  readonly #maxAtOnce: number;
  readonly #pieces: (() => void)[] = [];
  #ranAt = -Infinity;

  constructor(ofLast: { readonly leastOftenMs: number; readonly maxAtOnce: number }) {
    this.#leastOftenMs = ofLast.leastOftenMs;
    this.#maxAtOnce = ofLast.maxAtOnce;
  }

  get size(): number {
    return this.#pieces.length;
  }

  push(piece: () => void): void {
    this.#pieces.push(piece);
  }

  /** At the end of a turn. `hasOthers` if other work waits or came in it. */
  run(hasOthers: boolean, now: number): void {
    if (this.#pieces.length === 0 || (hasOthers && now - this.#ranAt < this.#leastOftenMs)) return;
    this.#ranAt = now;
    for (const piece of this.#pieces.splice(0, hasOthers ? 1 : this.#maxAtOnce)) piece();
  }
}

/**
 * Shares the turns of one event loop among long tasks, first come, first served. No task runs for longer than a turn. A
 * thread has one event loop, so all servers, clients and controllers of a thread should share one object.
 */
export class LoopTurns {
  readonly #now: () => number;
  /** Pieces that may run in this turn, in order. The first `#done` of them have run. */
  #due: (() => void)[] = [];
  #done = 0;
  /** Pieces for the next turn. */
  #next: (() => void)[] = [];
  /** When the work of this turn must end; undefined until the clock is read. */
  #endsAt: number | undefined;
  #stepsSinceRead = 0;
  #hasResumed = false;
  readonly #requests: Request[] = [];
  #requestsMs = 0;
  readonly #afterOthers = new LastPieces({ leastOftenMs, maxAtOnce: maxAfterOthers });
  readonly #afterAll = new LastPieces({ leastOftenMs, maxAtOnce: 1 });
  readonly #whenSpare = new LastPieces({ leastOftenMs: spareLeastOftenMs, maxAtOnce: 1 });
  /** Whether other work came since the turn before. */
  #isBusy = false;
  #isPlanned = false;
  readonly #idleWaiters = new Set<IdleWaiter>();
  /** Turns in which they waited. */
  #turnsWaited = 0;

  /** `now` is in milliseconds. It only affects when work runs, so it is not the fleet's `Clock`. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Calls `piece` at once while this turn has time left, else in a later turn, after all pieces before it. It must not
   * throw: in a later turn no caller could catch the error.
   */
  run(piece: () => void): void {
    if (this.#done === this.#due.length && !this.isOver()) piece();
    else this.#due.push(piece);
  }

  /** Calls `piece` in the next turn, or in a later one if other pieces come first. */
  later(piece: () => void): void {
    this.#next.push(piece);
    this.#planTurn();
  }

  /**
   * Calls `piece` at the end of a turn after which no other piece and no request waits: up to 32 such pieces. Without such a turn, one of
   * them every 10 ms. So a thread that is behind ends what it has begun before it begins more.
   */
  afterOthers(piece: () => void): void {
    this.#afterOthers.push(piece);
    this.#planTurn();
  }

  /** Calls `piece` in a turn without other work: one such piece in a turn, and one every 10 ms if there is no such turn. */
  afterAll(piece: () => void): void {
    this.#afterAll.push(piece);
    this.#planTurn();
  }

  /** As `afterAll`, and after it: only one every 100 ms in a thread without such turns. For work that a busy thread may drop to a crawl. */
  whenSpare(piece: () => void): void {
    this.#whenSpare.push(piece);
    this.#planTurn();
  }

  /** Resolves in the next turn, or in a later one if other pieces come first. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.later(() => {
        this.#hasResumed = true;
        resolve();
      });
    });
  }

  /**
   * Whether the time of this turn is up. A loop over many objects calls it after each object:
   * `if (turns.isOver()) await turns.next()`.
   */
  isOver(steps = 1): boolean {
    this.#stepsSinceRead += steps;
    return this.#stepsSinceRead >= stepsPerRead && this.#isTimeUp();
  }

  /** Like `isOver`, after work on this number of bytes: for objects of very different sizes. */
  isOverAfter(bytes: number): boolean {
    return this.isOver(bytes / bytesPerStep);
  }

  /** Like `isOver`, after a step that may have taken long. */
  isOverByNow(): boolean {
    return this.isOver(stepsPerRead);
  }

  /** Makes the next `isOver` read the clock. For work that may have taken long without a call of `isOver`. */
  requireClockRead(): void {
    this.#stepsSinceRead = stepsPerRead;
  }

  /** Returns undefined if a request with this body may begin in this turn, else a promise for its turn. */
  whenToBegin(bodyBytes: number): Promise<void> | undefined {
    const ms = requestMs * (1 + bodyBytes / bytesPerRequest);
    if (this.#requests.length > 0 || this.#requestsMs >= requestsMs) {
      this.#planTurn();
      return new Promise((begin) => this.#requests.push({ ms, begin }));
    }
    this.#requestsMs += ms;
    // Requests of earlier turns may count, too. Then the turn is over early once in a while, and most turns need no timer.
    if (this.#requestsMs >= requestsMs / 2) this.#planTurn();
    return undefined;
  }

  /** Resolves when no piece and no request waits for a turn, or after this number of turns. */
  async whenIdle(maxTurns = Infinity): Promise<void> {
    const endsAt = this.#turnsWaited + maxTurns;
    if (maxTurns > 0 && this.#hasWaiting())
      await new Promise<void>((resolve) => this.#addIdleWaiter({ resolve, endsAt }));
  }

  #addIdleWaiter(waiter: IdleWaiter): void {
    if (this.#idleWaiters.size === 0) setImmediate(this.#checkIdle);
    this.#idleWaiters.add(waiter);
  }

  /** One check for all: a thousand members of a busy thread may wait at once. */
  readonly #checkIdle = (): void => {
    this.#turnsWaited++;
    const isBusy = this.#hasWaiting();
    for (const waiter of this.#idleWaiters) {
      if (isBusy && this.#turnsWaited < waiter.endsAt) continue;
      this.#idleWaiters.delete(waiter);
      // One after another, because what one of them begins keeps the others waiting.
      setImmediate(() => this.#endIdleWait(waiter));
    }
    if (this.#idleWaiters.size > 0) setImmediate(this.#checkIdle);
  };

  #endIdleWait(waiter: IdleWaiter): void {
    if (this.#turnsWaited < waiter.endsAt && this.#hasWaiting()) this.#addIdleWaiter(waiter);
    else waiter.resolve();
  }

  #hasWaiting(): boolean {
    return this.#due.length + this.#next.length + this.#requests.length + this.#waitingLast > 0;
  }

  /** A turn with few steps never gets here, so it is not measured. */
  #isTimeUp(): boolean {
    if (this.#endsAt === undefined) this.#measure();
    // The step count stays, so every other caller in this turn reads the clock too.
    else if (this.#now() >= this.#endsAt) return true;
    this.#stepsSinceRead = 0;
    return false;
  }

  #measure(): void {
    this.#endsAt = this.#now() + workMs;
    this.#planTurn();
  }

  #planTurn(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(this.#beginTurn);
  }

  readonly #beginTurn = (): void => {
    this.#isPlanned = false;
    this.#endsAt = undefined;
    this.#isBusy = this.#requestsMs + this.#requests.length + this.#due.length + this.#next.length > 0;
    this.#requestsMs = 0;
    if (this.#next.length > 0) {
      this.#due = this.#due.length > 0 ? [...this.#due.slice(this.#done), ...this.#next] : this.#next;
      this.#done = 0;
      this.#next = [];
    }
    if (this.#due.length === 0) return this.#endTurn();
    this.#measure();
    this.#runDue();
  };

  readonly #runDue = (): void => {
    while (this.#done < this.#due.length && !this.isOver()) {
      this.#due[this.#done++]?.();
      if (!this.#hasResumed) continue;
      // The caller of `next` goes on in a microtask. Only after that is the remaining time known.
      this.#hasResumed = false;
      queueMicrotask(this.#runDue);
      return;
    }
    if (this.#done === this.#due.length) this.#due = [];
    else if (this.#done > 0) this.#due = this.#due.slice(this.#done);
    this.#done = 0;
    this.#endTurn();
  };

  #endTurn(): void {
    this.#beginRequests();
    if (this.#waitingLast === 0) return;
    this.#planTurn();
    const now = this.#now();
    // Requests of this turn have only begun.
    const isBehind = this.#due.length + this.#next.length + this.#requests.length + this.#requestsMs > 0;
    const isBusy = this.#isBusy || this.#afterOthers.size > 0;
    const isAfterAll = isBusy || this.#afterAll.size > 0;
    this.#afterOthers.run(isBehind, now);
    this.#afterAll.run(isBusy, now);
    this.#whenSpare.run(isAfterAll, now);
  }

  get #waitingLast(): number {
    return this.#afterOthers.size + this.#afterAll.size + this.#whenSpare.size;
  }

  #beginRequests(): void {
    let begun = 0;
    for (const { ms, begin } of this.#requests) {
      if (this.#requestsMs >= requestsMs) break;
      this.#requestsMs += ms;
      begun++;
      begin();
    }
    if (begun === 0) return;
    this.#requests.splice(0, begun);
    // The next turn resets the time that requests have used.
    this.#planTurn();
  }
}
