/** Which template a StatefulSet has now, and which one before: its current and its update revision. */
import type { LabelSelector } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { kinds, type ControllerRevision, type StatefulSet } from '../kinds.ts';
import { claim } from '../ownership/claim.ts';
import { hasData, inRevisionOrder, newRevision, renumber, revisionNumber } from '../revisions/controller-revision.ts';
import { revisionData, revisionHash } from '../hash/pod-template-hash.ts';

const hashLabel = 'controller.kubernetes.io/hash';
/** Of names with a hash: 253 in all. */
const maxPrefixLength = 223;

export interface RevisionsInput {
  readonly set: Readonly<StatefulSet>;
  readonly selector: LabelSelector;
  /** The revisions that the set controls, and orphans of its namespace. */
  readonly candidates: readonly Readonly<ControllerRevision>[];
  /** Any revision of the namespace. */
  readonly findRevision: (name: string) => Readonly<ControllerRevision> | undefined;
}

export interface Revisions {
  /** The revision of the pods that no rollout has reached. */
  readonly current: Readonly<ControllerRevision>;
  /** The revision of the set's template. */
  readonly update: Readonly<ControllerRevision>;
  /** All that existed, the oldest first. */
  readonly existing: readonly Readonly<ControllerRevision>[];
  readonly collisionCount: number;
  /** Adopts orphans, and creates or renumbers the update revision. */
  readonly writes: readonly Write[];
}

export function revisionsOf({ set, selector, candidates, findRevision }: RevisionsInput): Revisions {
  const selected = candidates.filter(({ metadata }) => selector.matches(metadata.labels));
  const { owned, writes: adoptions } = claim(
    kinds.controllerRevision,
    { kind: kinds.statefulSet, object: set, selector },
    selected,
  );
  const existing = inRevisionOrder(owned);
  const { update, collisionCount, writes } = updateRevision(set, existing, findRevision);
  const { currentRevision } = set.status ?? {};
  const current = existing.find(({ metadata }) => metadata.name === currentRevision) ?? update;
  return { current, update, existing, collisionCount, writes: [...adoptions, ...writes] };
}

/** A template that the set had before makes its old revision the newest. */
function updateRevision(
  set: Readonly<StatefulSet>,
  existing: readonly Readonly<ControllerRevision>[],
  findRevision: RevisionsInput['findRevision'],
): Pick<Revisions, 'update' | 'collisionCount' | 'writes'> {
  const data = revisionData(set.spec?.template);
  const newest = existing.at(-1);
  const next = newest === undefined ? 1 : revisionNumber(newest) + 1;
  const equal = existing.findLast((revision) => hasData(revision, data));
  const { collisionCount = 0 } = set.status ?? {};
  if (equal !== undefined)
    return { update: equal, collisionCount, writes: equal === newest ? [] : [renumber(equal, next)] };

  for (let count = collisionCount; ; count++) {
    const name = `${set.metadata.name?.slice(0, maxPrefixLength)}-${revisionHash(data, count)}`;
    const taken = findRevision(name);
    if (taken === undefined) {
      const labels = { [hashLabel]: revisionHash(data, collisionCount) };
      const update = newRevision({ kind: kinds.statefulSet, owner: set, name, labels, data, revision: next });
      const creation: Write = { verb: 'create', kind: kinds.controllerRevision, object: update };
      return { update, collisionCount: count, writes: [creation] };
    }
    if (hasData(taken, data)) return { update: taken, collisionCount: count, writes: [] };
  }
}
