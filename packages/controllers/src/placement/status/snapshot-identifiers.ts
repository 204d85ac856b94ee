/** The identifiers of the resources in snapshots, for the status of a placement. */
import {
  resourceIndexLabel,
  snapshotSubindexAnnotation,
  type PlacedResource,
  type ResourceSnapshot,
} from '@flotilla/api';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { isMaster } from '../../family/latest-snapshot.ts';
import { identityOf } from '../../overrides/resource-identity.ts';

/** The resources of one group of snapshots, in the order in which they were selected. */
export function identifiersIn(group: readonly Readonly<ResourceSnapshot>[]): PlacedResource[] {
  const inOrder = group.toSorted((a, b) => positionOf(a) - positionOf(b));
  return inOrder.flatMap(({ spec }) => spec.selectedResources.map(identifierOf));
}

/** The index of a snapshot's group, as its label has it; empty if there is none. */
export function indexTextOf({ metadata: { labels = {} } }: Readonly<KubeObject>): string {
  return Object.hasOwn(labels, resourceIndexLabel) ? (labels[resourceIndexLabel] ?? '') : '';
}

function positionOf(snapshot: Readonly<ResourceSnapshot>): number {
  if (isMaster(snapshot)) return -1;
  const { annotations = {} } = snapshot.metadata;
  const text = Object.hasOwn(annotations, snapshotSubindexAnnotation) ? annotations[snapshotSubindexAnnotation] : '';
  return Number.parseInt(text ?? '', 10) || 0;
}

function identifierOf(resource: JsonObject): PlacedResource {
  const { group, version, kind, namespace, name } = identityOf(resource);
  return { ...(group !== '' && { group }), version, kind, ...(namespace !== '' && { namespace }), name };
}
