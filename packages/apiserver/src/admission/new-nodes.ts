import type { KubeObject } from '@flotilla/kube';
import type { Admission } from './admission.ts';

interface NodeFields extends KubeObject {
  spec?: { taints?: { key: string; effect: string }[] };
}

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Nothing is scheduled on a node before somebody says that it is ready. */
export const newNodes: Admission = {
  name: 'TaintNodesByCondition',
  admit({ resource, subresource, operation, object }) {
    if (resource.collection !== 'nodes' || subresource !== '' || operation !== 'CREATE') return;
    const node = object as NodeFields;
    const taints = ((node.spec ??= {}).taints ??= []);
    if (!taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect))
      taints.push({ ...notReady });
  },
};
