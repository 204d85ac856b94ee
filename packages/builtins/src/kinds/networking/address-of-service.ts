import type { KubeObject, ObjectMeta } from '@flotilla/kube';

/** An address that a Service holds; it comes and goes with the Service's claim. */
export function ipAddressFor(ip: string, { name = '', namespace = '' }: ObjectMeta): KubeObject {
  return {
    kind: 'IPAddress',
    apiVersion: 'networking.k8s.io/v1',
    metadata: {
      name: ip,
      labels: {
        'ipaddress.kubernetes.io/ip-family': ip.includes(':') ? 'IPv6' : 'IPv4',
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      },
    },
    spec: { parentRef: { resource: 'services', namespace, name } },
  };
}
