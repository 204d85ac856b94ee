/** `scoreRateLimit`: how often decisions are written if only scores change. */
import type { OcmPlacement, PlacementDecision, SelectedCluster } from '@flotilla/api';
import { jsonEquals } from '@flotilla/kube';
import type { WantedDecision } from './wanted-decisions.ts';

const defaultLimitMs = 60_000;
const units: Readonly<Record<string, number | undefined>> = { s: 1000, m: 60_000, h: 3_600_000 };

export type ScoreChange = 'none' | 'scores' | 'selection';

/** What distinguishes the decisions that exist from those that should. The order of clusters counts as a score. */
export function changeOf(
  wanted: readonly WantedDecision[],
  existing: readonly Readonly<PlacementDecision>[],
): ScoreChange {
  const byName = new Map(existing.map((object) => [object.metadata.name, object]));
  const isLaidOut =
    wanted.length === existing.length &&
    wanted.every(({ name, labels, decisions }) => {
      const object = byName.get(name);
      const count = object?.status?.decisions.length ?? 0;
      return object !== undefined && count === decisions.length && jsonEquals(object.metadata.labels ?? {}, labels);
    });
  if (!isLaidOut) return 'selection';
  const before = existing.flatMap(({ status }) => status?.decisions ?? []);
  const names = new Set(before.map(({ clusterName }) => clusterName));
  const after = wanted.flatMap(({ decisions }) => decisions);
  if (names.size !== after.length || !after.every(({ clusterName }) => names.has(clusterName))) return 'selection';
  const isSame = wanted.every(({ name, decisions }) =>
    isSameList(byName.get(name)?.status?.decisions ?? [], decisions),
  );
  return isSame ? 'none' : 'scores';
}

/** How long a change of scores has to wait, in milliseconds; 0 if it need not. */
export function scoreWaitMs({ spec, status }: Readonly<OcmPlacement>, now: Date): number {
  const last = Date.parse(status?.lastScoreUpdateTime ?? '');
  return Number.isNaN(last) ? 0 : Math.max(0, last + limitMs(spec.scoreRateLimit) - now.getTime());
}

function limitMs(text: string | undefined): number {
  const [, amount = '', unit = ''] = /^(\d{1,9})([hms])$/.exec(text ?? '') ?? [];
  return amount === '' ? defaultLimitMs : Number(amount) * (units[unit] ?? 0);
}

export function isSameList(a: readonly SelectedCluster[], b: readonly SelectedCluster[]): boolean {
  return a.length === b.length && a.every((one, index) => isSame(one, b[index]));
}

function isSame(a: SelectedCluster, b: SelectedCluster | undefined): boolean {
  return a.clusterName === b?.clusterName && (a.score ?? 0) === (b.score ?? 0) && a.reason === b.reason;
}
