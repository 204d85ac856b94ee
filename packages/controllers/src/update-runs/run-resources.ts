/** Which resource snapshots a run rolls out. A run without an index makes snapshots of what the placement selects now. */
import { resourceIndexLabel } from '@flotilla/api';
import type { Write } from '@flotilla/runtime';
import { indexIn, isMaster, latestMasterOf } from '../family/latest-snapshot.ts';
import type { PlacementState } from '../placement/placement-state.ts';
import { cutResourceSnapshots, planResourceSnapshots } from '../placement/resource-snapshots.ts';
import { isSelected, type SelectedResources } from '../placement/selection/selection.ts';
import { isBeingDeleted, nameOf } from '../placement/snapshot-objects.ts';
import { unplaceable } from '../placement/unplaceable.ts';
import { invalidRun, unexpected, userError } from './run-abort.ts';
import { pathOf } from './run-scope.ts';
import type { RunState } from './run-state.ts';

/** The index of the snapshots, or the writes that make them. Without either, the run waits for the selection. */
export type RunResources = { readonly index: number } | { readonly steps: readonly (readonly Write[])[] };

/** Update runs are a user's wish: no change waits for others. KubeFleet delays these, too, and rolls out old content. */
const atOnce = { minSnapshotIntervalMs: 0, collectChangesMs: 0 };

const waiting: RunResources = { steps: [] };

/** Throws a RunAbort. */
export function resourcesOf(state: RunState, parent: PlacementState, now: Date): RunResources {
  const { resourceSnapshotIndex: text = '' } = state.run.spec;
  return text === '' ? latestResources(state, parent, now) : namedResources(state, parent, text);
}

function latestResources(state: RunState, parent: PlacementState, now: Date): RunResources {
  const selection = currentSelection(state, parent);
  if (selection === undefined) return waiting;
  const plan = planResourceSnapshots(parent, selection, atOnce, now);
  if (plan === undefined) return waiting;
  const steps = plan.steps.filter((step) => step.length > 0);
  if (steps.length > 0) return { steps };
  const master = latestMasterOf(parent.resourceSnapshots.filter((snapshot) => !isBeingDeleted(snapshot)));
  return { index: (master && indexIn(master, resourceIndexLabel)) ?? 0 };
}

/** A run that names the next index makes that snapshot: the walk of KubeFleet's concepts page begins with index 0. */
function namedResources(state: RunState, parent: PlacementState, text: string): RunResources {
  if (!/^\+?\d{1,15}$/.test(text)) {
    throw invalidRun(userError(`invalid resource snapshot index \`${text}\` provided, expected an integer >= 0`));
  }
  const index = Number(text);
  const path = pathOf(parent.placement);
  const group = parent.resourceSnapshots.filter(
    ({ metadata: { labels = {} } }) => Object.hasOwn(labels, resourceIndexLabel) && labels[resourceIndexLabel] === text,
  );
  if (group.some(isMaster)) return { index };
  if (group.length > 0) throw invalidRun(unexpected(`no master resourceSnapshot found for placement ${path}`));
  if (String(index) !== text || index !== nextIndexOf(parent)) {
    throw invalidRun(userError(`no resourceSnapshots with index \`${index}\` found for placement \`${path}\``));
  }
  const selection = currentSelection(state, parent);
  return (selection && cutResourceSnapshots(parent, selection)) ?? waiting;
}

function nextIndexOf({ resourceSnapshots }: PlacementState): number {
  const indexes = resourceSnapshots.flatMap((snapshot) => indexIn(snapshot, resourceIndexLabel) ?? []);
  return indexes.reduce((most, index) => Math.max(most, index), -1) + 1;
}

/** Undefined if it is not known yet. */
function currentSelection(state: RunState, { selection, placement }: PlacementState): SelectedResources | undefined {
  if (!state.isSelectionCurrent()) return undefined;
  if (!isSelected(selection)) {
    if ('pending' in selection) return undefined;
    throw invalidRun(selection.problem);
  }
  const problem = unplaceable(nameOf(placement), selection);
  if (problem !== undefined) throw invalidRun(problem);
  return selection;
}
