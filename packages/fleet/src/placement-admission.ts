/**
 * The checks and defaults of placements, overrides and member clusters on a server of ours. KubeFleet has them as webhooks, so
 * refusals name these.
 */
import {
  clusterResourcePlacementDisruptionBudgets,
  clusterResourcePlacementEvictions,
  clusterResourcePlacements,
  families,
  memberClusters,
  overrideFamilies,
  type DisruptionBudget,
  type Eviction,
  type MemberCluster,
  type Override,
  type Placement,
  type PlacementFamily,
} from '@flotilla/api';
import { collectionOf, storedObject, storedObjects, type Admission, type Attributes } from '@flotilla/apiserver';
import {
  refusedBudget,
  refusedEviction,
  refusedOverride,
  refusedPlacement,
  refusedTaints,
  withPlacementDefaults,
} from '@flotilla/controllers';
import { isJsonObject, jsonEquals, type JsonValue, type Kind, type KubeObject } from '@flotilla/kube';
import { deniedByWebhook } from './denied-by-webhook.ts';

/** Sets what users leave out. */
const placementDefaults: Admission = {
  name: 'PlacementDefaults',
  admit: (attributes) => {
    const { object } = attributes;
    if (familyIn(attributes) === undefined || object === undefined || !isJsonObject(object['spec'])) return;
    Object.assign(object, { spec: withPlacementDefaults((object as Placement).spec) });
  },
};

const placementChecks: Admission = {
  name: 'PlacementChecks',
  validate: (attributes) => {
    const family = familyIn(attributes);
    if (family === undefined || !changesSpec(attributes)) return;
    const now = attributes.object as Placement;
    const old = attributes.oldObject as Placement | undefined;
    const refusal = refusedPlacement({ family, now, old }, (gvk) => attributes.server.findKind(gvk));
    if (refusal !== undefined) throw deniedByWebhook(webhookOf(family.placement, 'v1beta1'), refusal);
  },
};

const overrideChecks: Admission = {
  name: 'OverrideChecks',
  validate: (attributes) => {
    const family = overrideFamilies.find(({ override }) => isWriteOf(override, attributes));
    if (family === undefined || !changesSpec(attributes)) return;
    const { server, resource, namespace, operation } = attributes;
    const existing = [...storedObjects(server, resource.collection, namespace)] as Override[];
    const now = attributes.object as Override;
    const refusal = refusedOverride({ isCreate: operation === 'CREATE', now, existing });
    if (refusal !== undefined) throw deniedByWebhook(webhookOf(family.override), refusal);
  },
};

const evictionChecks: Admission = {
  name: 'EvictionChecks',
  validate: (attributes) => {
    if (!isWriteOf(clusterResourcePlacementEvictions, attributes) || attributes.operation !== 'CREATE') return;
    const { placementName } = (attributes.object as Eviction).spec;
    const placement = placementNamed(placementName, attributes);
    const refusal = placement && refusedEviction(placement);
    if (refusal !== undefined) throw deniedByWebhook(webhookOf(clusterResourcePlacementEvictions), refusal);
  },
};

const budgetChecks: Admission = {
  name: 'DisruptionBudgetChecks',
  validate: (attributes) => {
    if (!isWriteOf(clusterResourcePlacementDisruptionBudgets, attributes)) return;
    const budget = attributes.object as DisruptionBudget;
    const placement = placementNamed(budget.metadata.name ?? '', attributes);
    const refusal = placement && refusedBudget(budget, placement);
    if (refusal !== undefined) throw deniedByWebhook(webhookOf(clusterResourcePlacementDisruptionBudgets), refusal);
  },
};

const memberClusterChecks: Admission = {
  name: 'MemberClusterChecks',
  validate: (attributes) => {
    if (!isWriteOf(memberClusters, attributes) || !changesSpec(attributes)) return;
    const refusal = refusedTaints((attributes.object as MemberCluster).spec.taints ?? []);
    if (refusal !== undefined) throw deniedByWebhook(webhookOf(memberClusters), refusal);
  },
};

/** Undefined if it does not exist: an eviction or a budget may be older than its placement. */
function placementNamed(name: string, { server }: Attributes): Placement | undefined {
  const { plural, group } = clusterResourcePlacements;
  return storedObject(server, collectionOf(group, plural), name) as Placement | undefined;
}

function familyIn(attributes: Attributes): PlacementFamily | undefined {
  return families.find(({ placement }) => isWriteOf(placement, attributes));
}

function isWriteOf({ plural, group }: Kind, { operation, resource, subresource }: Attributes): boolean {
  if (resource.plural !== plural || resource.group !== group || subresource !== '') return false;
  return operation === 'CREATE' || operation === 'UPDATE';
}

/** Changes of metadata are never refused: a placement of a kind that is no longer served must lose its finalizers. */
function changesSpec({ object, oldObject }: Attributes): boolean {
  return oldObject === undefined || !jsonEquals(specOf(object), specOf(oldObject));
}

function specOf(object: KubeObject | undefined): JsonValue {
  return object?.['spec'] ?? null;
}

/** `fleet.clusterresourceplacementv1beta1.validating`: the name of KubeFleet's webhook. */
function webhookOf({ kind }: Kind, version = ''): string {
  return `fleet.${kind.toLowerCase()}${version}.validating`;
}

export const placementAdmission: readonly Admission[] = [
  placementDefaults,
  placementChecks,
  overrideChecks,
  evictionChecks,
  budgetChecks,
  memberClusterChecks,
];
