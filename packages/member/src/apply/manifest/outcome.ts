import type {
  manifestAppliedReasons,
  manifestDiffReportedReasons,
  PatchDetail,
  WorkResourceIdentifier,
} from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import type { Availability } from '../../availability/availability-of.ts';

type ValueOf<T> = T[keyof T];

/** The result of a manifest, which is the reason of its condition. */
export type Result =
  | Exclude<ValueOf<typeof manifestAppliedReasons>, 'PreparingToProcess'>
  | ValueOf<typeof manifestDiffReportedReasons>;

/** Why a manifest is not sent to the member. */
export type Refusal = Extract<Result, 'DecodingErred' | 'FoundGenerateName' | 'Duplicated'>;

/** What a round found about one manifest. */
export interface Outcome {
  readonly identifier: WorkResourceIdentifier;
  readonly result: Result;
  /** Why it failed: the message of its condition. */
  readonly problem?: string | undefined;
  /** The object on the member after the round. */
  readonly live?: KubeObject | undefined;
  readonly drifts?: readonly PatchDetail[] | undefined;
  readonly diffs?: readonly PatchDetail[] | undefined;
  /** The namespace that must exist before the manifest can be applied. */
  readonly missingNamespace?: string | undefined;
  /** Absent unless the manifest is applied. */
  readonly availability?: Availability | undefined;
}

export function isApplied({ result }: Pick<Outcome, 'result'>): boolean {
  return result === 'Applied' || result === 'AppliedWithFailedDriftDetection';
}

/** A diff found in degraded mode does not count: KubeFleet's hub waits for a reliable one. */
export function isDiffReported({ result }: Pick<Outcome, 'result'>): boolean {
  return result === 'FoundDiff' || result === 'NoDiffFound';
}

/** Objects that cannot be tracked count as available. */
export function isAvailable({ availability }: Pick<Outcome, 'availability'>): boolean {
  return availability?.result === 'Available' || availability?.result === 'NotTrackable';
}
