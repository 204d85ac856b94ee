import type { JsonObject } from '../json/value.ts';
import type { PatchSchema } from './patch-schema.ts';
import { strategicDifference } from './strategic-difference.ts';
import { combineStrategicPatches } from './strategic-merge-patch.ts';
import type { ThreeWaySides } from './three-way-sides.ts';

/**
 * The strategic merge patch of `kubectl apply`: sets what `modified` says and `current` does not, and removes what `original`
 * said and `modified` does not. What others have changed meanwhile is overwritten where `modified` speaks of it.
 */
export function createThreeWayStrategicPatch(sides: ThreeWaySides, schema: PatchSchema): JsonObject {
  const { original, modified, current } = sides;
  const settings = strategicDifference(current, modified, schema, 'settings');
  const removals = strategicDifference(original, modified, schema, 'removals');
  return combineStrategicPatches(removals, settings, schema);
}
