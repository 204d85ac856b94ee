import { formatTime, type JsonObject } from '@flotilla/kube';
import type { Plan, PlannedEvent } from '@flotilla/runtime';
import { kinds, type Autoscaler, type AutoscalerStatus, type Condition } from '../kinds.ts';

/** Collects the conditions and events of one reconcile. */
export class StatusDraft {
  readonly autoscaler: Readonly<Autoscaler>;
  readonly now: Date;
  readonly #events: PlannedEvent[] = [];
  #conditions: readonly Condition[];

  constructor(autoscaler: Readonly<Autoscaler>, now: Date) {
    this.autoscaler = autoscaler;
    this.now = now;
    this.#conditions = autoscaler.status?.conditions ?? [];
  }

  /** The time of a condition changes only with its status. */
  setCondition(
    type: string,
    status: 'True' | 'False',
    { reason, message }: { readonly reason: string; readonly message: string },
  ): void {
    const index = this.#conditions.findIndex((condition) => condition.type === type);
    const before = this.#conditions[index];
    const lastTransitionTime =
      (before?.status === status ? before.lastTransitionTime : undefined) ?? formatTime(this.now);
    const condition: Condition = { type, status, lastTransitionTime, reason, message };
    this.#conditions =
      before === undefined ? [...this.#conditions, condition] : this.#conditions.with(index, condition);
  }

  warn(reason: string, message: string): void {
    this.#events.push({ about: this.autoscaler, type: 'Warning', reason, message });
  }

  /** Writes these replicas and metrics, with the conditions. */
  plan(
    currentReplicas: number,
    desiredReplicas: number,
    currentMetrics: JsonObject[] | null,
    isRescaled = false,
  ): Plan {
    const lastScaleTime = isRescaled ? formatTime(this.now) : this.autoscaler.status?.lastScaleTime;
    return this.planWith({
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      ...(currentReplicas > 0 && { currentReplicas }),
      desiredReplicas,
      currentMetrics,
    });
  }

  planWith(status: AutoscalerStatus): Plan {
    const object = { ...this.autoscaler, status: { ...status, conditions: [...this.#conditions] } };
    const steps = [[{ verb: 'update', kind: kinds.autoscaler, object, subresource: 'status' } as const]];
    return { steps, events: [...this.#events] };
  }
}
