import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../groups.ts';
import type { bindingSpec, bindingStatus } from './binding-schema.ts';

export type BindingSpec = Infer<typeof bindingSpec>;
export type BindingStatus = Infer<typeof bindingStatus>;
export type BindingState = BindingSpec['state'];

export interface Binding extends KubeObject {
  spec: BindingSpec;
  status?: BindingStatus;
}

export const clusterResourceBindings: Kind<Binding> = {
  ...placementApi,
  kind: 'ClusterResourceBinding',
  plural: 'clusterresourcebindings',
  namespaced: false,
};

export const resourceBindings: Kind<Binding> = {
  ...placementApi,
  kind: 'ResourceBinding',
  plural: 'resourcebindings',
  namespaced: true,
};
