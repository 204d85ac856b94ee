import type { LabelSelectorObject } from '@flotilla/kube';

/** Selects everything, which is more than a controller may want. */
export function isEmptySelector({ matchLabels, matchExpressions }: LabelSelectorObject): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && !matchExpressions?.length;
}
