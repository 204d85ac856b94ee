/**
 * Bodies that arrive together are worked off in several turns of the event loop: a client with a hundred writes in flight
 * sends them at once, and all of them in one turn would keep everybody else waiting. While the first are synced to the disk,
 * the next are read. A thread has one event loop, however many servers run in it, so this is shared by all of them.
 */
const turnShare = 20;
/** A body of so many bytes costs twice what an empty one costs. */
const bytesPerShare = 4096;

interface Waiting {
  readonly cost: number;
  readonly begin: () => void;
}

const waiting: Waiting[] = [];
let left = turnShare;
let isTurnPlanned = false;

/** Undefined when the body can be read in this turn. */
export function turnForBody(bytes: number): Promise<void> | undefined {
  const cost = 1 + bytes / bytesPerShare;
  planTurn();
  if (waiting.length === 0 && left > 0) {
    left -= cost;
    return undefined;
  }
  return new Promise((begin) => waiting.push({ cost, begin }));
}

function planTurn(): void {
  if (isTurnPlanned) return;
  isTurnPlanned = true;
  setImmediate(beginTurn);
}

function beginTurn(): void {
  isTurnPlanned = false;
  left = turnShare;
  let begun = 0;
  while (left > 0 && begun < waiting.length) {
    const { cost, begin } = waiting[begun++]!;
    left -= cost;
    begin();
  }
  waiting.splice(0, begun);
  // What this turn has spent, the one after it has again.
  if (begun > 0) planTurn();
}
