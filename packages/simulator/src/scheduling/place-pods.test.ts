/** Where pods are placed, and kube-scheduler's sentences if they are not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import type { Node, Pod, PodSpec, Taint } from '../kinds.ts';
import { demandOf } from './demand.ts';
import { loadedNode, NodeLoad } from './node-load.ts';
import { repels } from './pod-affinity.ts';
import { placePods } from './place-pods.ts';

interface NodeOptions {
  readonly zone?: string;
  readonly taints?: Taint[];
  readonly unschedulable?: boolean;
  readonly allocatable?: Record<string, string>;
}

function node(name: string, { zone = 'a', taints = [], unschedulable = false, allocatable }: NodeOptions = {}): Node {
  const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone };
  const spec = { taints, unschedulable };
  const status = { allocatable: { cpu: '4', memory: '16Gi', pods: '10', ...allocatable } };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec, status };
}

function pod(name: string, spec: PodSpec = {}, labels: Record<string, string> = { app: 'web' }): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', uid: name, labels }, spec };
}

function requesting(requests: Record<string, string>): PodSpec {
  return { containers: [{ name: 'web', resources: { requests } }] };
}

/** `name@node`, or the sentence. */
function place(nodes: readonly Node[], pods: readonly Pod[], existing: readonly Pod[] = []): string[] {
  const podsOn = (name: string) => existing.filter(({ spec }) => spec?.nodeName === name);
  const loaded = nodes.map((one) => {
    const load = new NodeLoad();
    for (const other of podsOn(one.metadata.name ?? '')) load.add(demandOf(other));
    return loadedNode(one, load);
  });
  const repelling = existing.filter(repels).map((other) => ({ pod: other, node: other.spec?.nodeName ?? '' }));
  const pending = pods.map((one) => ({ pod: one, demand: demandOf(one) }));
  return placePods(pending, { nodes: loaded, podsOn, repelling }).map((placement) =>
    'node' in placement ? `${placement.pending.pod.metadata.name}@${placement.node}` : placement.message,
  );
}

const away = (topologyKey: string): JsonObject => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app: 'web' } } }],
  },
});
const near = (topologyKey: string, app: string): JsonObject => ({
  podAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app } } }],
  },
});
const host = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';

describe('a pod is placed', () => {
  test('where it fits, on the emptiest node', () => {
    const half = requesting({ cpu: '2' });
    const placed = place(
      [node('a'), node('b')],
      ['1', '2', '3', '4', '5'].map((name) => pod(name, half)),
    );
    const none = 'preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.';
    assert.deepEqual(placed, ['1@a', '2@b', '3@a', '4@b', `0/2 nodes are available: 2 Insufficient cpu. ${none}`]);
  });

  test('by the sum of its containers and sidecars, or its largest init container, and its overhead', () => {
    const spec: PodSpec = {
      containers: [{ name: 'a', resources: { requests: { cpu: '500m' } } }],
      initContainers: [
        { name: 'side', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } },
        { name: 'init', resources: { requests: { cpu: '2', memory: '1Gi' } } },
      ],
      overhead: { cpu: '250m' },
    };
    assert.deepEqual(Object.fromEntries(demandOf(pod('x', spec)).requests), { cpu: 3250, memory: 2 ** 30 });
  });

  test('not on nodes that are full, cordoned, tainted or not selected, and the sentence counts each reason', () => {
    const nodes = [
      node('cordoned', { unschedulable: true }),
      node('full', { allocatable: { pods: '0' } }),
      node('gpu', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
      node('large', { allocatable: { cpu: '1' } }),
      node('other', { zone: 'b' }),
    ];
    const spec: PodSpec = { ...requesting({ cpu: '3', 'example.com/fpga': '1' }), nodeSelector: { [zone]: 'a' } };
    assert.deepEqual(place(nodes, [pod('x', spec)]), [
      "0/5 nodes are available: 1 Insufficient cpu, 1 Too many pods, 1 node(s) didn't match Pod's node affinity/selector, " +
        '1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 2 Insufficient example.com/fpga. ' +
        'preemption: 0/5 nodes are available: 5 Preemption is not helpful for scheduling.',
    ]);
    assert.deepEqual(place([], [pod('x')]), ['no nodes available to schedule pods']);
    const tolerations = [{ key: 'gpu', operator: 'Exists' }];
    assert.deepEqual(place(nodes.slice(2, 3), [pod('x', { tolerations })]), ['x@gpu']);
  });

  test('where its host port is free', () => {
    const spec: PodSpec = { containers: [{ name: 'web', ports: [{ hostPort: 80, protocol: 'TCP' }] }] };
    const [first, second, third] = place([node('a'), node('b')], [pod('1', spec), pod('2', spec), pod('3', spec)]);
    assert.deepEqual([first, second], ['1@a', '2@b']);
    assert.match(
      third ?? '',
      /^0\/2 nodes are available: 2 node\(s\) didn't have free ports for the requested pod ports\./,
    );
  });

  test('away from pods that it repels, and from pods that repel it', () => {
    const nodes = [node('a'), node('b'), node('c', { zone: 'b' })];
    const spec: PodSpec = { affinity: away(host) };
    assert.deepEqual(
      place(
        nodes,
        ['1', '2', '3'].map((name) => pod(name, spec)),
      ),
      ['1@a', '2@b', '3@c'],
    );
    const existing = [pod('old', { ...spec, nodeName: 'a', affinity: away(zone) })];
    assert.deepEqual(place(nodes, [pod('new')], existing), ['new@c']);
    assert.match(
      place(nodes.slice(0, 2), [pod('new')], existing)[0] ?? '',
      /2 node\(s\) didn't satisfy existing pods anti-affinity rules\. preemption: .* 2 No preemption victims/,
    );
    assert.deepEqual(place(nodes.slice(0, 2), [pod('new', {}, { app: 'else' })], existing), ['new@b']);
  });

  test('near pods that it wants, or anywhere if it is the first of them', () => {
    const nodes = [node('a'), node('b', { zone: 'b' })];
    const existing = [pod('db', { nodeName: 'b' }, { app: 'db' })];
    assert.deepEqual(place(nodes, [pod('web', { affinity: near(zone, 'db') })], existing), ['web@b']);
    assert.match(
      place(nodes, [pod('web', { affinity: near(zone, 'db') })])[0] ?? '',
      /2 node\(s\) didn't match pod affinity rules\./,
    );
    const together = ['1', '2', '3'].map((name) => pod(name, { affinity: near(zone, 'web') }));
    assert.deepEqual(place(nodes, together), ['1@a', '2@a', '3@a']);
  });

  test('in the zone with the fewest of its kind', () => {
    const nodes = [
      node('a1'),
      node('a2'),
      node('b1', { zone: 'b' }),
      node('c1', { zone: 'c', allocatable: { pods: '1' } }),
    ];
    const labelSelector = { matchLabels: { app: 'web' } };
    const topologySpreadConstraints = [
      { topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector },
    ];
    const pods = ['1', '2', '3', '4', '5', '6'].map((name) => pod(name, { topologySpreadConstraints }));
    const placed = place(nodes, pods);
    assert.deepEqual(
      placed.slice(0, 5).map((text) => text.at(-2)),
      ['a', 'b', 'c', 'a', 'b'],
    );
    assert.match(
      placed[5] ?? '',
      /^0\/4 nodes are available: 1 Too many pods, 3 node\(s\) didn't match pod topology spread constraints\./,
    );
  });

  test('by its preferences', () => {
    const nodes = [
      node('a'),
      node('b', { zone: 'b' }),
      node('c', { zone: 'c', taints: [{ key: 'x', effect: 'PreferNoSchedule' }] }),
    ];
    const preference = { matchExpressions: [{ key: zone, operator: 'In', values: ['b'] }] };
    const affinity = {
      nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, preference }] },
    };
    assert.deepEqual(place(nodes, [pod('1', { affinity }), pod('2', { affinity })]), ['1@b', '2@b']);
    assert.deepEqual(place(nodes, [pod('1'), pod('2'), pod('3')]), ['1@a', '2@b', '3@a']);
  });

  test('without harm from selectors that are not valid', () => {
    const labelSelector = { matchExpressions: [{ key: 'a', operator: 'Odd' }] };
    const term = { topologyKey: host, labelSelector };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    assert.deepEqual(place([node('a')], [pod('1', { affinity }), pod('2', { affinity })]), ['1@a', '2@a']);
  });
});
