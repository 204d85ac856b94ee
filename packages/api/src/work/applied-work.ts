import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../groups.ts';
import type { appliedResource, appliedWorkSpec, appliedWorkStatus } from './applied-work-schema.ts';

export type AppliedWorkSpec = Infer<typeof appliedWorkSpec>;
export type AppliedWorkStatus = Infer<typeof appliedWorkStatus>;
export type AppliedResource = Infer<typeof appliedResource>;

/** On the member: the owner of everything that one Work brought there. */
export interface AppliedWork extends KubeObject {
  spec: AppliedWorkSpec;
  status?: AppliedWorkStatus;
}

export const appliedWorks: Kind<AppliedWork> = {
  ...placementApi,
  kind: 'AppliedWork',
  plural: 'appliedworks',
  namespaced: false,
};
