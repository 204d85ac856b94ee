import { inspect } from 'node:util';
import { Chance } from './chance.ts';

/** A function that must accept or refuse any input. */
export interface Target {
  readonly name: string;
  /** Creates an input and feeds it. Calls `note` with the input first, for the report of a failure. */
  readonly feed: (chance: Chance, note: (input: unknown) => void) => void | Promise<void>;
  /** Whether the target may throw this error. All others are failures. */
  readonly isExpected: (error: unknown) => boolean;
}

export interface Failure {
  readonly target: string;
  /** Reproduces the input. */
  readonly seed: number;
  readonly input: string;
  readonly problem: string;
}

/** No input may block the event loop longer. */
const slowestMs = 200;

/** Feeds the input of this seed. */
export async function feedOne(target: Target, seed: number): Promise<Failure | undefined> {
  let input: unknown;
  const note = (value: unknown): void => {
    input = value;
  };
  const fail = (problem: string): Failure => ({ target: target.name, seed, input: shown(input), problem });
  const start = performance.now();
  try {
    await target.feed(new Chance(seed), note);
  } catch (error) {
    if (!target.isExpected(error)) return fail(inspect(error));
  }
  const took = performance.now() - start;
  if (took > slowestMs && (await isSlowAgain(target, seed))) return fail(`took ${Math.round(took)} ms`);
  return undefined;
}

/** Repeats a slow input, because the machine may have paused: it fails only if it is slow each time. */
async function isSlowAgain(target: Target, seed: number): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const start = performance.now();
    try {
      await target.feed(new Chance(seed), () => undefined);
    } catch {
      // Reported before, or expected.
    }
    if (performance.now() - start <= slowestMs) return false;
  }
  return true;
}

function shown(input: unknown): string {
  const text = inspect(input, { depth: 20, maxStringLength: 2000, maxArrayLength: 200, breakLength: 120 });
  return text.length > 4000 ? `${text.slice(0, 4000)}…` : text;
}
