/** Scheduler and kubelets on a real server in memory. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { events, isNotFound, type JsonObject } from '@flotilla/kube';
import { settle, type ManualClock } from '@flotilla/testkit';
import { defaultBehaviour, outcomeLabel, type WorkloadBehaviour } from '../behaviour/workload-behaviour.ts';
import { startSimulatedCluster } from '../cluster.testing.ts';
import { kinds, type Pod } from '../kinds.ts';
import { conditionOf } from '../pods/pod-state.ts';
import type { RunningSimulator } from '../start-simulator.ts';

const namespace = 'default';

describe('a simulated pod', () => {
  let clock: ManualClock;
  let client: Client;
  let simulator: RunningSimulator;
  let revision: () => number;
  let stop: () => Promise<void>;

  before(async () => {
    ({ clock, client, simulator, revision, stop } = await startSimulatedCluster());
  });
  after(() => stop());
  beforeEach(() => simulator.setBehaviour(defaultBehaviour));

  const atRest = () => settle(clock, simulator.isAtRest, { stepMs: 1 });
  const get = (name: string): Promise<Pod> => client.get(kinds.pod, { namespace, name });
  const behave = async (change: Partial<WorkloadBehaviour>) => {
    await simulator.setBehaviour({ ...defaultBehaviour, ...change });
    await atRest();
  };
  const create = async (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Promise<Pod> => {
    const containers = [{ name: 'web', image: 'nginx:1.26' }];
    const object = { metadata: { name, namespace, ...metadata }, spec: { containers, ...spec } };
    await client.create(kinds.pod, { apiVersion: 'v1', kind: 'Pod', ...object });
    await atRest();
    return get(name);
  };
  const labelled = (outcome: string) => ({ labels: { [outcomeLabel]: outcome } });
  const eventsOf = async (name: string): Promise<string[]> => {
    const { items } = await client.list(events, { namespace, fieldSelector: `involvedObject.name=${name}` });
    return items.map((event) => `${event['reason'] as string}: ${event['message'] as string}`);
  };

  test('runs on a node and is ready, with the status that a kubelet writes', async () => {
    const { spec, status, metadata } = await create('web', {
      containers: [{ name: 'web', image: 'nginx:1.26', resources: { requests: { cpu: '100m' } } }],
    });
    assert.match(spec?.nodeName ?? '', /^node-\d$/);
    const { conditions, containerStatuses, podIP, hostIP, startTime, ...rest } = status as JsonObject & Pod['status'];
    assert.deepEqual(
      conditions?.map(({ type, status: is, lastTransitionTime }) => `${type}=${is} ${lastTransitionTime}`),
      ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(
        (type) => `${type}=True ${startTime}`,
      ),
    );
    const [container] = containerStatuses ?? [];
    const { imageID, containerID, ...state } = container as JsonObject;
    assert.match(imageID as string, /^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/);
    assert.match(containerID as string, /^containerd:\/\/[0-9a-f]{64}$/);
    assert.deepEqual(state, {
      name: 'web',
      image: 'nginx:1.26',
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: startTime } },
      lastState: {},
      allocatedResources: { cpu: '100m' },
      resources: { requests: { cpu: '100m' } },
    });
    assert.deepEqual(rest, {
      phase: 'Running',
      qosClass: 'Burstable',
      observedGeneration: 1,
      hostIPs: [{ ip: hostIP }],
      podIPs: [{ ip: podIP }],
    });
    assert.deepEqual(await eventsOf(metadata.name ?? ''), [
      `Scheduled: Successfully assigned default/web to ${spec?.nodeName}`,
      'Pulled: Container image "nginx:1.26" already present on machine and can be accessed by the pod',
      'Created: Container created',
      'Started: Container started',
    ]);
  });

  test('costs three writes beside its events: its creation, its binding and its status', async () => {
    await behave({});
    const earlier = revision();
    const count = async () => (await client.list(events, { namespace })).items.length;
    const eventsBefore = await count();
    await create('cheap');
    assert.equal(revision() - earlier - ((await count()) - eventsBefore), 3);
  });

  test('has an address that no other pod has', async () => {
    const pods = await Promise.all(Array.from({ length: 20 }, (_, n) => create(`many-${n}`)));
    const addresses = new Set(pods.map(({ status }) => status?.podIP));
    assert.equal(addresses.size, 20);
    assert.ok(!addresses.has(undefined));
  });

  test('is gone at once when it is deleted, and frees its place', async () => {
    await create('leaving');
    await client.delete(kinds.pod, { namespace, name: 'leaving' });
    await atRest();
    await assert.rejects(get('leaving'), isNotFound);
    assert.ok((await eventsOf('leaving')).includes('Killing: Stopping container web'));
  });

  test('reports its end before it goes, if a finalizer keeps it', async () => {
    await create('kept', {}, { finalizers: ['example.com/keep'] });
    await client.delete(kinds.pod, { namespace, name: 'kept' });
    await atRest();
    const { status, metadata } = await get('kept');
    assert.equal(status?.phase, 'Failed');
    assert.equal(status.containerStatuses?.[0]?.state?.terminated?.exitCode, 143);
    assert.equal((metadata as JsonObject)['deletionGracePeriodSeconds'], 0);
    const value = { metadata: { finalizers: null } };
    await client.patch(kinds.pod, { namespace, name: 'kept' }, { type: 'merge', value });
    await assert.rejects(get('kept'), isNotFound);
  });

  test('waits for an image that does not exist, and starts once it exists', async () => {
    const first = await create('missing', { containers: [{ name: 'web', image: 'random-image-name' }] });
    assert.equal(first.status?.phase, 'Pending');
    assert.equal(first.status.containerStatuses?.[0]?.state?.waiting?.reason, 'ErrImagePull');
    await clock.advance(10_000);
    await atRest();
    const later = await get('missing');
    const [waiting] = later.status?.containerStatuses ?? [];
    assert.match(waiting?.state?.waiting?.message ?? '', /^Back-off pulling image "random-image-name": ErrImagePull: /);
    await behave({ rules: [] });
    assert.equal(conditionOf(await get('missing'), 'Ready')?.status, 'True');
  });

  test('restarts with a back-off that doubles while it crashes, and recovers', async () => {
    const restarts = async () => (await get('crashing')).status?.containerStatuses?.[0]?.restartCount;
    const { metadata, status } = await create('crashing', {}, labelled('crash'));
    assert.equal(status?.phase, 'Running');
    const text = `container=web pod=crashing_default(${metadata.uid})`;
    assert.deepEqual(status.containerStatuses?.[0]?.state?.waiting, {
      reason: 'CrashLoopBackOff',
      message: `back-off 10s restarting failed ${text}`,
    });
    assert.deepEqual(
      conditionOf({ ...(await get('crashing')) }, 'Ready')?.message,
      'containers with unready status: [web]',
    );
    for (const [seconds, count] of [
      [10, 2],
      [20, 3],
      [40, 4],
    ] as const) {
      await clock.advance(seconds * 1000 - 1000);
      await atRest();
      assert.equal(await restarts(), count - 1);
      await clock.advance(1000);
      await atRest();
      assert.equal(await restarts(), count);
    }
    await client.patch(
      kinds.pod,
      { namespace, name: 'crashing' },
      { type: 'merge', value: { metadata: labelled('ready') } },
    );
    await atRest();
    assert.equal(conditionOf(await get('crashing'), 'Ready')?.status, 'True');
    assert.equal(await restarts(), 5);
  });

  test('ends with its containers, if its policy does not restart them', async () => {
    const phase = async (name: string, restartPolicy: string, outcome: string) =>
      (await create(name, { restartPolicy }, labelled(outcome))).status?.phase;
    assert.equal(await phase('good', 'Never', 'succeed'), 'Succeeded');
    assert.equal(await phase('bad', 'Never', 'fail'), 'Failed');
    assert.equal(await phase('again', 'OnFailure', 'fail'), 'Running');
    assert.equal(await phase('once', 'OnFailure', 'succeed'), 'Succeeded');
    const exit = (await get('bad')).status?.containerStatuses?.[0]?.state?.terminated?.exitCode;
    assert.equal(exit, 1);
  });

  test('runs its init containers first', async () => {
    const containers = [{ name: 'web', image: 'nginx' }];
    const initContainers = [
      { name: 'prepare', image: 'busybox' },
      { name: 'proxy', image: 'envoy', restartPolicy: 'Always' },
    ];
    const { status } = await create('prepared', { containers, initContainers });
    assert.deepEqual(
      status?.initContainerStatuses?.map(({ name, ready, state }) => [name, ready, Object.keys(state ?? {})[0]]),
      [
        ['prepare', true, 'terminated'],
        ['proxy', true, 'running'],
      ],
    );
    assert.equal(status?.phase, 'Running');
    const stuck = await create('unprepared', {
      containers,
      initContainers: [{ name: 'prepare', image: 'random-image-name' }],
    });
    assert.equal(stuck.status?.phase, 'Pending');
    assert.equal(stuck.status.containerStatuses?.[0]?.state?.waiting?.reason, 'PodInitializing');
    assert.equal(conditionOf(stuck, 'Initialized')?.message, 'containers with incomplete status: [prepare]');
  });

  test('takes its time', async () => {
    const delays = {
      schedulingMs: 0,
      pullingMs: 2000,
      startingMs: 1000,
      readinessMs: 3000,
      runningMs: 0,
      terminationMs: 4000,
      jitter: 0,
    };
    await behave({ delays });
    const phases = [];
    await create('slow');
    for (let second = 0; second < 7; second++) {
      const pod = await get('slow');
      phases.push(
        `${pod.status?.phase} ${conditionOf(pod, 'Ready')?.status} ${pod.status?.podIP ? 'address' : ''}`.trim(),
      );
      await clock.advance(1000);
      await atRest();
    }
    assert.deepEqual(phases, [
      ...Array.from({ length: 3 }, () => 'Pending False'),
      ...Array.from({ length: 3 }, () => 'Running False address'),
      'Running True address',
    ]);
    assert.ok((await eventsOf('slow')).includes('Pulling: Pulling image "nginx:1.26"'));
    await client.delete(kinds.pod, { namespace, name: 'slow' });
    await clock.advance(3000);
    await atRest();
    await get('slow');
    await clock.advance(2000);
    await atRest();
    await assert.rejects(get('slow'), isNotFound);
  });

  test('turns unready when the behaviour changes, and ready again', async () => {
    await create('steady');
    await behave({ rules: [{ outcome: 'never' }] });
    assert.equal(conditionOf(await get('steady'), 'Ready')?.reason, 'ContainersNotReady');
    await behave({});
    assert.equal(conditionOf(await get('steady'), 'Ready')?.status, 'True');
  });

  test('fails when its deadline is over', async () => {
    await create('late', { activeDeadlineSeconds: 30 });
    await clock.advance(31_000);
    await atRest();
    const { status } = await get('late');
    assert.deepEqual([status?.phase, status?.reason], ['Failed', 'DeadlineExceeded']);
  });

  test('leaves a node with a NoExecute taint, after the time that it tolerates', async () => {
    const taint = { key: 'broken', value: 'yes', effect: 'NoExecute' };
    const onFirst = { nodeSelector: { 'kubernetes.io/hostname': 'node-1' } };
    const tolerations = (seconds?: number) => [
      { key: 'broken', operator: 'Exists', effect: 'NoExecute', ...(seconds && { tolerationSeconds: seconds }) },
    ];
    await create('strict', onFirst);
    await create('patient', { ...onFirst, tolerations: tolerations(60) });
    await create('tolerant', { ...onFirst, tolerations: tolerations() });
    const taints = (value: JsonObject[] | null) =>
      client.patch(kinds.node, { name: 'node-1' }, { type: 'merge', value: { spec: { taints: value } } });
    await taints([taint]);
    await atRest();
    await assert.rejects(get('strict'), isNotFound);
    assert.ok((await eventsOf('strict')).includes('TaintManagerEviction: Marking for deletion Pod default/strict'));
    await clock.advance(59_000);
    await atRest();
    await get('patient');
    await clock.advance(2000);
    await atRest();
    await assert.rejects(get('patient'), isNotFound);
    await clock.advance(3_600_000);
    await atRest();
    await get('tolerant');
    await taints(null);
    await atRest();
  });

  test('waits for its claims, and has its node before volumes that are made there', async () => {
    await behave({ storageClasses: ['standard', 'local'] });
    const storageClass = (name: string, volumeBindingMode: string) =>
      client.create(kinds.storageClass, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name },
        provisioner: 'simulator.flotilla.dev',
        volumeBindingMode,
      });
    await storageClass('unknown', 'Immediate');
    await storageClass('local', 'WaitForFirstConsumer');
    const claim = async (name: string, storageClassName: string) => {
      const spec = { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
      const metadata = { name, namespace };
      await client.create(kinds.volumeClaim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec });
    };
    const using = (claimName: string) => ({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] });
    const unhelpful = 'preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';
    const message = async (name: string) => conditionOf(await get(name), 'PodScheduled')?.message;
    await create('early', using('later'));
    assert.equal(
      await message('early'),
      `0/3 nodes are available: persistentvolumeclaim "later" not found. ${unhelpful}`,
    );
    await claim('later', 'local');
    await atRest();
    const { spec } = await get('early');
    assert.equal(conditionOf(await get('early'), 'Ready')?.status, 'True');
    const bound = await client.get(kinds.volumeClaim, { namespace, name: 'later' });
    assert.equal(bound.metadata.annotations?.['volume.kubernetes.io/selected-node'], spec?.nodeName);
    await claim('never', 'unknown');
    await create('stuck', using('never'));
    const immediate = 'pod has unbound immediate PersistentVolumeClaims';
    assert.equal(await message('stuck'), `0/3 nodes are available: ${immediate}. ${unhelpful}`);
  });

  test('is refused by the node that its user chose, if it does not fit there', async () => {
    const nodeName = 'node-2';
    const ports = [{ containerPort: 80, hostPort: 8080 }];
    const listening = { nodeName, containers: [{ name: 'web', image: 'nginx', ports }] };
    assert.equal((await create('first', listening)).status?.phase, 'Running');
    const { status } = await create('second', listening);
    const free = "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports";
    assert.deepEqual([status?.phase, status?.reason], ['Failed', 'NodePorts']);
    assert.equal(status?.message, `Pod was rejected: ${free}`);
    assert.deepEqual(await eventsOf('second'), [`NodePorts: ${free}`]);
    const resources = { requests: { cpu: '8' } };
    const large = await create('large', { nodeName, containers: [{ name: 'web', image: 'nginx', resources }] });
    assert.equal(large.status?.reason, 'OutOfcpu');
  });
});
