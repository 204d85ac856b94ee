/** The plugins that decide where pods run. */
import {
  addDefaultTolerations,
  applyRuntimeClass,
  overheadRefusal,
  type BindingFields,
  type PodFields,
  type RuntimeClassFields,
} from '@flotilla/builtins';
import type { KubeObject } from '@flotilla/kube';
import { forbidden, type Admission, type Attributes } from './admission.ts';
import { storedObject } from './stored-objects.ts';

/** Gives a pod the overhead and the scheduling constraints of its RuntimeClass. */
export const runtimeClass: Admission = {
  name: 'RuntimeClass',
  operations: ['CREATE'],
  admit: (attributes) => checkNewPod(attributes, applyRuntimeClass),
  validate: (attributes) => checkNewPod(attributes, overheadRefusal),
};

/** `check` returns why a new pod is forbidden. */
function checkNewPod(attributes: Attributes, check: typeof applyRuntimeClass): void {
  const { resource, subresource, operation, object, server } = attributes;
  if (resource.collection !== 'pods' || subresource !== '' || operation !== 'CREATE') return;
  const find = (name: string): RuntimeClassFields | undefined =>
    storedObject(server, 'runtimeclasses.node.k8s.io', name);
  const refusal = check(object as PodFields, find);
  if (refusal !== undefined) throw forbidden(attributes, refusal);
}

export const defaultTolerations: Admission = {
  name: 'DefaultTolerationSeconds',
  operations: ['CREATE', 'UPDATE'],
  admit({ resource, subresource, operation, object }) {
    const isWrite = operation === 'CREATE' || operation === 'UPDATE';
    if (resource.collection === 'pods' && subresource === '' && isWrite) addDefaultTolerations(object as PodFields);
  },
};

const topologyKeys = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** Copies the labels for zone and region from the node to its pods. */
export const topologyLabels: Admission = {
  name: 'PodTopologyLabels',
  operations: ['CREATE'],
  admit(attributes) {
    const { operation, object, server } = attributes;
    const node = operation === 'CREATE' && object ? nodeOf(attributes, object) : '';
    if (!object || node === '') return;
    const labels = storedObject(server, 'nodes', node)?.metadata.labels ?? {};
    for (const key of topologyKeys) {
      const value = labels[key];
      if (value !== undefined) (object.metadata.labels ??= {})[key] = value;
    }
  },
};

/** The node that a pod is created on or bound to; empty if neither. */
function nodeOf({ resource, subresource }: Attributes, object: KubeObject): string {
  if (resource.collection !== 'pods') return '';
  if (subresource === '') return (object as PodFields).spec.nodeName ?? '';
  const { target } = object as BindingFields;
  return subresource === 'binding' && (target as { kind?: string }).kind === 'Node' ? target.name : '';
}

interface NodeFields extends KubeObject {
  spec?: { taints?: { key: string; effect: string }[] };
}

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Taints a new node, so that no pod is scheduled on it before a controller reports it ready. */
export const taintNewNodes: Admission = {
  name: 'TaintNodesByCondition',
  operations: ['CREATE'],
  admit({ resource, subresource, operation, object }) {
    if (resource.collection !== 'nodes' || subresource !== '' || operation !== 'CREATE') return;
    const node = object as NodeFields;
    const taints = ((node.spec ??= {}).taints ??= []);
    if (!taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect))
      taints.push({ ...notReady });
  },
};
