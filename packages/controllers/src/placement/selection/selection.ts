/** What a placement selects on the hub, as the other parts of its controller see it. */
import type { PlacedResource, Placement, PlacementFamily } from '@flotilla/api';
import type { JsonObject, ObjectKey } from '@flotilla/kube';
import type { Source } from '@flotilla/runtime';

export type Selection = SelectedResources | SelectionProblem | PendingSelection;

/** Describes the selected objects without their content, so that it can be kept for every placement. */
export interface SelectedResources {
  /** In the order of snapshots. */
  readonly identifiers: readonly PlacedResource[];
  /** Bytes of the content of each, as KubeFleet counts them to split a snapshot. */
  readonly sizes: readonly number[];
  /** How many of them are envelopes. */
  readonly envelopes: number;
  /** Of all content, as KubeFleet computes it for the annotation of a resource snapshot. */
  readonly hash: string;
  /**
   * The content of the resource at this index, shared with other readers. Undefined if the object has changed since; another
   * selection follows then.
   */
  readonly contentAt: (index: number) => JsonObject | undefined;
}

/** Only a change by a user can help. */
export interface SelectionProblem {
  /** Begins with the words that KubeFleet has for errors of users. */
  readonly problem: string;
}

/** Not known yet; another selection follows. */
export interface PendingSelection {
  /** Why. */
  readonly pending: string;
}

export function isSelected(selection: Selection): selection is SelectedResources {
  return 'hash' in selection;
}

/** The selections of all placements. */
export interface Selections {
  /**
   * Of this placement, from now on until `forget`. Does no work itself, and returns the same object until something changes; then
   * the source wakes the placement.
   */
  readonly current: (placement: Readonly<Placement>) => Selection;
  /** Whether it shows all changes of objects that are known by now. If not, the source wakes the placement when it does. */
  readonly isCurrent: (placement: ObjectKey) => boolean;
  readonly forget: (placement: ObjectKey) => void;
  /** Wakes the placements of this family. */
  readonly source: (family: PlacementFamily) => Source;
}
