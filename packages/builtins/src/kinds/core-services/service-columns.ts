import type { KubeObject } from '@flotilla/kube';
import { age } from '../../columns/age.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../../columns/column-definition.ts';
import { labelsText } from '../../columns/labels-text.ts';
import type { Columns } from '../../kind.ts';
import { loadBalancerText } from './load-balancer-status.ts';
import type { ServiceFields, ServicePort } from './service-fields.ts';

export const serviceColumns: Columns = {
  definitions: [
    nameColumn,
    column('Type', 'string', 'How the service is reached.'),
    column('Cluster-IP', 'string', 'Address of the service inside the cluster.'),
    column('External-IP', 'string', 'Addresses of the service outside the cluster.'),
    column('Port(s)', 'string', 'Ports of the service, with their node ports.'),
    ageColumn,
    wideColumn('Selector', 'string', 'Labels of the pods that serve.'),
  ],
  cells(object, now) {
    const service = object as KubeObject & ServiceFields;
    const { type = '', clusterIPs = [], ports = [], selector } = service.spec;
    return [
      object.metadata.name ?? '',
      type,
      clusterIPs[0] ?? '<none>',
      externalText(service),
      ports.map(portText).join(',') || '<none>',
      age(object, now),
      labelsText(selector),
    ];
  },
};

function externalText({ spec, status }: ServiceFields): string {
  const { type = '', externalIPs = [], externalName = '' } = spec;
  switch (type) {
    case 'ClusterIP':
    case 'NodePort':
      return externalIPs.join(',') || '<none>';
    case 'LoadBalancer': {
      const balanced = loadBalancerText(status?.loadBalancer.ingress);
      return [...(balanced === '' ? [] : [balanced]), ...externalIPs].join(',') || '<pending>';
    }
    case 'ExternalName':
      return externalName;
    default:
      return '<unknown>';
  }
}

function portText({ port, nodePort = 0, protocol = '' }: ServicePort): string {
  return nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}
