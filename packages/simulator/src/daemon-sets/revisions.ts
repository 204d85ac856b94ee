/** The templates that a DaemonSet has had, and the hash of the present one, which its pods carry. */
import type { LabelSelector } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { podTemplateHash, revisionData } from '../hash/pod-template-hash.ts';
import { kinds, type ControllerRevision, type DaemonSet, type Pod } from '../kinds.ts';
import { claim } from '../ownership/claim.ts';
import {
  deleteRevision,
  hasData,
  inRevisionOrder,
  newRevision,
  renumber,
  revisionNumber,
} from '../revisions/controller-revision.ts';
import { revisionLabel } from './daemon-pod.ts';

export interface RevisionsInput {
  readonly set: Readonly<DaemonSet>;
  readonly selector: LabelSelector;
  /** The revisions that the set controls, and orphans of its namespace. */
  readonly revisions: readonly Readonly<ControllerRevision>[];
  /** Any revision of the namespace. */
  readonly findRevision: (name: string) => Readonly<ControllerRevision> | undefined;
}

export interface Revisions {
  /** Of the present template; undefined if another revision has the name that the present one must have. */
  readonly hash: string | undefined;
  /** Of other templates, the oldest first. */
  readonly old: readonly Readonly<ControllerRevision>[];
  readonly writes: readonly Write[];
}

export function revisionsOf(
  { set, selector, revisions, findRevision }: RevisionsInput,
  pods: readonly Readonly<Pod>[],
): Revisions {
  const owner = { kind: kinds.daemonSet, object: set, selector };
  const { owned, writes: claims } = claim(kinds.controllerRevision, owner, revisions);
  const data = revisionData(set.spec?.template);
  const present = inRevisionOrder(owned.filter((revision) => hasData(revision, data)));
  const old = inRevisionOrder(owned.filter((revision) => !hasData(revision, data)));
  const newest = old.at(-1);
  const next = (newest === undefined ? 0 : revisionNumber(newest)) + 1;

  const kept = present.at(-1);
  if (kept !== undefined) {
    const hash = hashOf(kept);
    const renumbering = revisionNumber(kept) < next ? [renumber(labelled(kept), next)] : labelling(kept);
    const merging = present.length > 1 ? [...relabelling(pods, hash), ...present.slice(0, -1).map(deleteRevision)] : [];
    return { hash, old, writes: [...claims, ...renumbering, ...merging, ...old.flatMap(labelling)] };
  }

  const hash = podTemplateHash(set.spec?.template, set.status?.collisionCount);
  const name = `${set.metadata.name}-${hash}`;
  const labels = { [revisionLabel]: hash };
  const created = newRevision({ kind: kinds.daemonSet, owner: set, name, labels, data, revision: next });
  const taken = findRevision(name);
  if (taken !== undefined) return { hash: hasData(taken, data) ? hashOf(taken) : undefined, old, writes: claims };
  const creation: Write = { verb: 'create', kind: kinds.controllerRevision, object: created };
  return { hash, old, writes: [...claims, creation, ...old.flatMap(labelling)] };
}

/** Revisions beyond the limit that no pod has. */
export function obsoleteRevisions(
  { spec }: Readonly<DaemonSet>,
  old: readonly Readonly<ControllerRevision>[],
  pods: readonly Readonly<Pod>[],
): Readonly<ControllerRevision>[] {
  const live = new Set(pods.map(({ metadata }) => metadata.labels?.[revisionLabel]));
  const { revisionHistoryLimit = 10 } = spec ?? {};
  const excess = Math.max(0, old.length - revisionHistoryLimit);
  return old.filter((revision) => !live.has(hashOf(revision))).slice(0, excess);
}

/** A revision without the label has its name as hash. */
function hashOf({ metadata }: Readonly<ControllerRevision>): string {
  return metadata.labels?.[revisionLabel] ?? metadata.name ?? '';
}

function labelled(revision: Readonly<ControllerRevision>): Readonly<ControllerRevision> {
  const { metadata } = revision;
  return { ...revision, metadata: { ...metadata, labels: { ...metadata.labels, [revisionLabel]: hashOf(revision) } } };
}

function labelling(revision: Readonly<ControllerRevision>): Write[] {
  if (revision.metadata.labels?.[revisionLabel] !== undefined) return [];
  return [{ verb: 'update', kind: kinds.controllerRevision, object: labelled(revision) }];
}

/** Before equal revisions become one, their pods get its hash. */
function relabelling(pods: readonly Readonly<Pod>[], hash: string): Write[] {
  return pods
    .filter(({ metadata }) => metadata.labels?.[revisionLabel] !== hash)
    .map(({ metadata: { namespace, name = '', uid = '' } }) => ({
      verb: 'patch',
      kind: kinds.pod,
      key: { namespace, name },
      patch: { metadata: { uid, labels: { [revisionLabel]: hash } } },
    }));
}
