/** Staged update runs of placements whose clusters are in groups, and evictions. */
import {
  clusterFamily,
  clusterResourcePlacementEvictions,
  conditionOf,
  evictionConditions,
  placementConditionType,
  updateRunConditions,
  updateRunReasons,
  type Eviction,
  type Placement,
  type UpdateRun,
  type UpdateStrategy,
} from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { apiVersionOf, type JsonObject, type Kind, type KubeObject } from '@flotilla/kube';
import { followUntil } from './follow-until.ts';
import { createContent, groupLabel } from './placed-fleet.ts';

const { placement, updateRun, updateStrategy } = clusterFamily;

function objectOf<T extends KubeObject>(kind: Kind<T>, name: string, spec: JsonObject): T {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name }, spec } as unknown as T;
}

/** A stage for each group, with half of its clusters at once. */
export async function createStrategy(
  client: Client,
  name: string,
  groups: number,
  needsApproval = false,
): Promise<UpdateStrategy> {
  const stages = Array.from({ length: groups }, (_, group) => ({
    name: `stage${group}`,
    labelSelector: { matchLabels: { [groupLabel]: String(group) } },
    maxConcurrency: '50%',
    ...(needsApproval && { beforeStageTasks: [{ type: 'Approval' }] }),
  }));
  return client.create(updateStrategy, objectOf(updateStrategy, name, { stages }));
}

/** Placements that are scheduled on all clusters, and wait for their runs. */
export async function createStaged(client: Client, names: readonly string[]): Promise<void> {
  for (const name of names) await createContent(client, name);
  const scheduled = await followUntil(client, placement, names, isScheduled);
  await Promise.all(
    names.map((name) => {
      const resourceSelectors = [{ group: '', version: 'v1', kind: 'Namespace', name }];
      const policy = { placementType: 'PickAll' };
      return client.create(
        placement,
        objectOf(placement, name, { resourceSelectors, policy, strategy: { type: 'External' } }),
      );
    }),
  );
  await scheduled.all;
}

function isScheduled(one: Placement | undefined): boolean {
  return conditionOf(one?.status?.conditions, placementConditionType(placement, 'scheduled'))?.status === 'True';
}

export interface Staged {
  readonly run: string;
  readonly placement: string;
}

/** Creates runs, and resolves when all have succeeded, or wait for approval. */
export async function run(
  client: Client,
  strategy: string,
  runs: readonly Staged[],
  until: 'succeeded' | 'waiting' = 'succeeded',
): Promise<void> {
  const names = runs.map((one) => one.run);
  const done = await followUntil(client, updateRun, names, until === 'succeeded' ? hasSucceeded : isWaiting);
  await Promise.all(
    runs.map((one) => {
      const spec = { placementName: one.placement, stagedRolloutStrategyName: strategy, state: 'Run' };
      return client.create(updateRun, objectOf(updateRun, one.run, spec));
    }),
  );
  await done.all;
}

/** Throws for a run that has failed, so that the measurement ends. */
function hasSucceeded(one: UpdateRun | undefined): boolean {
  const { initialized, succeeded } = updateRunConditions;
  for (const condition of one?.status?.conditions ?? []) {
    const isEnd = condition.type === initialized || condition.type === succeeded;
    if (isEnd && condition.status === 'False') throw new Error(condition.message);
  }
  return conditionOf(one?.status?.conditions, succeeded)?.status === 'True';
}

function isWaiting(one: UpdateRun | undefined): boolean {
  return conditionOf(one?.status?.conditions, updateRunConditions.progressing)?.reason === updateRunReasons.waiting;
}

/** Evicts placements from a cluster, and resolves when nothing of them is left there. */
export async function evict(client: Client, clusterName: string, placements: readonly string[]): Promise<void> {
  const evictions = clusterResourcePlacementEvictions;
  const { items } = await client.list(clusterFamily.binding);
  const bindings = items.filter(({ spec }) => spec.targetCluster === clusterName).map(({ metadata }) => metadata.name);
  const gone = await followUntil(
    client,
    clusterFamily.binding,
    bindings.filter((name) => name !== undefined),
    (binding) => binding === undefined,
  );
  const decided = await followUntil(client, evictions, placements, isExecuted);
  await Promise.all(
    placements.map((name) => client.create(evictions, objectOf(evictions, name, { placementName: name, clusterName }))),
  );
  await Promise.all([gone.all, decided.all]);
}

/** Throws for an eviction that was refused, so that the measurement ends. */
function isExecuted(one: Eviction | undefined): boolean {
  for (const condition of one?.status?.conditions ?? []) {
    if (condition.status === 'False') throw new Error(condition.message);
  }
  return conditionOf(one?.status?.conditions, evictionConditions.executed)?.status === 'True';
}
