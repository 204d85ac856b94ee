import { jsonEquals, type Kind } from '@flotilla/kube';
import type { ObjectChange } from '@flotilla/runtime';
import { contentOf } from './content.ts';
import { isObjectSelectable, type SelectableRules } from './selectable-object.ts';

/** Whether a change leaves alone what clusters get: one of the status, or of an object that is never placed. */
export function isSameContent(kind: Kind, change: ObjectChange, rules: SelectableRules): boolean {
  const now = change.now();
  const old = change.old();
  const isPlaced = now !== undefined && isObjectSelectable(kind, now, rules);
  const wasPlaced = old !== undefined && isObjectSelectable(kind, old, rules);
  if (!isPlaced || !wasPlaced) return isPlaced === wasPlaced;
  return jsonEquals(contentOf(kind, now), contentOf(kind, old));
}
