/**
 * Writes for PlacementDecisions, in an order in which no cluster is missing from all of them for a moment: consumers would remove what
 * they have there. An object that receives a cluster is written before the one that loses it.
 */
import {
  ocmPlacements,
  placementDecisions,
  type OcmPlacement,
  type PlacementDecision,
  type SelectedCluster,
} from '@flotilla/api';
import { apiVersionOf, type JsonObject } from '@flotilla/kube';
import type { PlannedEvent, Write } from '@flotilla/runtime';
import { isSameList } from './score-limit.ts';
import type { WantedDecision } from './wanted-decisions.ts';

export interface DecisionEvents {
  readonly created: (decision: PlacementDecision) => PlannedEvent;
  readonly updated: (decision: Readonly<PlacementDecision>) => PlannedEvent;
  readonly deleted: (decision: Readonly<PlacementDecision>) => PlannedEvent;
}

interface Change {
  readonly object: Readonly<PlacementDecision>;
  readonly isNew: boolean;
  readonly before: readonly SelectedCluster[];
  readonly after: readonly SelectedCluster[];
}

/** In steps. Nothing for objects that are as they should be. */
export function decisionSteps(
  placement: Readonly<OcmPlacement>,
  wanted: readonly WantedDecision[],
  existing: readonly Readonly<PlacementDecision>[],
  events: DecisionEvents,
): Write[][] {
  const byName = new Map(existing.map((object) => [object.metadata.name ?? '', object]));
  const surplus = new Set(byName.values());
  const created: PlacementDecision[] = [];
  const labelled: Write[] = [];
  const changes: Change[] = [];
  for (const { name, labels, decisions: after } of wanted) {
    const known = byName.get(name);
    if (known === undefined) {
      const object = newDecision(placement, name, labels);
      created.push(object);
      if (after.length > 0) changes.push({ object, isNew: true, before: [], after });
      continue;
    }
    surplus.delete(known);
    const before = known.status?.decisions ?? [];
    if (!isSameList(before, after)) changes.push({ object: known, isNew: false, before, after });
    labelled.push(labelWrite(known, labels));
  }
  return [
    created.map((object): Write => ({
      verb: 'create',
      kind: placementDecisions,
      object,
      event: events.created(object),
    })),
    ...statusSteps(changes, events),
    labelled,
    [...surplus].map((object) => deletion(object, events)),
  ];
}

function newDecision(
  placement: Readonly<OcmPlacement>,
  name: string,
  labels: Readonly<Record<string, string>>,
): PlacementDecision {
  const { namespace, name: owner = '', uid = '' } = placement.metadata;
  return {
    apiVersion: apiVersionOf(placementDecisions),
    kind: placementDecisions.kind,
    metadata: {
      ...(namespace !== undefined && { namespace }),
      name,
      labels,
      ownerReferences: [
        {
          apiVersion: apiVersionOf(ocmPlacements),
          kind: ocmPlacements.kind,
          name: owner,
          uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
  };
}

/** Each step writes the objects whose lost clusters have arrived elsewhere. In a cycle, one keeps what it loses until the others have it. */
function statusSteps(changes: readonly Change[], events: DecisionEvents): Write[][] {
  const steps: Write[][] = [];
  const kept = new Set<Change>();
  let waiting = [...changes];
  while (waiting.length > 0) {
    const arriving = new Set(waiting.flatMap((change) => (kept.has(change) ? [] : gained(change))));
    const ready = waiting.filter((change) => !lost(change).some((cluster) => arriving.has(cluster)));
    if (ready.length > 0) {
      steps.push(ready.map((change) => statusWrite(change, change.after, events)));
      waiting = waiting.filter((change) => !ready.includes(change));
      continue;
    }
    const [first] = waiting.filter((change) => !kept.has(change));
    if (first === undefined) break;
    const losing = new Set(lost(first));
    const both = [...first.after, ...first.before.filter(({ clusterName }) => losing.has(clusterName))];
    steps.push([statusWrite(first, both, events)]);
    kept.add(first);
  }
  return steps;
}

function gained({ before, after }: Change): string[] {
  return namesMissing(after, before);
}

function lost({ before, after }: Change): string[] {
  return namesMissing(before, after);
}

function namesMissing(from: readonly SelectedCluster[], list: readonly SelectedCluster[]): string[] {
  const names = new Set(list.map(({ clusterName }) => clusterName));
  return from.flatMap(({ clusterName }) => (names.has(clusterName) ? [] : [clusterName]));
}

/** A follow-up: it comes after the creation of the object, or after another write in a cycle. */
function statusWrite({ object, isNew }: Change, decisions: readonly SelectedCluster[], events: DecisionEvents): Write {
  return {
    verb: 'patch',
    kind: placementDecisions,
    key: keyOf(object),
    patch: { metadata: isNew ? {} : versionOf(object), status: { decisions: [...decisions] } },
    isFollowUp: true,
    subresource: 'status',
    event: events.updated(object),
  };
}

/** Exactly these labels. The runtime skips it if nothing changes. */
function labelWrite(object: Readonly<PlacementDecision>, labels: Readonly<Record<string, string>>): Write {
  const foreign = Object.keys(object.metadata.labels ?? {}).filter((key) => !Object.hasOwn(labels, key));
  return {
    verb: 'patch',
    kind: placementDecisions,
    key: keyOf(object),
    patch: {
      metadata: {
        ...versionOf(object),
        labels: { ...Object.fromEntries(foreign.map((key) => [key, null])), ...labels },
      },
    },
    isFollowUp: true,
  };
}

function deletion(object: Readonly<PlacementDecision>, events: DecisionEvents): Write {
  const { uid = '' } = object.metadata;
  return { verb: 'delete', kind: placementDecisions, key: keyOf(object), uid, event: events.deleted(object) };
}

function keyOf({ metadata: { namespace, name = '' } }: Readonly<PlacementDecision>) {
  return { namespace, name };
}

function versionOf({ metadata: { uid, resourceVersion } }: Readonly<PlacementDecision>): JsonObject {
  return { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) };
}
