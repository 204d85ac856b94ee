import {
  latestLabel,
  overrideFinalizer,
  overrideIndexLabel,
  overrideLabel,
  type Override,
  type OverrideFamily,
  type OverrideSnapshot,
} from '@flotilla/api';
import { apiVersionOf, jsonEquals, type KubeObject } from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import { indexIn } from '../family/latest-snapshot.ts';
import { isOfAnother } from '../family/owner.ts';
import { overrideHash } from './override-hash.ts';

export interface OverrideState {
  readonly family: OverrideFamily;
  readonly override: Readonly<Override>;
  /** Its snapshots, and those of a previous override of its name. */
  readonly revisions: readonly Revision[];
  /** Indexes above those of the revisions that bindings name although no snapshot has them any more. */
  readonly isNamed: (index: number) => boolean;
}

export interface Revision {
  readonly snapshot: Readonly<OverrideSnapshot>;
  /** Whether a binding names it. */
  readonly isNamed: boolean;
}

/** KubeFleet's limit, which cannot be configured. */
const historyLimit = 10;

/** An override has a snapshot of each state it had, the latest of which counts. They are deleted with it. */
export function decideSnapshots(state: OverrideState): Plan {
  const { family, override, revisions } = state;
  const { finalizers = [], deletionTimestamp } = override.metadata;
  const hasFinalizer = finalizers.includes(overrideFinalizer);
  if (deletionTimestamp !== undefined) {
    if (!hasFinalizer) return nothingToDo;
    const remaining = finalizers.filter((one) => one !== overrideFinalizer);
    return { steps: [revisions.map(({ snapshot }) => deleted(family, snapshot)), [withFinalizers(state, remaining)]] };
  }
  const claim = hasFinalizer ? [] : [withFinalizers(state, [...finalizers, overrideFinalizer])];
  return { steps: [claim, ...revised(state)] };
}

function withFinalizers({ family, override }: OverrideState, finalizers: readonly string[]): Write {
  const { namespace, name = '', resourceVersion = '' } = override.metadata;
  const metadata = { resourceVersion, finalizers: [...finalizers] };
  return { verb: 'patch', kind: family.override, key: { namespace, name }, patch: { metadata } };
}

function deleted({ snapshot: kind }: OverrideFamily, { metadata }: Readonly<OverrideSnapshot>): Write {
  const { namespace, name = '', uid = '' } = metadata;
  return { verb: 'delete', kind, key: { namespace, name }, uid };
}

interface IndexedRevision extends Revision {
  readonly index: number;
}

/** The order of writes is that of docs/adr/0024-the-latest-snapshot.md: the old one loses its label, then the new one is created. */
function revised(state: OverrideState): Write[][] {
  const { family, override } = state;
  const own = ownRevisions(state).toSorted((a, b) => a.index - b.index);
  const newest = own.at(-1);
  const hash = overrideHash(override.spec);
  const isCurrent = newest !== undefined && newest.snapshot.spec.overrideHash === hash;
  const older = isCurrent ? own.slice(0, -1) : own;
  const relabelled = [
    ...older.flatMap(({ snapshot, index }) => labelled(state, snapshot, index, false)),
    ...(isCurrent ? labelled(state, newest.snapshot, newest.index, true) : []),
  ];
  const created = isCurrent ? [] : [createdAt(state, nextIndex(state), hash)];
  return [relabelled, created, surplus(older, state).map((snapshot) => deleted(family, snapshot))];
}

/** Those that a deleted override of the same name has left belong to it, not to this one. */
function ownRevisions({ override, revisions }: OverrideState): IndexedRevision[] {
  return revisions
    .filter(({ snapshot }) => !isOfAnother(snapshot, override.metadata.uid))
    .map((revision) => ({ ...revision, index: indexOf(revision.snapshot) }));
}

/** From the label; if a user has damaged it, from the name. */
function indexOf(snapshot: Readonly<OverrideSnapshot>): number {
  const fromName = /-(\d{1,15})$/.exec(snapshot.metadata.name ?? '')?.[1];
  return indexIn(snapshot, overrideIndexLabel) ?? Number(fromName ?? -1);
}

/** The newest ones and those that a binding names are kept. */
function surplus(
  older: readonly IndexedRevision[],
  { override, revisions }: OverrideState,
): Readonly<OverrideSnapshot>[] {
  const abandoned = revisions.filter(({ snapshot }) => isOfAnother(snapshot, override.metadata.uid));
  const outdated = older.slice(0, Math.max(0, older.length - (historyLimit - 1)));
  return [...abandoned, ...outdated].filter(({ isNamed }) => !isNamed).map(({ snapshot }) => snapshot);
}

function labelsOf(override: Readonly<Override>, index: number, isLatest: boolean): Record<string, string> {
  return {
    [overrideLabel]: override.metadata.name ?? '',
    [overrideIndexLabel]: String(index),
    [latestLabel]: String(isLatest),
  };
}

function labelled(
  { family, override }: OverrideState,
  { metadata }: Readonly<OverrideSnapshot>,
  index: number,
  isLatest: boolean,
): Write[] {
  const { namespace, name = '', resourceVersion = '', labels: before = {} } = metadata;
  const labels = labelsOf(override, index, isLatest);
  if (jsonEquals({ ...before, ...labels }, before)) return [];
  const patch = { metadata: { resourceVersion, labels } };
  return [{ verb: 'patch', kind: family.snapshot, key: { namespace, name }, patch }];
}

/** Above all others, so that a snapshot which was deleted by hand is not replaced by another of its name. */
function nextIndex({ revisions, isNamed }: OverrideState): number {
  let index = Math.max(-1, ...revisions.map(({ snapshot }) => indexOf(snapshot))) + 1;
  while (isNamed(index)) index++;
  return index;
}

function createdAt({ family, override }: OverrideState, index: number, overrideHash: string): Write {
  const { namespace, name = '', uid = '' } = override.metadata;
  const { kind } = family.override;
  const apiVersion = apiVersionOf(family.override);
  const ownerReferences = [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }];
  const labels = labelsOf(override, index, true);
  const object: KubeObject = {
    apiVersion: apiVersionOf(family.snapshot),
    kind: family.snapshot.kind,
    metadata: { name: `${name}-${index}`, ...(namespace !== undefined && { namespace }), labels, ownerReferences },
    spec: { overrideHash, overrideSpec: override.spec },
  };
  return { verb: 'create', kind: family.snapshot, object };
}
