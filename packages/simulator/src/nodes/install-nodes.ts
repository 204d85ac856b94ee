import type { Client } from '@flotilla/client';
import { isAlreadyExists } from '@flotilla/kube';
import { kinds, type Node } from '../kinds.ts';
import { nodeObject } from './node-object.ts';

const defaultCount = 3;

/** Creates nodes that are ready at once. Leaves existing ones as they are. */
export async function installNodes(client: Client, now: Date, count = defaultCount): Promise<void> {
  const { body } = await client.request({ method: 'GET', path: '/version' });
  const { gitVersion } = JSON.parse(Buffer.from(body).toString()) as { gitVersion: string };
  const wanted = Array.from({ length: count }, (_, index) => nodeObject(index + 1, gitVersion, now));
  await Promise.all(wanted.map((node) => register(client, node)));
}

/** Admission taints a new node as not ready, and no node lifecycle controller runs here to remove the taint. */
async function register(client: Client, node: Node): Promise<void> {
  const fieldManager = 'kubelet';
  try {
    const created = await client.create(kinds.node, node, { fieldManager });
    await client.update(kinds.node, { ...created, spec: { ...created.spec, taints: [] } }, { fieldManager });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
