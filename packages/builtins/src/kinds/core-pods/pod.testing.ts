import type { PodFields, PodSpecFields, PodStatusFields } from './pod-fields.ts';

export function aPod(spec: PodSpecFields = {}, status: PodStatusFields = {}): PodFields {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { containers: [{ name: 'web', image: 'nginx:1.27' }], ...spec },
    status: { phase: 'Pending', ...status },
  };
}
