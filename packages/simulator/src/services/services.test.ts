/** Services on a real server in memory; the test acts as scheduler and kubelet. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { apiVersionOf, controllerManager, type JsonObject, type Kind, type KubeObject } from '@flotilla/kube';
import { ManualClock, settle, startTestServer } from '@flotilla/testkit';
import { defaultBehaviour } from '../behaviour/workload-behaviour.ts';
import { kinds, type Pod } from '../kinds.ts';
import { networkKinds, type Endpoints, type EndpointSlice } from '../network-kinds.ts';
import { startSimulator, type RunningSimulator } from '../start-simulator.ts';

describe('the endpoints of a Service', () => {
  const clock = new ManualClock();
  const namespace = 'default';
  let client: Client;
  let simulator: RunningSimulator;
  let revision: () => number;
  let stop: () => Promise<void>;

  before(async () => {
    const server = await startTestServer({ clock });
    client = server.connect({ user: controllerManager });
    simulator = await startSimulator({ client, clock, random: () => 0.5, runsPods: false });
    revision = () => server.store.revision;
    const labels = { 'topology.kubernetes.io/zone': 'north' };
    await client.create(kinds.node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels } });
    stop = async () => {
      await simulator.stop();
      await server.stop();
    };
  });
  after(() => stop());

  const atRest = () => settle(clock, simulator.isAtRest, { stepMs: 1 });

  async function create(kind: Kind, name: string, content: JsonObject, labels = {}): Promise<KubeObject> {
    const metadata = { name, namespace, labels };
    const created = await client.create(kind, {
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata,
      ...content,
    });
    await atRest();
    return created;
  }

  /** A running pod on the node. */
  async function run(
    name: string,
    app: string,
    ip: string,
    isReady = true,
    spec: JsonObject = {},
  ): Promise<KubeObject> {
    const ports = [{ name: 'web', containerPort: 8080 }];
    const containers = [{ name: 'c', image: 'nginx', ports }];
    const pod = await create(kinds.pod, name, { spec: { nodeName: 'n1', containers, ...spec } }, { app });
    await setReady(name, isReady, ip);
    return pod;
  }

  async function setReady(name: string, isReady: boolean, ip: string): Promise<void> {
    const pod = await client.get(kinds.pod, { name, namespace });
    const at = new Date(clock.now()).toISOString().replace(/\.\d+Z/, 'Z');
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: at }];
    const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions } as NonNullable<Pod['status']>;
    await client.update(kinds.pod, { ...pod, status }, { subresource: 'status' });
    await atRest();
  }

  const slicesOf = async (service: string): Promise<readonly EndpointSlice[]> => {
    const labelSelector = `kubernetes.io/service-name=${service}`;
    return (await client.list(networkKinds.endpointSlice, { namespace, labelSelector })).items;
  };
  const onlySlice = async (service: string): Promise<EndpointSlice> => {
    const slices = await slicesOf(service);
    assert.equal(slices.length, 1);
    return slices[0] as EndpointSlice;
  };
  const endpointsOf = async (service: string): Promise<Endpoints> =>
    client.get(networkKinds.endpoints, { name: service, namespace });
  /** `address ready serving terminating` */
  const states = ({ endpoints }: EndpointSlice): string[] =>
    (endpoints ?? []).map(({ addresses, conditions: { ready, serving, terminating } = {} }) =>
      [...addresses, ready, serving, terminating].join(' '),
    );

  test('are empty while it has no pods', async () => {
    const spec = { selector: { app: 'empty' }, ports: [{ port: 80 }] };
    const { metadata } = await create(networkKinds.service, 'empty', { spec }, { team: 'a' });
    const { metadata: slice, addressType, endpoints, ports } = await onlySlice('empty');
    assert.match(slice.name ?? '', /^empty-[bcdfghjklmnpqrstvwxz2-9]{5}$/);
    assert.equal(slice.generateName, 'empty-');
    assert.deepEqual(slice.labels, {
      team: 'a',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      'kubernetes.io/service-name': 'empty',
    });
    const trigger = { 'endpoints.kubernetes.io/last-change-trigger-time': metadata.creationTimestamp };
    assert.deepEqual(slice.annotations, trigger);
    assert.deepEqual(
      slice.ownerReferences?.map(({ kind, name, uid }) => [kind, name, uid]),
      [['Service', 'empty', metadata.uid]],
    );
    assert.deepEqual([addressType, endpoints, ports], ['IPv4', null, null]);
    const { metadata: legacy, subsets } = await endpointsOf('empty');
    assert.deepEqual(legacy.labels, { team: 'a', 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' });
    assert.deepEqual(legacy.annotations, trigger);
    assert.equal(subsets, undefined);
  });

  test('follow its pods', async () => {
    const spec = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'web' }] };
    await create(networkKinds.service, 'web', { spec });
    await clock.advance(5000);
    const { metadata } = await run('web-1', 'web', '10.1.0.1');
    const slice = await onlySlice('web');
    const targetRef = { kind: 'Pod', name: 'web-1', namespace, uid: metadata.uid };
    const conditions = { ready: true, serving: true, terminating: false };
    assert.deepEqual(slice.endpoints, [
      { addresses: ['10.1.0.1'], conditions, nodeName: 'n1', targetRef, zone: 'north' },
    ]);
    assert.deepEqual(slice.ports, [{ name: '', port: 8080, protocol: 'TCP' }]);
    assert.deepEqual((await endpointsOf('web')).subsets, [
      { addresses: [{ ip: '10.1.0.1', nodeName: 'n1', targetRef }], ports: [{ port: 8080, protocol: 'TCP' }] },
    ]);
    const trigger = slice.metadata.annotations?.['endpoints.kubernetes.io/last-change-trigger-time'];
    assert.equal(Date.parse(trigger ?? ''), Math.floor(clock.now() / 1000) * 1000);

    await run('web-2', 'web', '10.1.0.2', false);
    await setReady('web-1', false, '10.1.0.1');
    await setReady('web-2', true, '10.1.0.2');
    assert.deepEqual(states(await onlySlice('web')), ['10.1.0.1 false false false', '10.1.0.2 true true false']);
    const [subset] = (await endpointsOf('web')).subsets ?? [];
    assert.deepEqual(
      subset?.addresses?.map(({ ip }) => ip),
      ['10.1.0.2'],
    );
    assert.deepEqual(
      subset?.notReadyAddresses?.map(({ ip }) => ip),
      ['10.1.0.1'],
    );

    await client.delete(kinds.pod, { name: 'web-2', namespace });
    await atRest();
    assert.deepEqual(states(await onlySlice('web')), ['10.1.0.1 false false false', '10.1.0.2 false true true']);
    assert.deepEqual((await endpointsOf('web')).subsets?.[0]?.addresses, undefined);

    for (const name of ['web-1', 'web-2'])
      await client.delete(kinds.pod, { name, namespace }, { gracePeriodSeconds: 0 });
    await atRest();
    const last = await onlySlice('web');
    assert.deepEqual([last.endpoints, last.ports, last.metadata.name], [null, null, slice.metadata.name]);
    assert.equal((await endpointsOf('web')).subsets, undefined);
  });

  test('of a headless Service without ports have hostnames, and pods that are not ready if it wants them', async () => {
    const clusterIP = { clusterIP: 'None' };
    await create(networkKinds.service, 'db', {
      spec: { selector: { app: 'db' }, ...clusterIP, publishNotReadyAddresses: true },
    });
    await run('db-0', 'db', '10.2.0.1', false, { hostname: 'db-0', subdomain: 'db' });
    const slice = await onlySlice('db');
    assert.equal(slice.metadata.labels?.['service.kubernetes.io/headless'], '');
    assert.deepEqual(states(slice), ['10.2.0.1 true false false']);
    assert.deepEqual([slice.endpoints?.[0]?.hostname, slice.ports], ['db-0', null]);
    const { metadata, subsets } = await endpointsOf('db');
    assert.equal(metadata.labels?.['service.kubernetes.io/headless'], '');
    assert.equal(subsets?.[0]?.addresses?.[0]?.hostname, 'db-0');
  });

  test('leave out pods on nodes that do not exist, until the node is there', async () => {
    await create(networkKinds.service, 'lost', { spec: { selector: { app: 'lost' }, ports: [{ port: 80 }] } });
    await run('lost-1', 'lost', '10.3.0.1', true, { nodeName: 'n2' });
    assert.equal((await onlySlice('lost')).endpoints, null);
    await client.create(kinds.node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n2' } });
    await atRest();
    assert.deepEqual(states(await onlySlice('lost')), ['10.3.0.1 true true false']);
  });

  test('are written once for a change, and not at rest', async () => {
    await create(networkKinds.service, 'calm', { spec: { selector: { app: 'calm' }, ports: [{ port: 80 }] } });
    await run('calm-1', 'calm', '10.4.0.1');
    const start = revision();
    await setReady('calm-1', false, '10.4.0.1');
    // The pod, the slice and the Endpoints.
    assert.equal(revision() - start, 3);
    await client.patch(
      kinds.pod,
      { name: 'calm-1', namespace },
      { type: 'merge', value: { metadata: { annotations: { a: 'b' } } } },
    );
    await atRest();
    assert.equal(revision() - start, 4);
  });

  test('that a user deletes or changes are restored', async () => {
    await create(networkKinds.service, 'safe', { spec: { selector: { app: 'safe' }, ports: [{ port: 80 }] } });
    await run('safe-1', 'safe', '10.5.0.1');
    const slice = await onlySlice('safe');
    await client.update(networkKinds.endpointSlice, { ...slice, endpoints: [] });
    await atRest();
    assert.deepEqual(states(await onlySlice('safe')), ['10.5.0.1 true true false']);
    await client.delete(networkKinds.endpointSlice, { name: slice.metadata.name ?? '', namespace });
    await client.delete(networkKinds.endpoints, { name: 'safe', namespace });
    await atRest();
    assert.deepEqual(states(await onlySlice('safe')), ['10.5.0.1 true true false']);
    assert.equal((await endpointsOf('safe')).subsets?.length, 1);
  });

  test('without a selector are mirrored from the Endpoints that a user writes', async () => {
    await create(networkKinds.service, 'outside', { spec: { ports: [{ port: 80 }] } });
    const addresses = [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }];
    const ports = [{ port: 80, protocol: 'TCP' }];
    await create(networkKinds.endpoints, 'outside', { subsets: [{ addresses, ports }] }, { team: 'b' });
    const slices = await slicesOf('outside');
    const mirrored = slices.map(
      ({ addressType, endpoints }) => `${addressType} ${endpoints?.[0]?.addresses.join(' ')}`,
    );
    assert.deepEqual(mirrored.sort(), ['IPv4 192.0.2.1', 'IPv6 2001:db8::1']);
    assert.deepEqual(slices[0]?.endpoints?.[0]?.conditions, { ready: true });
    assert.deepEqual(slices[0]?.metadata.labels, {
      team: 'b',
      'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
      'kubernetes.io/service-name': 'outside',
    });
    assert.equal(slices[0]?.metadata.ownerReferences?.[0]?.kind, 'Endpoints');

    const subsets = [{ notReadyAddresses: [{ ip: '192.0.2.1' }], ports }];
    await client.patch(networkKinds.endpoints, { name: 'outside', namespace }, { type: 'merge', value: { subsets } });
    await atRest();
    const { endpoints } = await onlySlice('outside');
    assert.deepEqual(endpoints, [{ addresses: ['192.0.2.1'], conditions: { ready: false } }]);

    const skip = { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } };
    await client.patch(networkKinds.endpoints, { name: 'outside', namespace }, { type: 'merge', value: skip });
    await atRest();
    assert.deepEqual(await slicesOf('outside'), []);
  });
});

describe('load balancers', () => {
  for (const loadBalancers of [true, false]) {
    test(`give Services and Ingresses an address only if they are on: ${loadBalancers}`, async () => {
      const clock = new ManualClock();
      const behaviour = { ...defaultBehaviour, loadBalancers };
      const server = await startTestServer({ clock });
      const client = server.connect({ user: controllerManager });
      const simulator = await startSimulator({ client, clock, random: () => 0.5, behaviour });
      const metadata = { name: 'web', namespace: 'default' };
      const backend = { service: { name: 'web', port: { number: 80 } } };
      await client.create(networkKinds.service, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata,
        spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
      });
      await client.create(networkKinds.ingress, {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata,
        spec: { ingressClassName: 'nginx', defaultBackend: backend } as JsonObject,
      });
      await settle(clock, simulator.isAtRest, { stepMs: 1 });
      for (const kind of [networkKinds.service, networkKinds.ingress] as Kind[]) {
        const { status } = await client.get(kind, metadata);
        const addresses = (status as { loadBalancer?: { ingress?: { ip: string }[] } }).loadBalancer?.ingress ?? [];
        assert.equal(addresses.length, loadBalancers ? 1 : 0);
        for (const { ip } of addresses) assert.match(ip, /^198\.1[89]\.\d+\.\d+$/);
      }
      await simulator.stop();
      await server.stop();
    });
  }
});
