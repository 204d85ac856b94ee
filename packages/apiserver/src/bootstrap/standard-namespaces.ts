import type { FirstObject } from '../own-requests/ensure-object.ts';

export const standardNamespaces: readonly FirstObject[] = [
  'default',
  'kube-system',
  'kube-public',
  'kube-node-lease',
].map((name) => ({
  path: '/api/v1/namespaces',
  object: { kind: 'Namespace', apiVersion: 'v1', metadata: { name } },
}));
