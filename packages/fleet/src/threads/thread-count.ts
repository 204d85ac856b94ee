/** Loading the code of a thread takes as long as starting so many members. */
const membersPerThread = 8;

const maxThreads = 4;

interface ThreadedFleet {
  /** Undefined: as many as help. */
  readonly wanted: number | undefined;
  readonly members: number;
  /** Whether the objects of members are in memory. Threads cannot share the storage of the hub. */
  readonly isInMemory: boolean;
  /** Whether the caller gave functions that members would have to call: a clock, or a source of random numbers. */
  readonly hasFunctions: boolean;
  /** Of the machine. */
  readonly cores: number;
}

/** In how many threads beside the hub's the embedded members of a fleet run. Without any they run in the hub's. */
export function threadCount({ wanted, members, isInMemory, hasFunctions, cores }: ThreadedFleet): number {
  if (wanted === 0 || members === 0) return 0;
  if (!isInMemory || hasFunctions) {
    if (wanted === undefined) return 0;
    throw new RangeError('memberThreads needs members in memory, and the clock and random numbers of the system');
  }
  return Math.min(wanted ?? Math.floor(members / membersPerThread), wanted ?? cores - 1, maxThreads, members);
}
