import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { clusterResourcePlacements, memberClusters, works, type Placement, type Work } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  attachHub,
  checkSettingsOf,
  defaultPolicySettings,
  startServer,
  startWebhooks,
  untilReadyToJoin,
  type AttachedHub,
  type RunningServer,
  type RunningWebhooks,
} from '@flotilla/fleet';
import {
  administrator,
  ApiError,
  apiVersionOf,
  clusterRoleBindings,
  configMaps,
  customResourceDefinitions,
  deployments,
  namespaces,
  serviceAccounts,
  silentLogger,
  type Kind,
  type KubeObject,
} from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import { listenForReviews } from './webhook-server.ts';

const replicaSets: Kind = { ...deployments, kind: 'ReplicaSet', plural: 'replicasets' };

/** The API server has none of the fleet's plugins: it knows the hub by its webhooks only. */
describe('a hub on another Kubernetes', () => {
  let server: RunningServer;
  let owner: Client;
  let member: Client;
  let user: Client;
  let hub: AttachedHub;
  let webhooks: RunningWebhooks;
  let work: Work;

  before(async () => {
    server = await startServer({ memory: true, port: 0 });
    [owner, member, user] = await Promise.all([
      server.clientAs(administrator),
      server.clientAs({ name: 'sea', groups: ['system:authenticated'] }, 'flotilla-agent'),
      server.clientAs({ name: 'anna', groups: ['system:authenticated'] }),
    ]);
    await owner.create(clusterRoleBindings, {
      apiVersion: apiVersionOf(clusterRoleBindings),
      kind: 'ClusterRoleBinding',
      metadata: { name: 'users' },
      subjects: [
        { kind: 'User', name: 'anna' },
        { kind: 'Group', name: 'users' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    });
    let port = 0;
    webhooks = await startWebhooks({
      client: owner,
      clock: systemClock,
      logger: silentLogger,
      checks: checkSettingsOf({ guardRail: { whitelistedUsers: ['olga'], deniesLabelChanges: false } }),
      address: {
        get url() {
          return `https://127.0.0.1:${port}`;
        },
      },
      listen: async (certificate, answer) => {
        const listener = await listenForReviews('127.0.0.1:0', certificate, answer);
        ({ port } = listener);
        return listener;
      },
    });
    hub = attachHub({
      client: owner,
      settings: { admissionPolicies: { serviceAccounts: defaultPolicySettings.serviceAccounts } },
    });
    await hub.started;
    await owner.create(memberClusters, {
      apiVersion: apiVersionOf(memberClusters),
      kind: 'MemberCluster',
      metadata: { name: 'sea' },
      spec: {
        identity: { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'sea' },
        heartbeatPeriodSeconds: 60,
      },
    });
    await untilReadyToJoin(owner, 'sea');
    work = await owner.create(works, {
      apiVersion: apiVersionOf(works),
      kind: 'Work',
      metadata: { name: 'shop', namespace: 'fleet-member-sea' },
      spec: { workload: { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }] } },
    });
  });
  after(async () => {
    await hub.stop();
    await webhooks.stop();
    await Promise.all([owner.close(), member.close(), user.close()]);
    await server.stop();
  });

  async function refusal(attempt: Promise<unknown>): Promise<string> {
    const error = await attempt.then(
      () => assert.fail('accepted'),
      (reason: unknown) => reason,
    );
    return error instanceof ApiError ? `${error.code} ${error.message}` : assert.fail(String(error));
  }

  function withoutManifests({ metadata, ...rest }: Work): Work {
    return { ...rest, metadata, spec: { workload: { manifests: [] } } };
  }

  function createPlacement(name: string, kind: string): Promise<Placement> {
    const placement = {
      apiVersion: apiVersionOf(clusterResourcePlacements),
      kind: clusterResourcePlacements.kind,
      metadata: { name },
      spec: { resourceSelectors: [{ group: '', version: 'v1', kind, name: 'x' }] },
    };
    return owner.create(clusterResourcePlacements, placement as Placement);
  }

  test('guards Works against their member, and lets the member have its finalizer', async () => {
    assert.match(
      await refusal(member.update(works, withoutManifests(work))),
      /^403 admission webhook "fleet\.members\.works" denied the request: a member may .* this would change spec$/,
    );
    const finalizers = ['kubernetes-fleet.io/work-cleanup'];
    work = await member.update(works, { ...work, metadata: { ...work.metadata, finalizers } });
    assert.deepEqual(work.metadata.finalizers, finalizers);
  });

  test('keeps the entries of other field managers', async () => {
    const managedFields = (work.metadata.managedFields ?? []).map((entry) => ({ ...entry, manager: 'thief' }));
    const { metadata } = await member.update(works, { ...work, metadata: { ...work.metadata, managedFields } });
    const owners = metadata.managedFields?.filter(({ fieldsV1 }) => fieldsV1?.['f:spec'] !== undefined);
    assert.deepEqual(
      owners?.map(({ manager }) => manager),
      ['flotilla'],
    );
  });

  test('completes placements, and refuses those that it cannot place', async () => {
    const { spec } = await createPlacement('good', 'Namespace');
    assert.equal(spec.policy?.placementType, 'PickAll');
    assert.match(
      await refusal(createPlacement('bad', 'Banana')),
      /^403 admission webhook "fleet\.clusterresourceplacementv1beta1\.validating" denied the request: .*Banana/,
    );
  });

  function configMapOf(name: string, namespace: string): KubeObject {
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } };
  }

  function replicaSetIn(namespace: string): KubeObject {
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } };
    const spec = { selector: { matchLabels: { app: 'a' } }, template };
    return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'a', namespace }, spec };
  }

  test('guards what belongs to the fleet and to Kubernetes, except against trusted users', async () => {
    assert.equal(
      await refusal(user.create(configMaps, configMapOf('a', 'kube-system'))),
      `403 admission webhook "fleet.kubenamespacedresources.guardrail.validating" denied the request: user: 'anna' in 'groups: [system:authenticated]' is not allowed to CREATE resource /v1, Kind=ConfigMap/: kube-system/a`,
    );
    assert.match(
      await refusal(user.delete(customResourceDefinitions, { name: 'works.placement.kubernetes-fleet.io' })),
      /^403 admission webhook "fleet\.customresourcedefinition\.guardrail\.validating" .* not allowed to DELETE resource/,
    );
    const trusted = await server.clientAs({ name: 'olga', groups: ['system:authenticated', 'users'] });
    await trusted.create(configMaps, configMapOf('a', 'kube-system'));
    await trusted.close();
    await user.create(configMaps, configMapOf('a', 'default'));
    assert.match(
      await refusal(owner.create(replicaSets, replicaSetIn('default'))),
      /^403 .* ReplicaSet default\/a creation is disallowed in the fleet hub cluster\.$/,
    );
    await owner.create(replicaSets, replicaSetIn('fleet-system'));
  });

  test('has policies against users', async () => {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a', namespace: 'fleet-x' } };
    await owner.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fleet-x' } });
    assert.match(
      await refusal(user.create(serviceAccounts, account)),
      /^403 .* ValidatingAdmissionPolicy 'deny-serviceaccounts-and-tokenrequests-in-reserved-namespaces' .* disallowed$/,
    );
  });

  test('that is stopped lets users pass the guard rail, but not run workloads', async () => {
    await webhooks.stop();
    await user.create(configMaps, configMapOf('b', 'kube-system'));
    assert.match(
      await refusal(owner.create(replicaSets, replicaSetIn('default'))),
      /^500 Internal error occurred: failed calling webhook "fleet\.replicaset\.validating": /,
    );
  });

  test('that is stopped stops members, and neither administrators nor changes of metadata', async () => {
    work = await owner.get(works, { namespace: 'fleet-member-sea', name: 'shop' });
    assert.match(
      await refusal(member.update(works, withoutManifests(work))),
      /^500 Internal error occurred: failed calling webhook "fleet\.members\.owners": /,
    );
    const labels = { type: 'merge', value: { metadata: { labels: { a: 'b' } } } } as const;
    await owner.patch(works, { namespace: 'fleet-member-sea', name: 'shop' }, labels);
    await owner.patch(clusterResourcePlacements, { name: 'good' }, labels);
  });
});
