/**
 * Work that many want to do at once, spread over turns of the event loop so that none is long: one write may wake ten
 * thousand watches. A thread has one event loop, however many servers run in it, so this is shared by all of them.
 */
const turnMs = 5;
/** Reading the clock costs as much as a small piece of work, so not every piece looks. */
const piecesPerLook = 8;

let waiting: (() => void)[] = [];
/** When the work of this turn must end; undefined before the turn's first piece. */
let turnEnd: number | undefined;
let pieces = 0;

/** Calls `work` at once while this turn has time left, else in one of the next, after all that came before it. */
export function inTurn(work: () => void): void {
  if (waiting.length === 0 && hasTime()) work();
  else waiting.push(work);
}

/** Called after a piece of work that may have taken long: the next piece looks at the clock first. */
export function lookAtClock(): void {
  pieces = piecesPerLook - 1;
}

function hasTime(): boolean {
  if (turnEnd === undefined) {
    turnEnd = performance.now() + turnMs;
    pieces = 0;
    setImmediate(beginTurn);
  }
  return ++pieces % piecesPerLook > 0 || performance.now() < turnEnd;
}

function beginTurn(): void {
  turnEnd = undefined;
  const all = waiting;
  let done = 0;
  while (done < all.length && hasTime()) all[done++]?.();
  waiting = all.slice(done);
}

/** Resolves when nobody waits for a turn any more. */
export async function turnsAreOver(): Promise<void> {
  while (waiting.length > 0) await new Promise<void>((resolve) => setImmediate(resolve));
}
