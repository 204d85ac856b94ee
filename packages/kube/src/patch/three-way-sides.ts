import type { JsonObject } from '../json/value.ts';

/** What a three-way patch is made of. */
export interface ThreeWaySides {
  /** What was applied last: only what it has and `modified` lacks is removed. */
  readonly original: JsonObject;
  /** What is to be applied. */
  readonly modified: JsonObject;
  /** What there is. */
  readonly current: JsonObject;
}
