import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../groups.ts';
import type {
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

/** Objects for one member, in that member's namespace on the hub. */
export interface Work extends KubeObject {
  spec?: WorkSpec;
  status?: WorkStatus;
}

export const works: Kind<Work> = { ...placementApi, kind: 'Work', plural: 'works', namespaced: true };
