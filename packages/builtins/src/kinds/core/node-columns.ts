import type { KubeObject } from '@flotilla/kube';
import { age } from '../../columns/age.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../../columns/column-definition.ts';
import type { Columns } from '../../kind.ts';
import type { NodeFields, NodeStatus } from './node.ts';

const rolePrefix = 'node-role.kubernetes.io/';

export const nodeColumns: Columns = {
  definitions: [
    nameColumn,
    column('Status', 'string', 'Whether the node is ready, and open to new pods.'),
    column('Roles', 'string', 'Roles that the labels of the node name.'),
    ageColumn,
    column('Version', 'string', 'Version of the kubelet.'),
    wideColumn('Internal-IP', 'string', 'Address inside the cluster.'),
    wideColumn('External-IP', 'string', 'Address outside the cluster.'),
    wideColumn('OS-Image', 'string', 'Operating system of the node.'),
    wideColumn('Kernel-Version', 'string', 'Kernel of the node.'),
    wideColumn('Container-Runtime', 'string', 'What runs containers on the node.'),
  ],
  cells(object, now) {
    const node = object as KubeObject & NodeFields;
    const {
      kubeletVersion = '',
      osImage,
      kernelVersion,
      containerRuntimeVersion,
      architecture,
    } = node.status.nodeInfo ?? {};
    return [
      object.metadata.name ?? '',
      statusText(node),
      rolesText(object.metadata.labels ?? {}),
      age(object, now),
      kubeletVersion,
      addressOf(node.status, 'InternalIP'),
      addressOf(node.status, 'ExternalIP'),
      osImage || '<unknown>',
      `${kernelVersion || '<unknown>'}${architecture ? ` (${architecture})` : ''}`,
      containerRuntimeVersion || '<unknown>',
    ];
  },
};

function statusText({ spec, status }: NodeFields): string {
  const ready = status.conditions?.findLast(({ type }) => type === 'Ready');
  const readiness = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec.unschedulable === true ? `${readiness},SchedulingDisabled` : readiness;
}

function rolesText(labels: Readonly<Record<string, string>>): string {
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length);
    return key === 'kubernetes.io/role' ? value : [];
  });
  const named = new Set(roles.filter((role) => role !== ''));
  return [...named].sort().join(',') || '<none>';
}

function addressOf({ addresses = [] }: NodeStatus, wanted: string): string {
  return addresses.find(({ type }) => type === wanted)?.address ?? '<none>';
}
