import { nameIsDnsSubdomain, warningsForCidr, type KubeObject, type ObjectMeta } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn, wideColumn } from '../../columns.ts';
import type { Columns, KindBehavior } from '../../kind.ts';
import { roundUpToMilli } from '../core-pods/resource-lists.ts';
import { validateNode, validateNodeChange } from './node-validation.ts';

export interface NodeFields {
  readonly metadata: ObjectMeta;
  spec: NodeSpec;
  status: NodeStatus;
}

export interface NodeSpec {
  podCIDR?: string;
  podCIDRs?: string[];
  providerID?: string;
  unschedulable?: boolean;
  taints?: Taint[];
  configSource?: unknown;
  externalID?: string;
}

export interface Taint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

export interface NodeStatus {
  capacity?: Record<string, string>;
  allocatable?: Record<string, string>;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly addresses?: readonly NodeAddress[];
  readonly nodeInfo?: NodeInfo;
  readonly declaredFeatures?: readonly string[];
  config?: unknown;
}

interface NodeAddress {
  readonly type: string;
  readonly address: string;
}

interface NodeInfo {
  readonly kernelVersion?: string;
  readonly osImage?: string;
  readonly containerRuntimeVersion?: string;
  readonly kubeletVersion?: string;
  readonly architecture?: string;
  readonly swap?: { readonly capacity?: number };
}

const rolePrefix = 'node-role.kubernetes.io/';

const nodeColumns: Columns = {
  definitions: [
    nameColumn,
    column('Status', 'string', 'Whether the node is ready and schedulable.'),
    column('Roles', 'string', 'Roles of the node, by its labels.'),
    ageColumn,
    column('Version', 'string', 'Version of the kubelet.'),
    wideColumn('Internal-IP', 'string', 'Address inside the cluster.'),
    wideColumn('External-IP', 'string', 'Address outside the cluster.'),
    wideColumn('OS-Image', 'string', 'Operating system of the node.'),
    wideColumn('Kernel-Version', 'string', 'Kernel of the node.'),
    wideColumn('Container-Runtime', 'string', 'The container runtime of the node.'),
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

export const nodeKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'Node',
  nameRule: nameIsDnsSubdomain,
  setDefaults(object) {
    const { spec, status } = nodeOf(object);
    syncPodRanges(spec);
    if (status.allocatable === undefined && status.capacity !== undefined) status.allocatable = { ...status.capacity };
    roundUpToMilli(status.capacity);
    roundUpToMilli(status.allocatable);
  },
  prepareForCreate(object) {
    const { spec, status } = nodeOf(object);
    delete spec.configSource;
    delete status.config;
    taintAsNotReady(spec);
  },
  prepareForUpdate(object, old) {
    const node = nodeOf(object);
    const before = nodeOf(old);
    node.status = before.status;
    if (before.spec.configSource === undefined) delete node.spec.configSource;
  },
  validate: (object) => validateNode(nodeOf(object)),
  validateUpdate(object, old) {
    const node = nodeOf(object);
    return [...validateNode(node), ...validateNodeChange(node, nodeOf(old))];
  },
  warnings: (object) => nodeWarnings(nodeOf(object).spec),
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        const node = nodeOf(object);
        const before = nodeOf(old);
        node.spec = before.spec;
        if (before.status.config === undefined) delete node.status.config;
      },
      validateUpdate: (object, old) => validateNodeChange(nodeOf(object), nodeOf(old)),
      resetFields: [['spec']],
    },
  },
  fieldLabels: ['spec.unschedulable'],
  selectableFields(object) {
    const { unschedulable = false } = (object as KubeObject & Partial<NodeFields>).spec ?? {};
    return { 'spec.unschedulable': String(unschedulable) };
  },
  columns: nodeColumns,
  resetFields: [['status']],
};

function nodeOf(object: KubeObject): NodeFields {
  const node = object as KubeObject & Partial<NodeFields>;
  node.spec ??= {};
  node.status ??= {};
  return node as KubeObject & NodeFields;
}

/** `podCIDR` and the first of `podCIDRs` are one value; the old field wins. */
function syncPodRanges(spec: NodeSpec): void {
  const { podCIDR = '', podCIDRs = [] } = spec;
  if (podCIDR !== '' && podCIDR !== podCIDRs[0]) spec.podCIDRs = [podCIDR];
  const [first] = spec.podCIDRs ?? [];
  if (first !== undefined) spec.podCIDR = first;
}

/** The scheduler must not use a new node before its conditions are known. */
function taintAsNotReady(spec: NodeSpec): void {
  const { taints = [] } = spec;
  const key = 'node.kubernetes.io/not-ready';
  const isTainted = taints.some((taint) => taint.key === key && taint.effect === 'NoSchedule');
  if (!isTainted) spec.taints = [...taints, { key, effect: 'NoSchedule' }];
}

function nodeWarnings({ configSource, externalID = '', podCIDRs = [] }: NodeSpec): string[] {
  return [
    ...(configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(externalID === '' ? [] : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...podCIDRs.flatMap((cidr, index) => warningsForCidr(`spec.podCIDRs[${index}]`, cidr)),
  ];
}

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
