import type {
  manifestAppliedReasons,
  manifestDiffReportedReasons,
  PatchDetail,
  WorkResourceIdentifier,
} from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import type { Availability } from '../../availability/availability-of.ts';

type WordOf<T> = T[keyof T];

/** What became of a manifest; the word is the reason of its condition. */
export type Result =
  | Exclude<WordOf<typeof manifestAppliedReasons>, 'PreparingToProcess'>
  | WordOf<typeof manifestDiffReportedReasons>;

/** Why a manifest could not even be tried. */
export type Refusal = Extract<Result, 'DecodingErred' | 'FoundGenerateName' | 'Duplicated'>;

/** All that a round learned about one manifest. */
export interface Outcome {
  readonly identifier: WorkResourceIdentifier;
  readonly result: Result;
  /** Why it is not as it should be, in a sentence for people. */
  readonly problem?: string | undefined;
  /** The object as the member has it after the round. */
  readonly live?: KubeObject | undefined;
  readonly drifts?: readonly PatchDetail[] | undefined;
  readonly diffs?: readonly PatchDetail[] | undefined;
  /** The namespace that it waits for. */
  readonly missingNamespace?: string | undefined;
  /** Absent where nothing was applied. */
  readonly availability?: Availability | undefined;
}

export function isApplied({ result }: Pick<Outcome, 'result'>): boolean {
  return result === 'Applied' || result === 'AppliedWithFailedDriftDetection';
}

/** A diff that was found in degraded mode does not count: KubeFleet's hub waits for one that can be trusted. */
export function isDiffReported({ result }: Pick<Outcome, 'result'>): boolean {
  return result === 'FoundDiff' || result === 'NoDiffFound';
}

/** Whether the applied object counts as available; what cannot be tracked does. */
export function isAvailable({ availability }: Pick<Outcome, 'availability'>): boolean {
  return availability?.result === 'Available' || availability?.result === 'NotTrackable';
}
