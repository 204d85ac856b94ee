import type { Client } from '@flotilla/client';
import { isAlreadyExists } from '@flotilla/kube';
import { kinds, type Node } from '../kinds.ts';
import { firstNode } from './first-node.ts';

const usualCount = 3;

/** Gives a cluster its nodes, ready from their first moment. Those that are there stay as they are. */
export async function furnishNodes(client: Client, now: Date, count = usualCount): Promise<void> {
  const { body } = await client.request({ method: 'GET', path: '/version' });
  const { gitVersion } = JSON.parse(Buffer.from(body).toString()) as { gitVersion: string };
  const wanted = Array.from({ length: count }, (_, index) => firstNode(index + 1, gitVersion, now));
  await Promise.all(wanted.map((node) => register(client, node)));
}

/** New nodes are not ready to the server, whatever they say: somebody has to see that they are. */
async function register(client: Client, node: Node): Promise<void> {
  const fieldManager = 'kubelet';
  try {
    const created = await client.create(kinds.node, node, { fieldManager });
    await client.update(kinds.node, { ...created, spec: { ...created.spec, taints: [] } }, { fieldManager });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
