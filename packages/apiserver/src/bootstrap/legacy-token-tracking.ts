import type { FirstObject } from '../own-requests/ensure-object.ts';

/** Since when it is written down that tokens in secrets were used: older ones may have been used before. */
export function legacyTokenTracking(now: Date): FirstObject {
  return {
    path: '/api/v1/namespaces/kube-system/configmaps',
    object: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'kube-apiserver-legacy-service-account-token-tracking' },
      data: { since: now.toISOString().slice(0, 10) },
    },
  };
}
