/** Kinds of Kubernetes that properties are counted from. */
import type { Kind } from '@flotilla/kube';

export const nodes: Kind = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
export const pods: Kind = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
export const namespaces: Kind = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};
