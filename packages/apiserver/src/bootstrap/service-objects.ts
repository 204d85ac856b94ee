import { defaultServiceNetwork } from '@flotilla/builtins';
import type { FirstObject } from './first-object.ts';

/** Where cluster IPs come from. */
export const defaultServiceCidr: FirstObject = {
  path: '/apis/networking.k8s.io/v1/servicecidrs',
  object: {
    kind: 'ServiceCIDR',
    apiVersion: 'networking.k8s.io/v1',
    metadata: { name: 'kubernetes' },
    spec: { cidrs: [...defaultServiceNetwork.cidrs] },
  },
  condition: {
    manager: 'kubernetes-service-cidr-controller',
    condition: { type: 'Ready', status: 'True', message: 'Kubernetes default Service CIDR is ready' },
  },
};

/** How pods would find the API server; clients look for it. */
export function kubernetesService(port: number): FirstObject {
  return {
    path: '/api/v1/namespaces/default/services',
    object: {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        type: 'ClusterIP',
        clusterIP: '10.0.0.1',
        sessionAffinity: 'None',
        ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port }],
      },
    },
  };
}
