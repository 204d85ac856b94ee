/**
 * Events for drifts and differences that were not there before. They name fields, never values: a field may be one of a Secret.
 */
import type { PatchDetail, PerClusterStatus, PlacedResource, Placement, PlacementStatus } from '@flotilla/api';
import type { PlannedEvent } from '@flotilla/runtime';

/** Fields that an event names. It counts the others. */
const maxNamed = 5;

/** Members report paths. */
const maxPath = 120;

type Differing = PlacedResource & { readonly observedDrifts?: PatchDetail[]; readonly observedDiffs?: PatchDetail[] };

interface DifferenceKind {
  readonly reason: string;
  readonly noun: string;
  readonly listOf: (cluster: PerClusterStatus | undefined) => readonly Differing[] | undefined;
}

const differenceKinds: readonly DifferenceKind[] = [
  { reason: 'PlacementDriftDetected', noun: 'drifted', listOf: (cluster) => cluster?.driftedPlacements },
  { reason: 'PlacementDiffDetected', noun: 'different', listOf: (cluster) => cluster?.diffedPlacements },
];

/** At most one event of each kind, if the status names a field on a cluster that the stored one does not name. */
export function differenceEvents(placement: Readonly<Placement>, status: PlacementStatus): PlannedEvent[] {
  const clusters = status.placementStatuses ?? [];
  if (!clusters.some((cluster) => differenceKinds.some(({ listOf }) => listOf(cluster) !== undefined))) return [];
  const before = new Map((placement.status?.placementStatuses ?? []).map((one) => [one.clusterName, one]));
  return differenceKinds.flatMap(({ reason, noun, listOf }): PlannedEvent[] => {
    const added = new AddedFields();
    for (const cluster of clusters) {
      added.compare(cluster.clusterName ?? '', listOf(cluster), listOf(before.get(cluster.clusterName)));
    }
    if (added.count === 0) return [];
    return [{ about: placement, type: 'Warning', reason, message: `Found ${noun} fields: ${added.text}` }];
  });
}

class AddedFields {
  readonly #named: string[] = [];
  count = 0;

  compare(cluster: string, now: readonly Differing[] | undefined, before: readonly Differing[] | undefined): void {
    if (now === undefined || now === before) return;
    const known = new Set((before ?? []).flatMap(fieldsOf));
    for (const field of now.flatMap(fieldsOf)) {
      if (known.has(field)) continue;
      this.count++;
      if (this.#named.length < maxNamed) this.#named.push(`${field} on ${cluster}`);
    }
  }

  get text(): string {
    const more = this.count - this.#named.length;
    return `${this.#named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  }
}

/** `Deployment web/nginx /spec/replicas`. A resource that is missing as a whole differs at its root. */
function fieldsOf({ kind, namespace, name, observedDrifts, observedDiffs }: Differing): string[] {
  const resource = `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
  const details = observedDrifts ?? observedDiffs ?? [];
  return details.length === 0 ? [resource] : details.map(({ path }) => `${resource} ${path.slice(0, maxPath)}`);
}
