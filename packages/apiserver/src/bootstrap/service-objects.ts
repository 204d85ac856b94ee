import { formatIp, parseCidr } from '@flotilla/kube';
import type { BootstrapObject } from '../own-requests/ensure-object.ts';

/** The range of cluster IPs. */
export function kubernetesServiceCidr(cidr: string): BootstrapObject {
  return {
    path: '/apis/networking.k8s.io/v1/servicecidrs',
    object: {
      kind: 'ServiceCIDR',
      apiVersion: 'networking.k8s.io/v1',
      metadata: { name: 'kubernetes' },
      spec: { cidrs: [cidr] },
    },
    condition: {
      manager: 'kubernetes-service-cidr-controller',
      condition: { type: 'Ready', status: 'True', message: 'Kubernetes default Service CIDR is ready' },
    },
  };
}

/** The Service of the API server, with the first address of the range. */
export function kubernetesService(port: number, cidr: string): BootstrapObject {
  return {
    path: '/api/v1/namespaces/default/services',
    object: {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        type: 'ClusterIP',
        clusterIP: firstAddress(cidr),
        sessionAffinity: 'None',
        ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
      },
    },
  };
}

function firstAddress(cidr: string): string {
  const range = parseCidr(cidr);
  if (!range) throw new RangeError(`invalid service CIDR ${cidr}; use a range such as 10.0.0.0/24`);
  const bytes = Uint8Array.from(range.network.bytes);
  bytes[15] = (bytes[15] ?? 0) + 1;
  return formatIp({ bytes });
}
