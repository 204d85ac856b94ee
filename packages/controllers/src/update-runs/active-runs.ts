import type { PlacementFamily, UpdateRun } from '@flotilla/api';
import type { ObjectKey } from '@flotilla/kube';
import type { Cache, Indexes } from '@flotilla/runtime';
import { hasEnded } from './decide.ts';

const activeIndex = 'update run that has not ended';
const active = 'active';

/** For `indexes` of runs. */
export const byActivity: Indexes = { [activeIndex]: (run) => (hasEnded({ run: run as UpdateRun }) ? [] : [active]) };

/** The keys of all runs that have not ended. */
export function activeRuns(cache: Cache, { updateRun }: PlacementFamily): readonly ObjectKey[] {
  return cache.keys(updateRun, activeIndex, active);
}
