/** Taints tell scheduler and DaemonSets what is wrong with a node: its conditions, or that it is cordoned. */
import { formatTime, jsonEquals } from '@flotilla/kube';
import { itself, nothingToDo, type Controller, type Plan } from '@flotilla/runtime';
import { kinds, type Node, type Taint } from '../kinds.ts';

const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';
const unschedulable = 'node.kubernetes.io/unschedulable';

/** By `condition=status`. */
const taintOfCondition: Readonly<Record<string, string>> = {
  'Ready=False': notReady,
  'Ready=Unknown': unreachable,
  'MemoryPressure=True': 'node.kubernetes.io/memory-pressure',
  'DiskPressure=True': 'node.kubernetes.io/disk-pressure',
  'PIDPressure=True': 'node.kubernetes.io/pid-pressure',
  'NetworkUnavailable=True': 'node.kubernetes.io/network-unavailable',
};

/** Of the taints with these keys and effects, a node has those that its state asks for, and no others. */
const managed = new Set([
  ...[unschedulable, ...Object.values(taintOfCondition)].map((key) => `${key}:NoSchedule`),
  `${notReady}:NoExecute`,
  `${unreachable}:NoExecute`,
]);

export const conditionTaintController: Controller<Readonly<Node>> = {
  name: 'node-lifecycle-controller',
  wakes: (node) => decideTaints(node, new Date(0)).steps.length > 0,
  fieldManager: 'kube-controller-manager',
  watches: [{ kind: kinds.node, concerns: (now, old) => (now === undefined ? [] : itself(now, old)) }],
  observe: (key, cache) => cache.get(kinds.node, key),
  decide: decideTaints,
};

export function decideTaints(node: Readonly<Node>, now: Date): Plan {
  const { name = '', uid = '', resourceVersion = '' } = node.metadata;
  const before = node.spec?.taints ?? [];
  const taints = taintsOf(node, before, now);
  if (jsonEquals(before, taints)) return nothingToDo;
  const patch = { metadata: { uid, resourceVersion }, spec: { taints: taints.length > 0 ? taints : null } };
  return { steps: [[{ verb: 'patch', kind: kinds.node, key: { name }, patch }]] };
}

/** Taints that the node has already keep their place and time. */
function taintsOf({ spec, status }: Readonly<Node>, before: readonly Taint[], now: Date): Taint[] {
  const keys = (status?.conditions ?? []).flatMap(({ type, status: is }) => taintOfCondition[`${type}=${is}`] ?? []);
  const unserved = keys.filter((key) => key === notReady || key === unreachable);
  const wanted = new Set([
    ...[...keys, ...(spec?.unschedulable === true ? [unschedulable] : [])].map((key) => `${key}:NoSchedule`),
    ...unserved.map((key) => `${key}:NoExecute`),
  ]);
  const kept = before.filter((taint) => !managed.has(textOf(taint)) || wanted.has(textOf(taint)));
  const present = new Set(kept.map(textOf));
  const added = [...wanted].filter((text) => !present.has(text));
  return [...kept, ...added.map((text) => taintFrom(text, now))];
}

function textOf({ key, effect }: Taint): string {
  return `${key}:${effect}`;
}

function taintFrom(text: string, now: Date): Taint {
  const [key = '', effect = ''] = text.split(':');
  return { key, effect, timeAdded: formatTime(now) };
}
