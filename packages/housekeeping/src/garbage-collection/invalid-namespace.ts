import { apiVersionOf, type OwnerReference } from '@flotilla/kube';
import type { PlannedEvent } from '@flotilla/runtime';
import type { Node } from './owner-graph.ts';

/** An owner in another namespace is none; whoever wrote the reference should know. */
export function invalidNamespace({ kind, key, uid }: Node, owner: OwnerReference): PlannedEvent {
  const { namespace = '', name } = key;
  const named = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  return {
    about: {
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata: { name, uid, ...(namespace !== '' && { namespace }) },
    },
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${named} does not exist in namespace "${namespace}"`,
  };
}
