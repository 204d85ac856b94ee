import type { UpdateRunSpec } from '@flotilla/api';

/** States that KubeFleet had before, and the words it has for them now. */
const wordsNow: ReadonlyMap<unknown, UpdateRunSpec['state']> = new Map([
  ['NotStarted', 'Initialize'],
  ['Started', 'Run'],
  ['Stopped', 'Stop'],
] as const);

export const olderStates: readonly string[] = [...wordsNow.keys()].map(String);

/** The word for an older state; undefined if this is none. */
export function stateNow(state: unknown): UpdateRunSpec['state'] | undefined {
  return wordsNow.get(state);
}
