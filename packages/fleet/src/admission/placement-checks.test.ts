import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  approvalRequests,
  clusterResourceOverrides,
  clusterResourcePlacementDisruptionBudgets,
  clusterResourcePlacementEvictions,
  clusterResourcePlacements,
  families,
  memberClusters,
  placementApi,
  resourcePlacements,
  stagedUpdateRuns,
  stagedUpdateStrategies,
} from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  ApiError,
  apiVersionOf,
  configMaps,
  namespaces,
  roleBindings,
  rbacGroup,
  type JsonObject,
  type Kind,
  type KubeObject,
} from '@flotilla/kube';
import { startHub, type RunningHub } from '../start-hub.ts';

const selector = { group: '', version: 'v1', kind: 'Namespace', name: 'web' };

describe('a hub', () => {
  let hub: RunningHub;
  let admin: Client;

  before(async () => {
    hub = await startHub({ memory: true, port: 0 });
    admin = await hub.client();
  });

  after(async () => {
    await admin.close();
    await hub.stop();
  });

  function create(kind: Kind, name: string, spec: JsonObject, namespace?: string) {
    const metadata = { name, ...(namespace && { namespace }) };
    return admin.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec });
  }

  async function refusal(attempt: Promise<unknown>): Promise<string> {
    const error = await attempt.then(
      () => assert.fail('accepted'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ApiError);
    assert.equal(error.status.code, 403, error.message);
    return error.message;
  }

  test('completes what a placement leaves out', async () => {
    const created = await create(clusterResourcePlacements, 'bare', { resourceSelectors: [selector] });
    assert.deepEqual(created['spec'], {
      resourceSelectors: [{ ...selector, selectionScope: 'NamespaceWithResources' }],
      policy: { placementType: 'PickAll' },
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%', unavailablePeriodSeconds: 60 },
        applyStrategy: {
          type: 'ClientSideApply',
          comparisonOption: 'PartialComparison',
          whenToApply: 'Always',
          whenToTakeOver: 'Always',
        },
      },
      revisionHistoryLimit: 10,
      statusReportingScope: 'ClusterScopeOnly',
    });
  });

  test('completes where statuses are reported to', async () => {
    const strategy = { reportBackStrategy: { type: 'Mirror' } };
    const created = await create(clusterResourcePlacements, 'mirror', { resourceSelectors: [selector], strategy });
    const { reportBackStrategy } = (created['spec'] as { strategy: JsonObject }).strategy;
    assert.deepEqual(reportBackStrategy, { type: 'Mirror', destination: 'WorkAPI' });
  });

  for (const { updateRun: kind } of families) {
    test(`accepts the states that a ${kind.kind} had before`, async () => {
      const namespace = kind.namespaced ? 'default' : undefined;
      const spec = { placementName: 'web', stagedRolloutStrategyName: 'waves' };
      const states = { notstarted: 'NotStarted', started: 'Started', stopped: 'Stopped' };
      const stored: unknown[] = [];
      for (const [name, state] of Object.entries(states)) {
        const created = await create(kind, name, { ...spec, state }, namespace);
        stored.push((created['spec'] as JsonObject)['state']);
      }
      const key = { name: 'notstarted', ...(namespace && { namespace }) };
      const resumed = await admin.patch(kind, key, { type: 'merge', value: { spec: { state: 'Started' } } });
      stored.push((resumed as KubeObject & { spec: JsonObject }).spec['state']);
      assert.deepEqual(stored, ['Initialize', 'Run', 'Stop', 'Run']);
      await assert.rejects(create(kind, 'other', { ...spec, state: 'Sailing' }, namespace), /Unsupported value/);
    });
  }

  test('leaves fields of wrong types to validation', async () => {
    for (const spec of [
      { resourceSelectors: [selector], policy: 5 },
      { resourceSelectors: [selector], strategy: { rollingUpdate: 'fast', applyStrategy: [] } },
      { resourceSelectors: [selector], policy: { tolerations: 'all', topologySpreadConstraints: [7] } },
    ] as unknown as JsonObject[]) {
      await assert.rejects(
        create(clusterResourcePlacements, 'wrong', spec),
        (error: unknown) => error instanceof ApiError && error.status.code === 422,
      );
    }
  });

  test('refuses in the name of the webhook that KubeFleet has', async () => {
    const unknown = { ...selector, group: 'sea.example', kind: 'Boat' };
    assert.equal(
      await refusal(create(clusterResourcePlacements, 'boats', { resourceSelectors: [unknown] })),
      'admission webhook "fleet.clusterresourceplacementv1beta1.validating" denied the request: deny create/update v1beta1 CRP has invalid fields failed to get GVR of the selector: no matches for kind "Boat" in version "sea.example/v1"',
    );
    assert.match(
      await refusal(create(resourcePlacements, 'space', { resourceSelectors: [selector] }, 'default')),
      /^admission webhook "fleet\.resourceplacementv1beta1\.validating" denied the request: deny create\/update v1beta1 RP/,
    );
  });

  test('accepts a kind of a definition, and changes of metadata after it is gone', async () => {
    const own = { group: placementApi.group, version: 'v1beta1', kind: 'ClusterResourceEnvelope', name: 'a' };
    await create(clusterResourcePlacements, 'envelope', { resourceSelectors: [own] });
    const patch = { type: 'merge', value: { metadata: { labels: { sea: 'north' } } } } as const;
    await admin.patch(clusterResourcePlacements, { name: 'envelope' }, patch);
  });

  test('refuses two overrides of one resource', async () => {
    const spec = {
      clusterResourceSelectors: [{ group: '', version: 'v1', kind: 'Namespace', name: 'one' }],
      policy: { overrideRules: [{ overrideType: 'Delete', clusterSelector: { clusterSelectorTerms: [] } }] },
    };
    await create(clusterResourceOverrides, 'first', spec);
    assert.match(
      await refusal(create(clusterResourceOverrides, 'second', spec)),
      /^admission webhook "fleet\.clusterresourceoverride\.validating" denied the request: .* selected by both second and first/,
    );
  });

  test('refuses taints that no toleration can match', async () => {
    const spec = { identity: { kind: 'User', name: 'a' }, taints: [{ key: 'a/b/c', effect: 'NoSchedule' }] };
    assert.match(
      await refusal(create(memberClusters, 'tainted', spec)),
      /invalid taint key \{Key:a\/b\/c Value: Effect:NoSchedule\}: /,
    );
  });

  test('refuses evictions from a fixed list, and percentages of all clusters', async () => {
    const policy = { placementType: 'PickFixed', clusterNames: ['a'] };
    await create(clusterResourcePlacements, 'fixed', { resourceSelectors: [selector], policy });
    assert.match(
      await refusal(create(clusterResourcePlacementEvictions, 'e', { placementName: 'fixed', clusterName: 'a' })),
      /cluster resource placement policy type PickFixed is not supported$/,
    );
    await create(clusterResourcePlacementEvictions, 'e', { placementName: 'absent', clusterName: 'a' });
    assert.match(
      await refusal(create(clusterResourcePlacementDisruptionBudgets, 'bare', { minAvailable: '50%' })),
      /PickAll is not supported with min available as a percentage 50%$/,
    );
  });

  test('lets the editor of a namespace place from it and approve runs, and the viewer look', async () => {
    await create(namespaces, 'team', {});
    const roleRef = (name: string) => ({ apiGroup: rbacGroup, kind: 'ClusterRole', name });
    for (const role of ['edit', 'view']) {
      await admin.create(roleBindings, {
        apiVersion: `${rbacGroup}/v1`,
        kind: 'RoleBinding',
        metadata: { namespace: 'team', name: role },
        roleRef: roleRef(role),
        subjects: [{ kind: 'User', apiGroup: rbacGroup, name: `${role}or` }],
      });
    }
    const [editor, viewer] = await Promise.all(
      ['editor', 'viewor'].map((name) => hub.client({ name, groups: ['system:authenticated'] })),
    );
    assert.ok(editor && viewer);
    await aggregated(hub);
    const placed = {
      apiVersion: `${placementApi.group}/v1beta1`,
      kind: 'ResourcePlacement',
      metadata: { namespace: 'team', name: 'settings' },
      spec: { resourceSelectors: [{ group: '', version: 'v1', kind: configMaps.kind, name: 'settings' }] },
    };
    await editor.create(resourcePlacements, placed as never);
    assert.equal(
      (await viewer.get(resourcePlacements, { namespace: 'team', name: 'settings' })).metadata.name,
      'settings',
    );
    await assert.rejects(viewer.delete(resourcePlacements, { namespace: 'team', name: 'settings' }), /cannot delete/);
    await assert.rejects(editor.get(clusterResourcePlacements, { name: 'bare' }), /cannot get/);
    await updatesInStages(editor, viewer);
    await Promise.all([editor.close(), viewer.close()]);
  });
});

/** The editor creates a run of its namespace and approves it; the viewer only reads. */
async function updatesInStages(editor: Client, viewer: Client): Promise<void> {
  const specs: readonly (readonly [Kind, JsonObject])[] = [
    [stagedUpdateStrategies, { stages: [{ name: 'all', labelSelector: {}, maxConcurrency: 1 }] }],
    [stagedUpdateRuns, { placementName: 'none', stagedRolloutStrategyName: 'mine', state: 'Initialize' }],
  ];
  const key = { namespace: 'team', name: 'mine' };
  for (const [kind, spec] of specs) {
    const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { ...key }, spec };
    await assert.rejects(viewer.create(kind, object), /cannot create/);
    await editor.create(kind, object);
    assert.equal((await viewer.get(kind, key)).metadata.name, 'mine');
  }
  const approval = { type: 'merge' as const, value: { status: { conditions: [] } } };
  const status = { subresource: 'status' };
  await assert.rejects(viewer.patch(approvalRequests, key, approval, status), /cannot patch/);
  await assert.rejects(editor.patch(approvalRequests, key, approval, status), /"mine" not found/);
}

/** Waits until the aggregated roles are up to date. */
async function aggregated({ isAtRest }: RunningHub): Promise<void> {
  while (!isAtRest()) await new Promise((resolve) => setImmediate(resolve));
}
