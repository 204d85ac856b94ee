import { neededFeatures, type PodFields } from '@flotilla/builtins';
import { quote, type KubeObject } from '@flotilla/kube';
import { forbidden, type Admission } from './admission.ts';
import { storedObject } from './stored-objects.ts';

interface NodeFields extends KubeObject {
  status?: { declaredFeatures?: string[] };
}

/** Refuses to change a pod in a way that the kubelet of its node does not support. */
export const declaredFeatures: Admission = {
  name: 'NodeDeclaredFeatureValidator',
  operations: ['UPDATE'],
  validate(attributes) {
    const { resource, subresource, operation, object, oldObject, server } = attributes;
    if (resource.collection !== 'pods' || operation !== 'UPDATE') return;
    if (subresource !== '' && subresource !== 'resize') return;
    const pod = object as PodFields;
    const { nodeName = '' } = pod.spec;
    if (nodeName === '' || pod.metadata.generation === oldObject?.metadata.generation) return;
    const needed = neededFeatures(pod, oldObject as PodFields);
    if (needed.length === 0) return;
    const node: NodeFields | undefined = storedObject(server, 'nodes', nodeName);
    if (!node) throw forbidden(attributes, `node ${quote(nodeName)} not found`);
    const missing = needed.filter((name) => !node.status?.declaredFeatures?.includes(name));
    if (missing.length === 0) return;
    const features = missing.join(', ');
    throw forbidden(
      attributes,
      `pod update requires features ${features} which are not available on node ${quote(nodeName)}`,
    );
  },
};
