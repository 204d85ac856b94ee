import type { Client } from '@flotilla/client';
import { formatTime, nodes } from '@flotilla/kube';

/** A server with the controllers to observe: the recorded ones, or ours. */
export interface Cluster {
  /** The administrator's. */
  readonly client: Client;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves when nothing has changed in the namespace for this time. */
  settle(namespace: string, milliseconds: number): Promise<void>;
  wait(milliseconds: number): Promise<void>;
}

/** How long nothing may change before a snapshot. Kubernetes' controllers collect changes for up to a second. */
export const quietMs = 3000;

/** How long nothing may change between two pods of one step, so that controllers see one after the other. */
export const betweenPodsMs = 600;

/** Every cluster has these nodes. */
export const nodeNames = ['node-1', 'node-2'];

export async function createNodes(client: Client, now: number): Promise<void> {
  const at = formatTime(new Date(now));
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    lastHeartbeatTime: at,
    lastTransitionTime: at,
  };
  const resources = { cpu: '64', memory: '256Gi', pods: '1000' };
  for (const name of nodeNames) {
    await client.create(nodes, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' } },
      spec: {},
      status: { capacity: resources, allocatable: resources, conditions: [ready] },
    });
  }
}
