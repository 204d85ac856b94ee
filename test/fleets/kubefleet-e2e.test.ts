/**
 * examples/fleets/kubefleet-e2e.yaml is the fleet that KubeFleet's e2e suite expects. Each test is a line of what the suite
 * assumes of its hub and its members before it starts, and of what it does first.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  appliedWorks,
  clusterProfiles,
  fleetNamespace,
  hubDefinitions,
  internalMemberClusters,
  memberClusters,
  memberNamespace,
  networkingDefinitions,
  works,
  type MemberCluster,
} from '@flotilla/api';
import { connect, type Client } from '@flotilla/client';
import { parseFleetFile } from '@flotilla/fleet/file';
import {
  apiVersionOf,
  clusterRoleBindings,
  customResourceDefinitions,
  deployments,
  isNotFound,
  namespaces,
  nodes,
  parseQuantity,
  pods,
  secrets,
  serviceAccounts,
  type JsonObject,
  type Kind,
  type KubeObject,
} from '@flotilla/kube';
import { configMap, deployment, startTestFleet, type TestFleet } from '@flotilla/testkit';

const file = resolve(import.meta.dirname, '../../examples/fleets/kubefleet-e2e.yaml');
const names = ['kind-cluster-1', 'kind-cluster-2', 'kind-cluster-3'];

const core = { group: '', version: 'v1', namespaced: true } as const;
const services: Kind = { ...core, kind: 'Service', plural: 'services' };
const jobs: Kind = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true };
const statefulSets: Kind = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  namespaced: true,
};

/** As the suite creates it. */
function memberCluster(index: number): MemberCluster {
  const [region = '', env = ''] =
    [
      ['east', 'prod'],
      ['east', 'canary'],
      ['west', 'prod'],
    ][index] ?? [];
  return {
    apiVersion: apiVersionOf(memberClusters),
    kind: memberClusters.kind,
    metadata: {
      name: names[index] ?? '',
      labels: { region, env },
      annotations: { 'fleet.azure.com/cluster-resource-id': `resource-${index}` },
    },
    spec: {
      identity: { kind: 'ServiceAccount', name: `fleet-member-agent-cluster-${index + 1}`, namespace: fleetNamespace },
      heartbeatPeriodSeconds: 15,
    },
  };
}

function conditionsOf({ status }: KubeObject): Record<string, string> {
  const { conditions = [] } = (status ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return Object.fromEntries(conditions.map(({ type, status: holds }) => [type, holds]));
}

describe('the fleet of KubeFleet’s e2e suite', () => {
  let fleet: TestFleet;
  let hub: Client;
  let folder: string;
  const member = (index: number): Client => fleet.member(names[index] ?? '');

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'flotilla-e2e-'));
    const shape = parseFleetFile(readFileSync(file, 'utf8'), { name: file });
    fleet = await startTestFleet({ shape });
    ({ hub } = fleet);
  });
  after(async () => {
    await fleet.stop();
    rmSync(folder, { recursive: true });
  });

  /** The object once nothing moves any more. */
  async function settled<T extends KubeObject>(
    client: Client,
    kind: Kind<T>,
    name: string,
    namespace?: string,
  ): Promise<T> {
    await fleet.settle();
    return client.get(kind, { name, ...(namespace !== undefined && { namespace }) });
  }

  async function created(client: Client, kind: Kind, object: KubeObject): Promise<KubeObject> {
    const { name = '', namespace } = (await client.create(kind, object)).metadata;
    return settled(client, kind, name, namespace);
  }

  describe('KUBECONFIG', () => {
    test('has the contexts kind-hub and kind-cluster-1 to 3, and their users are in system:masters', async () => {
      const kubeconfig = join(folder, 'kubeconfig');
      writeFileSync(kubeconfig, fleet.running.kubeconfig);
      for (const context of ['kind-hub', ...names]) {
        const client = await connect({ kubeconfig, context, environment: {} });
        const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
        const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
        const { body } = await client.request({ method: 'POST', path, body: review });
        const { status } = JSON.parse(Buffer.from(body).toString()) as { status: { userInfo: { groups: string[] } } };
        assert.ok(status.userInfo.groups.includes('system:masters'), context);
        await client.close();
      }
    });

    test('lets its users impersonate test-user of system:authenticated, who may do nothing yet', async () => {
      for (const client of [hub, member(0), member(1), member(2)]) {
        const impersonated = client.as({ user: 'test-user', groups: ['system:authenticated'] });
        await assert.rejects(impersonated.list(namespaces), { code: 403, message: /User "test-user" cannot list/ });
      }
    });
  });

  describe('the hub before the suite', () => {
    test('has the namespace fleet-system, service accounts of the agents, and Secrets with their tokens', async () => {
      await hub.get(namespaces, { name: fleetNamespace });
      for (const index of [1, 2, 3]) {
        const name = `fleet-member-agent-cluster-${index}`;
        await hub.get(serviceAccounts, { name, namespace: fleetNamespace });
        const { data } = await hub.get(secrets, { name: `${name}-sa`, namespace: fleetNamespace });
        const token = Buffer.from(data?.['token'] ?? '', 'base64').toString();
        const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JsonObject;
        assert.equal(claims['sub'], `system:serviceaccount:${fleetNamespace}:${name}`);
      }
    });

    test('serves the 27 kinds of KubeFleet, the 7 of OCM, and those of fleet networking', async () => {
      const { items } = await hub.list(customResourceDefinitions);
      const established = items.filter((item) => conditionsOf(item)['Established'] === 'True');
      const found = new Set(established.map(({ metadata }) => metadata.name));
      const wanted = [...(await hubDefinitions()), ...(await networkingDefinitions())];
      assert.deepEqual(
        wanted.map(({ metadata }) => metadata.name).filter((name) => !found.has(name)),
        [],
      );
      assert.equal((await hubDefinitions()).length, 27 + 7);
    });

    test('has no MemberClusters', async () => {
      assert.deepEqual((await hub.list(memberClusters)).items, []);
    });

    /** Calls with a client of the user that the suite impersonates, with all rights that RBAC can give. */
    async function asTestUser(call: (user: Client) => Promise<void>): Promise<void> {
      await hub.create(clusterRoleBindings, {
        apiVersion: apiVersionOf(clusterRoleBindings),
        kind: clusterRoleBindings.kind,
        metadata: { name: 'test-user' },
        subjects: [{ kind: 'User', name: 'test-user' }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      });
      const user = await fleet.running.hub.client({ name: 'test-user', groups: ['system:authenticated'] });
      await call(user).finally(() => user.close());
      await hub.delete(clusterRoleBindings, { name: 'test-user' });
    }

    test('has a guard rail against users', () =>
      asTestUser(async (user) => {
        const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fleet-x' } };
        await assert.rejects(user.create(namespaces, namespace), {
          message: `admission webhook "fleet.namespace.guardrail.validating" denied the request: user: 'test-user' in 'groups: [system:authenticated]' is not allowed to CREATE resource /v1, Kind=Namespace/: /fleet-x`,
        });
      }));

    test('has a ValidatingAdmissionPolicy for service accounts', () =>
      asTestUser(async (user) => {
        const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a', namespace: 'kube-system' } };
        await assert.rejects(
          user.create(serviceAccounts, account),
          /ValidatingAdmissionPolicy 'deny-serviceaccounts-and-tokenrequests-in-reserved-namespaces' .* denied request: writing service accounts in reserved namespaces/,
        );
      }));
  });

  describe('the members before the suite', () => {
    test('have 2, 3 and 4 nodes with the labels of a region and of an AKS SKU', async () => {
      for (const [index, region] of ['westus', 'northeurope', 'eastasia'].entries()) {
        const { items } = await member(index).list(nodes);
        assert.equal(items.length, index + 2);
        for (const { metadata } of items) {
          assert.equal(metadata.labels?.['topology.kubernetes.io/region'], region);
          assert.match(
            metadata.labels?.['beta.kubernetes.io/instance-type'] ?? '',
            /^Standard_(B2ats_v2|B2ts_v2|D8s_v5|E16_v5|M16ms)$/,
          );
        }
      }
    });

    test('run their agents as Deployment member-agent in fleet-system', async () => {
      for (const index of [0, 1, 2]) {
        const found = await member(index).get(deployments, { name: 'member-agent', namespace: fleetNamespace });
        assert.equal(conditionsOf(found)['Available'], 'True');
        assert.equal((await member(index).list(pods, { namespace: fleetNamespace })).items.length, 1);
      }
    });
  });

  describe('the gate of the suite', () => {
    test('creates MemberClusters, whose agents join with the identity that they name', async () => {
      for (const index of names.keys()) await hub.create(memberClusters, memberCluster(index));
      await fleet.settle();
      await fleet.clock.advance(15_000);
      for (const name of names) {
        const found = await settled(hub, memberClusters, name);
        assert.equal(conditionsOf(found)['Joined'], 'True');
        const [agent] = found.status?.agentStatus ?? [];
        const conditions = agent?.conditions?.map(({ type, status: holds }) => [type, holds]);
        assert.deepEqual(
          [agent?.type, conditions],
          [
            'MemberAgent',
            [
              ['Healthy', 'True'],
              ['Joined', 'True'],
            ],
          ],
        );
      }
    });

    test('computes properties from nodes, pods and prices, and finds them reported', async () => {
      // The prices of KubeFleet's own list, for an hour.
      const prices: Record<string, number>[] = [
        { Standard_D8s_v5: 0.448, Standard_E16_v5: 1.12 },
        { Standard_D8s_v5: 0.428, Standard_B2ats_v2: 0.0102 },
        { Standard_D8s_v5: 0.528, Standard_B2ts_v2: 0.0238, Standard_M16ms: 5.569875 },
      ];
      for (const [index, name] of names.entries()) {
        const { items } = await member(index).list(nodes);
        const sum = (amounts: (string | number | undefined)[]): number =>
          amounts.reduce<number>((total, amount) => total + parseQuantity(String(amount ?? 0)).toNumber(), 0);
        const capacity = items.map(({ status }) => (status as { capacity: Record<string, string> }).capacity);
        const rate = items.reduce<number>((total, { metadata }) => {
          return total + (prices[index]?.[metadata.labels?.['beta.kubernetes.io/instance-type'] ?? ''] ?? NaN);
        }, 0);
        const { properties = {}, resourceUsage } = (await hub.get(memberClusters, { name })).status ?? {};
        assert.equal(properties['kubernetes-fleet.io/node-count']?.value, String(items.length));
        for (const [property, cost] of [
          ['per-cpu-core-cost', rate / sum(capacity.map(({ cpu }) => cpu))],
          ['per-gb-memory-cost', rate / (sum(capacity.map(({ memory }) => memory)) / 2 ** 30)],
        ] as const) {
          const reported = Number(properties[`kubernetes.azure.com/${property}`]?.value);
          assert.ok(Math.abs(reported - cost) <= 0.002, `${name} ${property}: ${reported} is not ${cost}`);
        }
        const skus = Object.groupBy(
          items,
          ({ metadata }) => metadata.labels?.['beta.kubernetes.io/instance-type'] ?? '',
        );
        for (const [sku, alike = []] of Object.entries(skus)) {
          assert.equal(properties[`kubernetes.azure.com/vm-sizes/${sku}/count`]?.value, String(alike.length));
        }
        assert.equal(sum([resourceUsage?.capacity?.['cpu']]), sum(capacity.map(({ cpu }) => cpu)));
      }
    });

    test('scores few nodes and much memory alike, as on nodes of one size', async () => {
      const perNode = new Set<number>();
      for (const name of names) {
        const { properties = {}, resourceUsage } = (await hub.get(memberClusters, { name })).status ?? {};
        const memory = parseQuantity(String(resourceUsage?.available?.['memory'])).toNumber();
        perNode.add(memory / Number(properties['kubernetes-fleet.io/node-count']?.value));
      }
      assert.equal(perNode.size, 1);
    });

    test('finds the namespaces of members among their properties', async () => {
      for (const name of names) {
        const { status } = await hub.get(memberClusters, { name });
        assert.ok(Object.hasOwn(status?.namespaces ?? {}, 'default'));
      }
    });
  });

  describe('workloads', () => {
    const template = (image: string, more: JsonObject = {}, app = 'x'): JsonObject => ({
      metadata: { labels: { app } },
      spec: { containers: [{ name: 'main', image }], ...more },
    });

    test('become ready with the images pause, nginx:1.26 and alpine, and never with others', async () => {
      for (const [name, image, isAvailable] of [
        ['pause', 'k8s.gcr.io/pause:3.8', 'True'],
        ['nginx', 'nginx:1.26.2', 'True'],
        ['alpine', 'alpine:3', 'True'],
        ['latest', 'nginx:latest', 'False'],
        ['invented', 'random-image-4711', 'False'],
      ] as const) {
        const found = await created(member(0), deployments, deployment(name, { image }));
        assert.equal(conditionsOf(found)['Available'], isAvailable, image);
      }
    });

    test('of a Job succeed', async () => {
      const spec = { template: template('alpine:3', { restartPolicy: 'Never' }) };
      const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'once', namespace: 'default' }, spec };
      assert.equal(conditionsOf(await created(member(0), jobs, job))['Complete'], 'True');
    });

    /** The ready replicas of a StatefulSet whose pods claim volumes of that class. */
    async function readyWith(storageClassName: string): Promise<number> {
      const claim = {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '1Gi' } } },
      };
      const spec = {
        replicas: 1,
        serviceName: 'db',
        selector: { matchLabels: { app: storageClassName } },
        template: template('k8s.gcr.io/pause:3.8', {}, storageClassName),
        volumeClaimTemplates: [claim],
      };
      const metadata = { name: `db-${storageClassName}`, namespace: 'default' };
      const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec };
      const { readyReplicas = 0 } = (await created(member(1), statefulSets, set)).status as { readyReplicas?: number };
      return readyReplicas;
    }

    test('with a claim of the storage class standard become ready', async () => {
      assert.equal(await readyWith('standard'), 1);
    });

    test('with a claim of another storage class never become ready', async () => {
      assert.equal(await readyWith('non-existent-sc'), 0);
    });

    test('behind a Service of type LoadBalancer never get an address', async () => {
      const spec = { type: 'LoadBalancer', ports: [{ port: 80 }], selector: { app: 'x' } };
      const metadata = { name: 'balanced', namespace: 'default' };
      const { status } = await created(member(2), services, { apiVersion: 'v1', kind: 'Service', metadata, spec });
      assert.deepEqual((status as JsonObject)['loadBalancer'], {});
    });

    test('on the hub are allowed, and become available there', async () => {
      const found = await created(hub, deployments, deployment('hub-workload', { image: 'k8s.gcr.io/pause:3.8' }));
      assert.equal(conditionsOf(found)['Available'], 'True');
    });
  });

  describe('the settings of the hub', () => {
    test('keep a ClusterProfile for each member', async () => {
      const { items } = await hub.list(clusterProfiles, { namespace: fleetNamespace });
      assert.deepEqual(
        items.map(({ metadata }) => metadata.name),
        names,
      );
    });

    test('call a member unhealthy after three minutes without a heartbeat', async () => {
      const [name = ''] = names;
      const key = { name: 'member-agent', namespace: fleetNamespace };
      await member(0).patch(deployments, key, { type: 'merge', value: { spec: { replicas: 0 } } });
      await fleet.settle();
      assert.deepEqual((await member(0).list(pods, { namespace: fleetNamespace })).items, []);
      const healthOf = async (): Promise<string> => {
        const { items } = await hub.list(clusterProfiles, { namespace: fleetNamespace });
        const profile = items.find(({ metadata }) => metadata.name === name);
        return conditionsOf(profile as KubeObject)['ControlPlaneHealthy'] ?? '';
      };
      await fleet.clock.advance(170_000);
      assert.equal(await healthOf(), 'True');
      await fleet.clock.advance(30_000);
      await fleet.settle();
      assert.notEqual(await healthOf(), 'True');
      await member(0).patch(deployments, key, { type: 'merge', value: { spec: { replicas: 1 } } });
      await fleet.settle();
      await fleet.clock.advance(15_000);
      await fleet.settle();
      assert.equal(await healthOf(), 'True');
    });

    test('remove a member that does not leave after a minute', async () => {
      const key = { name: 'member-agent', namespace: fleetNamespace };
      await member(0).patch(deployments, key, { type: 'merge', value: { spec: { replicas: 0 } } });
      await fleet.settle();
      await hub.delete(memberClusters, { name: names[0] ?? '' });
      await fleet.clock.advance(50_000);
      await hub.get(memberClusters, { name: names[0] ?? '' });
      await fleet.clock.advance(30_000);
      await fleet.settle();
      await assert.rejects(hub.get(memberClusters, { name: names[0] ?? '' }), isNotFound);
      await member(0).patch(deployments, key, { type: 'merge', value: { spec: { replicas: 1 } } });
      await fleet.settle();
      await hub.create(memberClusters, memberCluster(0));
      await fleet.settle();
      const again = await hub.get(memberClusters, { name: names[0] ?? '' });
      assert.equal(conditionsOf(again)['Joined'], 'True');
    });
  });

  describe('the end of the suite', () => {
    test('owners of applied objects cascade, and namespaces finish their deletion', async () => {
      const [name = ''] = names;
      await member(0).create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'application-1' } });
      await fleet.createWork(name, 'app', configMap('applied', {}, { namespace: 'application-1' }));
      const [applied] = (await member(0).list(appliedWorks)).items;
      assert.equal(applied?.metadata.name, 'app');
      await hub.delete(works, { name: 'app', namespace: memberNamespace(name) });
      await fleet.settle();
      assert.deepEqual((await member(0).list(appliedWorks)).items, []);
      await member(0).delete(namespaces, { name: 'application-1' });
      await fleet.settle();
      await assert.rejects(member(0).get(namespaces, { name: 'application-1' }), isNotFound);
    });

    test('members leave when their MemberClusters are deleted, and may join again', async () => {
      for (const name of names) await hub.delete(memberClusters, { name });
      await fleet.settle();
      assert.deepEqual((await hub.list(memberClusters)).items, []);
      assert.deepEqual((await hub.list(internalMemberClusters)).items, []);
      for (const index of names.keys()) await hub.create(memberClusters, memberCluster(index));
      await fleet.settle();
      const { items } = await hub.list(memberClusters);
      assert.deepEqual(
        items.map((item) => conditionsOf(item)['Joined']),
        ['True', 'True', 'True'],
      );
    });
  });
});
