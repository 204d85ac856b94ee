import type { BindingFields, PodFields } from '@flotilla/builtins';
import type { KubeObject } from '@flotilla/kube';
import { type Admission, type Attributes } from './admission.ts';
import { storedObject } from './stored-objects.ts';

const copied = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** A pod learns from its labels in which zone and region its node is. */
export const topologyLabels: Admission = {
  name: 'PodTopologyLabels',
  admit(attributes) {
    const { operation, object, server } = attributes;
    const node = operation === 'CREATE' && object ? nodeOf(attributes, object) : '';
    if (!object || node === '') return;
    const labels = storedObject(server, 'nodes', node)?.metadata.labels ?? {};
    for (const key of copied) {
      const value = labels[key];
      if (value !== undefined) (object.metadata.labels ??= {})[key] = value;
    }
  },
};

/** The node that a pod is created on or bound to; empty when it is neither. */
function nodeOf({ resource, subresource }: Attributes, object: KubeObject): string {
  if (resource.collection !== 'pods') return '';
  if (subresource === '') return (object as PodFields).spec.nodeName ?? '';
  const { target } = object as BindingFields;
  return subresource === 'binding' && (target as { kind?: string }).kind === 'Node' ? target.name : '';
}
