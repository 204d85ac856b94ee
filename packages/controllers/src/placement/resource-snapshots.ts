/** What a placement selects, as a group of snapshots with one index. */
import {
  furtherSnapshotName,
  latestLabel,
  nextSnapshotTimeAnnotation,
  numberOfSnapshotsAnnotation,
  resourceHashAnnotation,
  resourceIndexLabel,
  resourceSnapshotName,
} from '@flotilla/api';
import { formatTime, type JsonObject, type KubeObject } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { indexIn, isLatest, latestMasterOf } from '../family/latest-snapshot.ts';
import { nextIndex } from './next-index.ts';
import type { PlacementState, SnapshotSettings } from './placement-state.ts';
import type { SelectedResources } from './selection/selection.ts';
import { furtherSnapshotOf, isBeingDeleted, masterOf, nameOf, patchOf } from './snapshot-objects.ts';
import { splitResources, type ResourceRange } from './split-resources.ts';

export interface ResourceSnapshotPlan {
  readonly steps: readonly (readonly Write[])[];
  /** The resources have changed, and the latest group does not have the change yet. */
  readonly isDelayed?: boolean;
  readonly requeueAfterMs?: number;
}

/** Reading, printing and sending as much as this takes a few milliseconds. The next reconcile continues. */
const maxBytesAtOnce = 512 * 1024;

/** The writes that make the latest group that of the selection. Undefined if an object changed since it was selected. */
export function planResourceSnapshots(
  state: PlacementState,
  selection: SelectedResources,
  settings: SnapshotSettings,
  now: Date,
): ResourceSnapshotPlan | undefined {
  const present = state.resourceSnapshots.filter((snapshot) => !isBeingDeleted(snapshot));
  const latest = latestMasterOf(present);
  const ranges = splitResources(selection.sizes);
  const index = latest && indexIn(latest, resourceIndexLabel);
  const missing =
    latest !== undefined && hashOf(latest) === selection.hash ? missingIn(state, latest, ranges.length) : undefined;
  if (index !== undefined && missing !== undefined) {
    return withSteps(labelMoves(state, present, latest), creations(state, selection, ranges, index, missing));
  }
  const waitMs = latest === undefined || !isLatest(latest) ? 0 : delayMs(latest, settings, now);
  if (latest !== undefined && waitMs > 0) {
    return { steps: [detection(state, latest, now)], isDelayed: true, requeueAfterMs: waitMs };
  }
  return cutResourceSnapshots(state, selection);
}

/** The writes that make a new group, whatever the latest one has. Undefined if an object changed since it was selected. */
export function cutResourceSnapshots(
  state: PlacementState,
  selection: SelectedResources,
): ResourceSnapshotPlan | undefined {
  const present = state.resourceSnapshots.filter((snapshot) => !isBeingDeleted(snapshot));
  const ranges = splitResources(selection.sizes);
  const all = ranges.map((_range, number) => number);
  return withSteps(labelMoves(state, present), creations(state, selection, ranges, nextResourceIndex(state), all));
}

function withSteps(
  first: readonly (readonly Write[])[],
  plan: ResourceSnapshotPlan | undefined,
): ResourceSnapshotPlan | undefined {
  return plan && { ...plan, steps: [...first, ...plan.steps] };
}

function nextResourceIndex(state: PlacementState): number {
  return nextIndex(state, {
    kind: state.family.resourceSnapshot,
    snapshots: state.resourceSnapshots,
    indexLabel: resourceIndexLabel,
    nameOf: resourceSnapshotName,
    namedBy: ({ spec }) => spec.resourceSnapshotName,
  });
}

/**
 * Which snapshots of the group are missing, by number: a crash, or a user who deleted them. Undefined if the group cannot be
 * completed, because its size is wrong or a name is taken.
 */
function missingIn(state: PlacementState, master: Readonly<KubeObject>, size: number): readonly number[] | undefined {
  const { family, placement, resourceSnapshots, isTaken } = state;
  const recorded = Number(annotationOf(master, numberOfSnapshotsAnnotation));
  if (!Number.isInteger(recorded) || recorded < 1) return undefined;
  // Not all of them exist, and they are not those that the selection makes.
  if (recorded !== size && recorded > resourceSnapshots.length) return undefined;
  const index = indexIn(master, resourceIndexLabel) ?? 0;
  const names = new Set(resourceSnapshots.map(nameOf));
  const missing: number[] = [];
  for (let number = 1; number < recorded; number++) {
    const name = furtherSnapshotName(nameOf(placement), index, number - 1);
    if (names.has(name)) continue;
    if (recorded !== size || isTaken(family.resourceSnapshot, name)) return undefined;
    missing.push(number);
  }
  return missing;
}

/** The snapshots with these numbers, as many as fit into one plan. Undefined if an object changed since it was selected. */
function creations(
  state: PlacementState,
  selection: SelectedResources,
  ranges: readonly ResourceRange[],
  index: number,
  numbers: readonly number[],
): ResourceSnapshotPlan | undefined {
  const facts = { index, hash: selection.hash, size: ranges.length, envelopes: selection.envelopes };
  const steps: (readonly Write[])[] = [];
  let bytes = 0;
  for (const number of numbers) {
    if (bytes > maxBytesAtOnce) return { steps, requeueAfterMs: 0 };
    const range = ranges[number] ?? [0, 0];
    const resources = contentOf(selection, range);
    if (resources === undefined) return undefined;
    const object =
      number === 0 ? masterOf(state, facts, resources) : furtherSnapshotOf(state, index, number - 1, resources);
    // One after another: the first must exist before the others, and each may be large.
    steps.push([{ verb: 'create', kind: state.family.resourceSnapshot, object }]);
    bytes += selection.sizes.slice(...range).reduce((sum, size) => sum + size, 0);
  }
  return { steps };
}

function contentOf({ contentAt }: SelectedResources, [from, to]: ResourceRange): JsonObject[] | undefined {
  const resources: JsonObject[] = [];
  for (let at = from; at < to; at++) {
    const resource = contentAt(at);
    if (resource === undefined) return undefined;
    resources.push(resource);
  }
  return resources;
}

/** Takes the label from all but the latest, and gives it the label. */
function labelMoves(
  { family }: PlacementState,
  snapshots: readonly Readonly<KubeObject>[],
  latest?: Readonly<KubeObject>,
): readonly (readonly Write[])[] {
  const kind = family.resourceSnapshot;
  const others = snapshots.filter((snapshot) => snapshot !== latest && isLatest(snapshot));
  return [
    others.map((snapshot) => patchOf(kind, snapshot, { labels: { [latestLabel]: 'false' } })),
    latest === undefined || isLatest(latest) ? [] : [patchOf(kind, latest, { labels: { [latestLabel]: 'true' } })],
  ];
}

/** How long the next group has to wait. */
function delayMs(latest: Readonly<KubeObject>, settings: SnapshotSettings, now: Date): number {
  const { minSnapshotIntervalMs, collectChangesMs } = settings;
  if (minSnapshotIntervalMs <= 0 && collectChangesMs <= 0) return 0;
  const createdAt = Date.parse(latest.metadata.creationTimestamp ?? '') || 0;
  const detectedAt = detectionTime(latest) ?? now.getTime();
  const dueAt = Math.max(detectedAt + collectChangesMs, createdAt + minSnapshotIntervalMs);
  return dueAt - now.getTime();
}

/** Records when the first change was detected, unless that is known. */
function detection({ family }: PlacementState, latest: Readonly<KubeObject>, now: Date): readonly Write[] {
  if (detectionTime(latest) !== undefined) return [];
  const annotations = { [nextSnapshotTimeAnnotation]: formatTime(now) };
  return [patchOf(family.resourceSnapshot, latest, { annotations })];
}

function detectionTime(latest: Readonly<KubeObject>): number | undefined {
  const time = Date.parse(annotationOf(latest, nextSnapshotTimeAnnotation) ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function hashOf(master: Readonly<KubeObject>): string | undefined {
  return annotationOf(master, resourceHashAnnotation);
}

function annotationOf({ metadata: { annotations = {} } }: Readonly<KubeObject>, name: string): string | undefined {
  return Object.hasOwn(annotations, name) ? annotations[name] : undefined;
}
