import { shareOf } from '@flotilla/kube';
import type { DaemonSet } from '../kinds.ts';

/** How many nodes may have a second pod during an update. */
export function surgeOf(set: Readonly<DaemonSet>, desired: number): number {
  const { maxSurge = 0 } = rollingUpdateOf(set);
  return shareOf(maxSurge, desired, Math.ceil);
}

/** How many nodes may have no available pod during an update: at least one, unless pods may surge. */
export function maxUnavailableOf(set: Readonly<DaemonSet>, desired: number): number {
  const { maxUnavailable = 0 } = rollingUpdateOf(set);
  const share = shareOf(maxUnavailable, desired, Math.ceil);
  return desired > 0 && share === 0 && surgeOf(set, desired) === 0 ? 1 : share;
}

function rollingUpdateOf({ spec }: Readonly<DaemonSet>) {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  return (type === 'RollingUpdate' && rollingUpdate) || {};
}
