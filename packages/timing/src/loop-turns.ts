/** Design D2: no turn of the event loop takes longer than 10 ms. Half of that is for work that goes on. */
const workMs = 5;

/** The other half is for requests that begin. An estimate: many arrive before the first of them is worked on. */
const requestsMs = 5;
const requestMs = 0.25;
/** A body of so many bytes costs twice what an empty one costs. */
const bytesPerRequest = 4096;

/** Reading the clock costs as much as a small step, so it is read after so many. */
const stepsPerLook = 8;
const bytesPerStep = 4096;

interface Request {
  readonly ms: number;
  readonly begin: () => void;
}

/**
 * Shares the turns of one event loop among all who have much to do: first come, first served, and nobody for longer than a
 * turn. A thread has one event loop, so all servers, clients and controllers of a thread should be given the same object.
 */
export class LoopTurns {
  readonly #now: () => number;
  /** What may run in this turn, in order; the first `#done` of it have run. */
  #due: (() => void)[] = [];
  #done = 0;
  /** What asked for the next turn. */
  #next: (() => void)[] = [];
  /** When the work of this turn must end; undefined until somebody looks. */
  #endsAt: number | undefined;
  #stepsSinceLook = 0;
  #hasResumed = false;
  readonly #requests: Request[] = [];
  #requestsMs = 0;
  #isPlanned = false;

  /** `now` is in milliseconds. It decides when work is done, never what is done, so it is not the fleet's `Clock`. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Calls `piece` at once while this turn has time left, else in one of the next, after all that came before it. It must
   * not throw: in a later turn nothing could catch it.
   */
  run(piece: () => void): void {
    if (this.#done === this.#due.length && !this.isOver()) piece();
    else this.#due.push(piece);
  }

  /** Calls `piece` in the next turn, or in a later one if others come first. */
  later(piece: () => void): void {
    this.#next.push(piece);
    this.#plan();
  }

  /** Resolves in the next turn, or in a later one if others come first. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.later(() => {
        this.#hasResumed = true;
        resolve();
      });
    });
  }

  /**
   * Whether the time of this turn is up. Asked by those who go through many objects, after every one of them:
   * `if (turns.isOver()) await turns.next()`.
   */
  isOver(steps = 1): boolean {
    this.#stepsSinceLook += steps;
    return this.#stepsSinceLook >= stepsPerLook && this.#isUp();
  }

  /** The same after work on so many bytes, for objects of very different sizes. */
  isOverAfter(bytes: number): boolean {
    return this.isOver(bytes / bytesPerStep);
  }

  /** The same after a step that may have taken long. */
  isOverByNow(): boolean {
    return this.isOver(stepsPerLook);
  }

  /** Said after work that may have taken long without asking: the next to ask reads the clock. */
  lookAtClock(): void {
    this.#stepsSinceLook = stepsPerLook;
  }

  /** For a request whose body has come: undefined when it may begin in this turn, else when it may. */
  whenToBegin(bodyBytes: number): Promise<void> | undefined {
    const ms = requestMs * (1 + bodyBytes / bytesPerRequest);
    this.#plan();
    if (this.#requests.length > 0 || this.#requestsMs >= requestsMs) {
      return new Promise((begin) => this.#requests.push({ ms, begin }));
    }
    this.#requestsMs += ms;
    return undefined;
  }

  /** Resolves when nobody waits for a turn any more. */
  async whenIdle(): Promise<void> {
    while (this.#due.length + this.#next.length + this.#requests.length > 0) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /** A turn with only a few steps is not even measured. */
  #isUp(): boolean {
    if (this.#endsAt === undefined) this.#measure();
    // Once it is over it stays so, and all others look too.
    else if (this.#now() >= this.#endsAt) return true;
    this.#stepsSinceLook = 0;
    return false;
  }

  #measure(): void {
    this.#endsAt = this.#now() + workMs;
    this.#plan();
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(this.#begin);
  }

  readonly #begin = (): void => {
    this.#isPlanned = false;
    this.#endsAt = undefined;
    this.#requestsMs = 0;
    if (this.#next.length > 0) {
      this.#due = this.#due.length > 0 ? [...this.#due.slice(this.#done), ...this.#next] : this.#next;
      this.#done = 0;
      this.#next = [];
    }
    if (this.#due.length === 0) return this.#beginRequests();
    this.#measure();
    this.#runDue();
  };

  readonly #runDue = (): void => {
    while (this.#done < this.#due.length && !this.isOver()) {
      this.#due[this.#done++]?.();
      if (!this.#hasResumed) continue;
      // What awaited `next` goes on in a microtask; only then it is known whether there is time for another.
      this.#hasResumed = false;
      queueMicrotask(this.#runDue);
      return;
    }
    if (this.#done === this.#due.length) this.#due = [];
    else if (this.#done > 0) this.#due = this.#due.slice(this.#done);
    this.#done = 0;
    this.#beginRequests();
  };

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
    // What this turn has spent, the next one has again.
    this.#plan();
  }
}
