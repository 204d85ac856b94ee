/** A fleet in this process, and placements that are Available on its members. */
import { limitHeapGrowth } from '../../apps/flotilla/src/up/heap-growth.ts';
import { clusterResourcePlacements, conditionOf, placementConditionType, type Placement } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { startFleet, type RunningFleet, type StartFleetOptions } from '@flotilla/fleet';
import { shapeOfMembers } from '@flotilla/fleet/file';
import { followUntil } from './follow-until.ts';
import { apiVersionOf, configMaps, deployments, namespaces, type JsonObject, type KubeObject } from '@flotilla/kube';

/** The label of members that placements select by. */
export const groupLabel = 'placement-group';

export interface FleetSize extends Pick<StartFleetOptions, 'dataDirectory' | 'embedsInMemory'> {
  readonly members: number;
  /** Members are in this many groups of the same size. Default: one. */
  readonly groups?: number;
  /** The group of a member by its index. Default: one after another. */
  readonly groupOf?: (index: number) => number;
}

/** Joins members with heartbeats every 60 seconds. */
export function startPlacedFleet(size: FleetSize): Promise<RunningFleet> {
  // As `flotilla up` does.
  limitHeapGrowth();
  const { members, groups = 1, groupOf = (index) => index % groups, ...options } = size;
  const shape = shapeOfMembers(members);
  const grouped = shape.members.map((member, index) => ({
    ...member,
    labels: { [groupLabel]: String(groupOf(index)) },
  }));
  return startFleet({ ...options, port: 0, shape: { ...shape, members: grouped } });
}

export interface PlacementOptions {
  /** Selects the members of one group, by the index of the placement. Default: all members. */
  readonly groupOf?: (index: number) => number;
  /** Whether the namespace has a Deployment without replicas, too. */
  readonly hasDeployment?: boolean;
}

/** A namespace with a ConfigMap of 1 KB. */
export async function createContent(
  client: Client,
  name: string,
  { hasDeployment = false }: PlacementOptions = {},
): Promise<void> {
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await client.create(configMaps, configMap(name, 'x'));
  if (hasDeployment) await client.create(deployments, deployment(name));
}

export function configMap(namespace: string, letter: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: 'settings' },
    data: { text: letter.repeat(1024) },
  };
}

function deployment(namespace: string): KubeObject {
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } };
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name: 'web' }, spec };
}

/** Creates a placement of each namespace, and resolves when all are Available. */
export async function place(client: Client, names: readonly string[], options: PlacementOptions = {}): Promise<void> {
  const { groupOf = () => undefined } = options;
  const done = await followUntil(client, clusterResourcePlacements, names, isAvailable);
  await Promise.all(
    names.map((name, index) => client.create(clusterResourcePlacements, placement(name, groupOf(index)))),
  );
  await done.all;
}

function placement(name: string, group: number | undefined): Placement {
  const clusterSelectorTerms = [{ labelSelector: { matchLabels: { [groupLabel]: String(group) } } }];
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { clusterSelectorTerms } };
  const spec: JsonObject = {
    resourceSelectors: [{ group: '', version: 'v1', kind: 'Namespace', name }],
    policy: { placementType: 'PickAll', ...(group !== undefined && { affinity: { clusterAffinity: required } }) },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%', unavailablePeriodSeconds: 1 } },
  };
  const apiVersion = apiVersionOf(clusterResourcePlacements);
  return { apiVersion, kind: clusterResourcePlacements.kind, metadata: { name }, spec } as unknown as Placement;
}

function isAvailable(placement: Placement | undefined): boolean {
  if (placement === undefined) return false;
  const { metadata, status } = placement;
  const condition = conditionOf(status?.conditions, placementConditionType(clusterResourcePlacements, 'available'));
  return condition?.status === 'True' && condition.observedGeneration === metadata.generation;
}
