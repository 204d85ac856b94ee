/** The objects in which Kubernetes shows where cluster IPs come from and who has them. */
import { formatTime, type KubeObject, type ObjectMeta } from '@flotilla/kube';

/** The range that the server itself was started with. */
export function defaultServiceCidr(cidrs: readonly string[], now: Date): KubeObject {
  const ready = {
    type: 'Ready',
    status: 'True',
    lastTransitionTime: formatTime(now),
    reason: '',
    message: 'Kubernetes default Service CIDR is ready',
  };
  return {
    kind: 'ServiceCIDR',
    apiVersion: 'networking.k8s.io/v1',
    metadata: { name: 'kubernetes' },
    spec: { cidrs: [...cidrs] },
    status: { conditions: [ready] },
  };
}

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
