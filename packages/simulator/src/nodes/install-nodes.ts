import type { Client } from '@flotilla/client';
import { ignoreNotFound, isConflict, isJsonObject, jsonEquals, parseJson, stringifyJson } from '@flotilla/kube';
import { kinds, type Node } from '../kinds.ts';
import { allocatableOf, nodeObject, wantedNodes, type WantedNode } from './node-object.ts';
import { defaultNodes, type NodeShape } from './node-shape.ts';

/** What a node was made from. Nodes without it are the user's. */
const shapeAnnotation = 'simulator.flotilla.dev/shape';

const fieldManager = 'kubelet';

/**
 * Makes the nodes of a cluster equal to their shapes: they are ready at once. Nodes whose shape has not changed keep what users changed
 * about them; nodes without a shape any more are deleted, with their pods.
 */
export async function installNodes(
  client: Client,
  now: Date,
  shapes: readonly NodeShape[] = defaultNodes,
): Promise<void> {
  const wanted = wantedNodes(shapes);
  const { items } = await client.list(kinds.node);
  const existing = new Map(items.map((node) => [node.metadata.name ?? '', node]));
  const missing = wanted.filter(({ name }) => !existing.has(name));
  const kubeletVersion = missing.length > 0 ? await versionOf(client) : '';
  const numbers = freeNumbers(items);
  const names = new Set(wanted.map(({ name }) => name));
  const surplus = items.filter((node) => shapeOf(node) !== undefined && !names.has(node.metadata.name ?? ''));
  await Promise.all([
    ...missing.map((node) => register(client, withShape(nodeObject(node, numbers(), kubeletVersion, now), node))),
    ...wanted.flatMap((node) => {
      const before = existing.get(node.name);
      return before === undefined || isUnchanged(before, node) ? [] : [reshape(client, node)];
    }),
    ...surplus.map(({ metadata: { name = '' } }) => client.delete(kinds.node, { name }).catch(ignoreNotFound)),
  ]);
}

async function versionOf(client: Client): Promise<string> {
  const { body } = await client.request({ method: 'GET', path: '/version' });
  return (JSON.parse(Buffer.from(body).toString()) as { gitVersion: string }).gitVersion;
}

/** Returns numbers from 1 that no node has: addresses follow from them. */
function freeNumbers(nodes: readonly Readonly<Node>[]): () => number {
  const used = new Set(nodes.map(({ spec }) => spec?.podCIDR));
  let number = 0;
  return () => {
    do number++;
    while (used.has(`10.${244 + (number >>> 8)}.${number & 255}.0/24`));
    return number;
  };
}

/** Admission taints a new node as not ready, until a controller sees that it is. */
async function register(client: Client, node: Node): Promise<void> {
  const created = await client.create(kinds.node, node, { fieldManager });
  const taints = node.spec?.taints ?? [];
  await client.update(kinds.node, { ...created, spec: { ...created.spec, taints } }, { fieldManager });
}

function withShape(node: Node, wanted: WantedNode): Node {
  const annotations = { ...node.metadata.annotations, [shapeAnnotation]: shapeText(wanted) };
  return { ...node, metadata: { ...node.metadata, annotations } };
}

function shapeText({ labels, taints, capacity }: WantedNode): string {
  return stringifyJson({ labels: { ...labels }, taints: [...taints], capacity: { ...capacity } });
}

type Shape = Pick<WantedNode, 'labels' | 'taints' | 'capacity'>;

/** Undefined if the node is the user's, or its annotation is not ours. */
function shapeOf({ metadata }: Readonly<Node>): Shape | undefined {
  try {
    const { value: shape } = parseJson(metadata.annotations?.[shapeAnnotation] ?? '');
    const isShape =
      isJsonObject(shape) &&
      isJsonObject(shape['labels']) &&
      isJsonObject(shape['capacity']) &&
      Array.isArray(shape['taints']);
    return isShape ? (shape as unknown as Shape) : undefined;
  } catch {
    return undefined;
  }
}

function isUnchanged({ metadata }: Readonly<Node>, wanted: WantedNode): boolean {
  return metadata.annotations?.[shapeAnnotation] === shapeText(wanted);
}

/** Replaces what the last shape gave the node, and nothing else. */
async function reshape(client: Client, wanted: WantedNode): Promise<void> {
  for (;;) {
    const node = await client.get(kinds.node, { name: wanted.name });
    const last = shapeOf(node);
    const labels = Object.entries(node.metadata.labels ?? {}).filter(
      ([label]) => !Object.hasOwn(last?.labels ?? {}, label),
    );
    const taints = (node.spec?.taints ?? []).filter(
      ({ key, value = '', effect }) =>
        !(last?.taints ?? []).some((old) => jsonEquals([old.key, old.value ?? '', old.effect], [key, value, effect])),
    );
    const metadata = { ...node.metadata, labels: { ...Object.fromEntries(labels), ...wanted.labels } };
    const next = withShape(
      { ...node, metadata, spec: { ...node.spec, taints: [...taints, ...wanted.taints] } },
      wanted,
    );
    try {
      const updated = await client.update(kinds.node, next, { fieldManager });
      const { capacity } = wanted;
      const status = { ...updated.status, capacity: { ...capacity }, allocatable: allocatableOf(capacity) };
      await client.update(kinds.node, { ...updated, status }, { fieldManager, subresource: 'status' });
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}
