import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../groups.ts';
import type {
  appliedResource,
  appliedWorkSpec,
  appliedWorkStatus,
  backReportedStatus,
  diffDetails,
  driftDetails,
  manifestCondition,
  workResourceIdentifier,
  workSpec,
  workStatus,
} from './work-schema.ts';

export type WorkSpec = Infer<typeof workSpec>;
export type WorkStatus = Infer<typeof workStatus>;
export type ManifestCondition = Infer<typeof manifestCondition>;
export type WorkResourceIdentifier = Infer<typeof workResourceIdentifier>;
export type DriftDetails = Infer<typeof driftDetails>;
export type DiffDetails = Infer<typeof diffDetails>;
export type BackReportedStatus = Infer<typeof backReportedStatus>;

/** Objects for one member, in the member's namespace on the hub. */
export interface Work extends KubeObject {
  spec?: WorkSpec;
  status?: WorkStatus;
}

export const works: Kind<Work> = { ...placementApi, kind: 'Work', plural: 'works', namespaced: true };

export type AppliedWorkSpec = Infer<typeof appliedWorkSpec>;
export type AppliedWorkStatus = Infer<typeof appliedWorkStatus>;
export type AppliedResource = Infer<typeof appliedResource>;

/** On the member: the owner of all objects of one Work. */
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
