/** Whatever happened before, a fleet comes to rest, and then it is as if only the last YAML had been applied. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  clusterResourceBindings,
  clusterResourceOverrides,
  clusterResourcePlacements,
  works,
  type Condition,
} from '@flotilla/api';
import { ignoreNotFound } from '@flotilla/kube';
import { seededRandom } from '@flotilla/testkit';
import { configMaps, Story } from './story.ts';

const members = ['east-1', 'east-2', 'west-1', 'west-2'];
const namespaces = ['bay', 'cape', 'isle'];

/** The YAML that users have applied last. */
interface Applied {
  /** Colors of the settings in each namespace. */
  readonly colors: Map<string, string>;
  /** Policies of placements, by namespace. */
  readonly policies: Map<string, string>;
  isOverridden: boolean;
}

const policiesOf: Readonly<Record<string, readonly string[]>> = {
  bay: ['{ placementType: PickAll }', `{ placementType: PickAll, affinity: ${requiring('west')} }`],
  cape: [
    '{ placementType: PickFixed, clusterNames: [east-1, west-1] }',
    '{ placementType: PickFixed, clusterNames: [west-1, west-2] }',
    '{ placementType: PickFixed, clusterNames: [] }',
  ],
  isle: ['{ placementType: PickN, numberOfClusters: 4 }', '{ placementType: PickN, numberOfClusters: 0 }'],
};

function requiring(region: string): string {
  const term = `{ labelSelector: { matchLabels: { region: ${region} } } }`;
  return `{ clusterAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { clusterSelectorTerms: [${term}] } } }`;
}

function content(namespace: string, color: string): string {
  return `
{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: ${namespace}, name: settings, labels: {app: sea}}, data: {color: ${color}}}`;
}

function placement(namespace: string, policy: string): string {
  return `
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: ${namespace} }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: ${namespace} }]
  policy: ${policy}
  strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1, unavailablePeriodSeconds: 5 } }
`;
}

const override = `
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourceOverride
metadata: { name: names }
spec:
  placement: { name: bay }
  clusterResourceSelectors: [{ group: '', version: v1, kind: Namespace, name: bay }]
  policy:
    overrideRules:
      - clusterSelector: { clusterSelectorTerms: [] }
        jsonPatchOverrides: [{ op: add, path: /metadata/labels/cluster, value: '\${MEMBER-CLUSTER-NAME}' }]
`;

/** One change by a user or by fate. */
async function change(story: Story, applied: Applied, random: () => number): Promise<void> {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const namespace = pick(namespaces);
  const member = pick(members);
  const changes: readonly (() => Promise<unknown>)[] = [
    async () => {
      applied.colors.set(namespace, `c${Math.floor(random() * 1000)}`);
      await apply(story, content(namespace, applied.colors.get(namespace) ?? ''));
    },
    async () => {
      applied.policies.set(namespace, pick(policiesOf[namespace] ?? []));
      await apply(story, placement(namespace, applied.policies.get(namespace) ?? ''));
    },
    async () => {
      applied.policies.delete(namespace);
      await story.hub.delete(clusterResourcePlacements, { name: namespace }).catch(ignoreNotFound);
    },
    async () => {
      applied.isOverridden = !applied.isOverridden;
      if (applied.isOverridden) await apply(story, override);
      else await story.hub.delete(clusterResourceOverrides, { name: 'names' }).catch(ignoreNotFound);
    },
    () => story.fleet.faults.partition(member),
    () => story.fleet.faults.start(member),
    () => story.restart(),
  ];
  await pick(changes)();
  await story.wait(random() * 20);
}

/** Applies without waiting. A placement that is being deleted cannot be changed into a new one: tries until it is gone. */
async function apply(story: Story, yaml: string): Promise<void> {
  const isGone = async (): Promise<boolean> => {
    const items = (await story.hub.list(clusterResourcePlacements)).items;
    return items.every(({ metadata }) => metadata.deletionTimestamp === undefined);
  };
  for (let second = 0; second < 120 && !(await isGone()); second++) await story.wait(1);
  await story.applyNow(yaml);
}

async function applyAll(story: Story, { colors, policies, isOverridden }: Applied): Promise<void> {
  for (const [namespace, color] of colors) await story.apply(content(namespace, color));
  if (isOverridden) await story.apply(override);
  for (const [namespace, policy] of policies) await story.apply(placement(namespace, policy));
}

/** All that users see, without times, numbers and names that depend on history. */
async function stateOf(story: Story) {
  const placements = (await story.hub.list(clusterResourcePlacements)).items.map(({ metadata, status }) => ({
    name: metadata.name,
    conditions: summaries(status?.conditions),
    clusters: (status?.placementStatuses ?? [])
      .map(({ clusterName = '', conditions }) => [clusterName, ...summaries(conditions)].join(' '))
      .sort(),
  }));
  const bindings = (await story.hub.list(clusterResourceBindings)).items.map(
    ({ metadata, spec }) =>
      `${metadata.labels?.['kubernetes-fleet.io/parent-CRP']} ${spec.targetCluster} ${spec.state}`,
  );
  const manifests = (await story.hub.list(works)).items.map(({ metadata, spec }) => ({
    work: `${metadata.namespace} ${metadata.name}`,
    manifests: spec?.workload?.manifests,
  }));
  const placed: string[] = [];
  for (const namespace of namespaces) {
    for (const member of members) {
      const found = await story.on(member, configMaps, { namespace, name: 'settings' });
      const { cluster = '' } = found?.metadata.labels ?? {};
      if (found) placed.push([namespace, member, JSON.stringify(found['data']), cluster].join(' '));
    }
  }
  return { placements, bindings: bindings.sort(), manifests, placed };
}

function summaries(conditions: readonly Condition[] = []): string[] {
  return conditions.map(({ type, status, reason, message }) => `${type} ${status} ${reason} ${message}`);
}

describe('after random changes, disconnections and restarts', () => {
  for (const seed of [1, 2, 3]) {
    test(`the fleet is quiet, and equal to a fresh one, with seed ${seed}`, { timeout: 240_000 }, async (t) => {
      const dataDirectory = await mkdtemp(join(tmpdir(), 'flotilla-'));
      t.after(() => rm(dataDirectory, { recursive: true, force: true }));
      const story = await Story.start(t, undefined, dataDirectory);
      const random = seededRandom(seed * 104_729);
      for (let skipped = 0; skipped < 3; skipped++) random();
      const applied: Applied = { colors: new Map(), policies: new Map(), isOverridden: false };
      for (const namespace of namespaces) {
        applied.colors.set(namespace, 'blue');
        await story.apply(content(namespace, 'blue'));
      }
      for (let step = 0; step < 25; step++) await change(story, applied, random);

      for (const member of members) await story.fleet.faults.start(member);
      // The longest back-off of an agent is 15 minutes.
      await story.pass(20 * 60);
      const count = await story.countWrites();
      await story.pass(600);
      const { InternalMemberCluster: _heartbeats, MemberCluster: _mirrors, Lease: _leases, ...others } = count();
      assert.deepEqual(others, {});

      const fresh = await Story.start(t);
      await applyAll(fresh, applied);
      await fresh.pass(120);
      assert.deepEqual(await stateOf(story), await stateOf(fresh));
    });
  }
});
