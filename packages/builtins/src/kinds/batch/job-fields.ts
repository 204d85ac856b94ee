/** The fields of jobs that the server reads, in wire form. */
import type { JsonObject, KubeObject, LabelSelectorObject } from '@flotilla/kube';
import type { Int64, PodTemplateFields } from '../core-pods/pod-fields.ts';

export interface JobFields extends KubeObject {
  spec: JobSpec;
  status: JobStatus;
}

export interface JobSpec extends JsonObject {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: Int64;
  podFailurePolicy?: PodFailurePolicy;
  successPolicy?: SuccessPolicy;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: LabelSelectorObject;
  manualSelector?: boolean;
  template: PodTemplateFields;
  ttlSecondsAfterFinished?: number;
  completionMode?: string;
  suspend?: boolean;
  podReplacementPolicy?: string;
  managedBy?: string;
}

interface PodFailurePolicy extends JsonObject {
  rules?: PodFailureRule[] | null;
}

export interface PodFailureRule extends JsonObject {
  action?: string;
  onExitCodes?: { containerName?: string; operator?: string; values?: number[] | null };
  onPodConditions?: { type: string; status?: string }[] | null;
}

interface SuccessPolicy extends JsonObject {
  rules?: { succeededIndexes?: string; succeededCount?: number }[] | null;
}

export interface JobStatus extends JsonObject {
  conditions?: JobCondition[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
  ready?: number;
}

interface JobCondition extends JsonObject {
  type: string;
  status: string;
}

export function isTrue({ conditions }: JobStatus, type: string): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}
