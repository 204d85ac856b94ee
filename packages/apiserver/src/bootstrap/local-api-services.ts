import type { BootstrapObject } from '../own-requests/ensure-object.ts';
import { apiServicesPath } from '../own-requests/server-request.ts';

/** kube-apiserver's priorities of groups and versions, by which clients sort. */
const groups: readonly [group: string, priority: number, versions: Readonly<Record<string, number>>][] = [
  ['', 18_000, { v1: 1 }],
  ['apps', 17_800, { v1: 15 }],
  ['events.k8s.io', 17_750, { v1: 15 }],
  ['authentication.k8s.io', 17_700, { v1: 15 }],
  ['authorization.k8s.io', 17_600, { v1: 15 }],
  ['autoscaling', 17_500, { v1: 15, v2: 30 }],
  ['batch', 17_400, { v1: 15 }],
  ['certificates.k8s.io', 17_300, { v1: 15 }],
  ['networking.k8s.io', 17_200, { v1: 15 }],
  ['policy', 17_100, { v1: 15 }],
  ['rbac.authorization.k8s.io', 17_000, { v1: 15 }],
  ['storage.k8s.io', 16_800, { v1: 15 }],
  ['apiextensions.k8s.io', 16_700, { v1: 15 }],
  ['admissionregistration.k8s.io', 16_700, { v1: 15 }],
  ['scheduling.k8s.io', 16_600, { v1: 15 }],
  ['coordination.k8s.io', 16_500, { v1: 15 }],
  ['node.k8s.io', 16_300, { v1: 15 }],
  ['discovery.k8s.io', 16_200, { v1: 15 }],
  ['resource.k8s.io', 16_200, { v1: 21 }],
  ['flowcontrol.apiserver.k8s.io', 16_100, { v1: 21 }],
];

/** An APIService for each served version. */
export function localApiServices(isServed: (group: string, version: string) => boolean): BootstrapObject[] {
  return groups.flatMap(([group, groupPriorityMinimum, versions]) =>
    Object.entries(versions)
      .filter(([version]) => isServed(group, version))
      .map(([version, versionPriority]) => ({
        path: apiServicesPath,
        object: {
          kind: 'APIService',
          apiVersion: 'apiregistration.k8s.io/v1',
          metadata: {
            name: `${version}.${group}`,
            labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' },
          },
          spec: { group, version, groupPriorityMinimum, versionPriority },
        },
      })),
  );
}
