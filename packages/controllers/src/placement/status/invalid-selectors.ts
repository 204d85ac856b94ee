/** The status of a placement whose resource selectors cannot be used. Only its condition Scheduled says so. */
import {
  placementReasons,
  type PlacedResource,
  type Placement,
  type PlacementFamily,
  type PlacementStatus,
  type ResourceSelector,
} from '@flotilla/api';
import { PlacementConditions } from './placement-conditions.ts';

/** `problem` is the sentence of the selection. */
export function withInvalidSelectors(
  family: PlacementFamily,
  placement: Readonly<Placement>,
  problem: string,
  now: Date,
): PlacementStatus {
  return withUnusableNamespace(family, placement, `The resource selectors are invalid: ${problem}`, now);
}

/** `problem` is that of `namespaceProblem`. */
export function withUnusableNamespace(
  family: PlacementFamily,
  placement: Readonly<Placement>,
  problem: string,
  now: Date,
): PlacementStatus {
  const conditions = new PlacementConditions(family, placement, now);
  conditions.set('scheduled', 'False', { reason: placementReasons.invalidSelectors, message: cut(problem) });
  return { ...placement.status, conditions: conditions.list };
}

/** The schema's limit for messages. */
const maxMessage = 32_768;

function cut(message: string): string {
  return message.length <= maxMessage ? message : `${message.slice(0, maxMessage - 1)}…`;
}

/** Whether users of a namespace can read the status of a placement that selects this namespace. */
export function isNamespaceAccessible({ scope }: PlacementFamily, { spec }: Readonly<Placement>): boolean {
  return scope === 'Cluster' && spec.statusReportingScope === 'NamespaceAccessible';
}

/**
 * Why a placement with a status for users of a namespace must not proceed, as a sentence: the status would not be where they
 * find it.
 */
export function namespaceProblem(family: PlacementFamily, placement: Readonly<Placement>): string | undefined {
  if (!isNamespaceAccessible(family, placement)) return undefined;
  const wanted = selectedNamespace(placement);
  if (wanted === undefined) {
    return "NamespaceAccessible ClusterResourcePlacement doesn't specify a resource selector which selects a namespace";
  }
  const picked = placement.status?.selectedResources?.find(isNamespace)?.name;
  if (picked === undefined || picked === wanted) return undefined;
  return `namespace resource selector is choosing a different namespace '${wanted}' from what was originally picked '${picked}'. This is not allowed for NamespaceAccessible ClusterResourcePlacement`;
}

/** The namespace that the placement names. */
export function selectedNamespace({ spec }: Readonly<Placement>): string | undefined {
  const { name = '' } = spec.resourceSelectors.find(isNamespace) ?? {};
  return name === '' ? undefined : name;
}

function isNamespace({ group = '', version, kind }: PlacedResource | ResourceSelector): boolean {
  return group === '' && version === 'v1' && kind === 'Namespace';
}
