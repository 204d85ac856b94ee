import { seededRandom } from './seeded-random.ts';

/** The faults of a member from a moment on. */
export interface ScheduledFaults {
  /** Since the start of the schedule. */
  readonly atMs: number;
  readonly member: string;
  /** As in the ConfigMap `flotilla-faults`: `partition, slow 300ms`, or `none`. */
  readonly faults: string;
}

export interface RandomFaultsOptions {
  /** The same seed gives the same schedule. */
  readonly seed: number;
  readonly members: readonly string[];
  readonly durationMs: number;
  /** Mean time without faults of a member. Default: two minutes. */
  readonly healthyMs?: number;
  /** Mean time of a fault. Default: one minute. */
  readonly faultyMs?: number;
}

type Random = () => number;

/** Each with an equal chance. */
const kinds: readonly ((random: Random) => string)[] = [
  () => 'stop',
  () => 'partition',
  (random) => `slow ${between(20, 2000, random)}ms`,
  () => 'fail workloads',
  (random) => `fail api ${between(5, 60, random)}%`,
  () => 'fail agent',
  () => 'fail webhook',
  (random) => `fail clock ${random() < 0.5 ? '+' : '-'}${between(1, 600, random)}s`,
];

/** Share of faults that come with a second one. */
const pairs = 0.25;

/** Faults at random times, sorted by time. All have ended at `durationMs`. */
export function randomFaults(options: RandomFaultsOptions): readonly ScheduledFaults[] {
  const { seed, members } = options;
  // A member's faults do not depend on how many members there are.
  const all = members.flatMap((member, index) =>
    faultsOf(member, seededRandom(seed * 7919 + index * 104_729), options),
  );
  return all.sort((a, b) => a.atMs - b.atMs);
}

function faultsOf(member: string, random: Random, options: RandomFaultsOptions): ScheduledFaults[] {
  const { durationMs, healthyMs = 120_000, faultyMs = 60_000 } = options;
  const schedule: ScheduledFaults[] = [];
  // The first numbers of similar seeds are similar.
  for (let skipped = 0; skipped < 3; skipped++) random();
  for (let atMs = waiting(healthyMs, random); atMs < durationMs; atMs += waiting(healthyMs, random)) {
    const faults = [someFault(random), ...(random() < pairs ? [someFault(random)] : [])];
    schedule.push({ atMs, member, faults: faults.join(', ') });
    atMs = Math.min(durationMs, atMs + waiting(faultyMs, random));
    schedule.push({ atMs, member, faults: 'none' });
  }
  return schedule;
}

function someFault(random: Random): string {
  return kinds[between(0, kinds.length - 1, random)]?.(random) ?? 'none';
}

/** Of an exponential distribution: events do not wait for each other. At least a second. */
function waiting(meanMs: number, random: Random): number {
  return 1000 + Math.round(-Math.log(1 - random()) * meanMs);
}

/** A whole number, both ends included. */
function between(from: number, to: number, random: Random): number {
  return from + Math.floor(random() * (to - from + 1));
}
