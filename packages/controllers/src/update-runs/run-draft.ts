import { conditionOf, withCondition, type Condition, type UpdateRun, type UpdateRunStatus } from '@flotilla/api';
import { copyJson, formatTime } from '@flotilla/kube';

/** A run, or a stage, task or cluster in its status. */
export interface Conditioned {
  conditions?: Condition[] | undefined;
}

type ConditionStatus = Condition['status'];

/** The status of a run while one decision is made. It is written once, at the end. */
export class RunDraft {
  readonly status: UpdateRunStatus;
  readonly now: Date;
  readonly #generation: number;

  constructor({ metadata, status }: Readonly<UpdateRun>, now: Date) {
    this.now = now;
    this.#generation = metadata.generation ?? 0;
    this.status = copyJson(status ?? {}) as UpdateRunStatus;
    this.#refresh();
  }

  set(target: Conditioned, type: string, status: ConditionStatus, reason: string, message: string): void {
    const state = { type, status, reason, message, observedGeneration: this.#generation };
    target.conditions = withCondition(target.conditions ?? [], state, this.now);
  }

  get time(): string {
    return formatTime(this.now);
  }

  /** Only the state of a run can change, so what is known of it stays true in the next generation. */
  #refresh(): void {
    const { stagesStatus = [], deletionStageStatus } = this.status;
    const stages = [...stagesStatus, ...(deletionStageStatus ? [deletionStageStatus] : [])];
    const parts: Conditioned[] = [this.status, ...stages];
    for (const { clusters, beforeStageTaskStatus = [], afterStageTaskStatus = [] } of stages) {
      parts.push(...clusters, ...beforeStageTaskStatus, ...afterStageTaskStatus);
    }
    for (const { conditions = [] } of parts) {
      for (const condition of conditions) condition.observedGeneration = this.#generation;
    }
  }
}

export function statusOf(target: Conditioned, type: string): ConditionStatus | undefined {
  return conditionOf(target.conditions, type)?.status;
}

export function isTrue(target: Conditioned, type: string): boolean {
  return statusOf(target, type) === 'True';
}
