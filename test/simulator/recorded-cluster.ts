/** A real cluster: kube-apiserver with kube-controller-manager, and no other client. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Client } from '@flotilla/client';
import { events, formatMicroTime, ignoreNotFound, leases, nodes, type Kind } from '@flotilla/kube';
import { createNodes, nodeNames, type Cluster } from './cluster.ts';
import { namespacedKinds, volumes } from './kinds.ts';

const pollMs = 100;
/** Shorter than a kubelet's, so that a new node has a lease before it is looked at. */
const leaseMs = 2000;

export async function connectCluster(kubeconfig: string): Promise<Cluster & { stop: () => Promise<void> }> {
  const client = await connect({ kubeconfig, environment: {}, userAgent: 'scenario' });
  const stopping = new AbortController();
  for (const name of nodeNames) await client.delete(nodes, { name }).catch(ignoreNotFound);
  await createNodes(client, Date.now());
  const changedAt = new Map<string, number>();
  const watches = [...namespacedKinds, events, volumes];
  const background = [
    ...watches.map((kind) => noteChanges(client, kind, changedAt, stopping.signal)),
    renewLeases(client, stopping.signal),
  ];
  return {
    client,
    now: () => Date.now(),
    wait: (milliseconds) => sleep(milliseconds),
    settle: async (namespace, milliseconds) => {
      const begin = Date.now();
      const isQuiet = (): boolean => Date.now() - Math.max(begin, changedAt.get(namespace) ?? 0) >= milliseconds;
      while (!isQuiet()) await sleep(pollMs);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(background);
      await client.close();
    },
  };
}

/** Notes when something changed in each namespace. A volume counts for the namespace of the scenario that created it. */
async function noteChanges(
  client: Client,
  kind: Kind,
  changedAt: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const { resourceVersion } = await client.list(kind);
  for await (const { object } of client.watch(kind, { resourceVersion, signal })) {
    const { namespace, labels } = object.metadata;
    // Controllers with a periodic pass repeat their events for ever.
    if (kind === events && Number(object['count'] ?? 1) > 1) continue;
    changedAt.set(namespace ?? labels?.['scenario'] ?? '', Date.now());
  }
  if (!signal.aborted) throw new Error(`the watch of ${kind.plural} ended`);
}

/** As kubelets do, so that the nodes are not taken for lost. */
async function renewLeases(client: Client, signal: AbortSignal): Promise<void> {
  for (; !signal.aborted; await sleep(leaseMs, undefined, { signal }).catch(() => {})) {
    const { items } = await client.list(nodes);
    for (const { metadata } of items) {
      const { name = '' } = metadata;
      const renewTime = formatMicroTime(new Date());
      const lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, namespace: 'kube-node-lease' },
        spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime },
      };
      await client.apply(leases, lease, { fieldManager: 'kubelet', force: true });
    }
  }
}
