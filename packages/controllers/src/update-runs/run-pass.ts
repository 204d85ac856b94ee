import { conditionOf, updateRunConditions, updateRunReasons, type Binding } from '@flotilla/api';
import type { PlannedEvent, Write } from '@flotilla/runtime';
import { leftToWorksMs, type StartedRollout, type StartingPlan } from '../family/started-rollouts.ts';
import { RunDraft } from './run-draft.ts';
import type { RunState, ScheduledBinding } from './run-state.ts';

/** What one reconcile of a run does: it changes the draft, and collects writes. */
export class RunPass {
  readonly state: RunState;
  readonly draft: RunDraft;
  readonly #changes: Write[] = [];
  readonly #followUps: Write[] = [];
  readonly #started: StartedRollout[] = [];
  readonly #events: PlannedEvent[] = [];
  #requeueAfterMs: number | undefined;

  constructor(state: RunState, now: Date) {
    this.state = state;
    this.draft = new RunDraft(state.run, now);
  }

  /** Reads a binding of the placement. Undefined if it does not exist any more. */
  binding(scheduled: ScheduledBinding): Readonly<Binding> | undefined {
    const { binding, leftForMs } = this.state.binding(scheduled) ?? {};
    if (leftForMs !== undefined) this.wakeAfter(leftForMs);
    return binding;
  }

  /** A change of a binding or a request; `followUp` is the status that belongs to it. */
  write(change: Write, followUp?: Write): void {
    this.#changes.push(change);
    if (followUp) this.#followUps.push(followUp);
  }

  /** A change of a binding that starts its rollout. Works may say so. */
  start(change: Write, started: readonly StartedRollout[]): void {
    this.#changes.push(change);
    this.#started.push(...started);
    this.wakeAfter(leftToWorksMs);
  }

  record(event: PlannedEvent): void {
    this.#events.push(event);
  }

  /** Time alone changes something then. */
  wakeAfter(ms: number): void {
    this.#requeueAfterMs = Math.min(this.#requeueAfterMs ?? Infinity, Math.max(0, ms));
  }

  progressing(status: 'True' | 'False' | 'Unknown', reason: keyof typeof updateRunReasons, message: string): void {
    const { progressing } = updateRunConditions;
    this.draft.set(this.draft.status, progressing, status, updateRunReasons[reason], message);
  }

  isProgressingFor(reason: keyof typeof updateRunReasons): boolean {
    const condition = conditionOf(this.draft.status.conditions, updateRunConditions.progressing);
    return condition?.reason === updateRunReasons[reason];
  }

  /** The status of the run comes last: after a crash the next pass finds what the bindings got, and goes on from there. */
  plan(): StartingPlan {
    const { family, run } = this.state;
    const { namespace, name = '', resourceVersion = '' } = run.metadata;
    const status: Write = {
      verb: 'patch',
      kind: family.updateRun,
      key: { namespace, name },
      subresource: 'status',
      patch: { metadata: { resourceVersion }, status: this.draft.status },
      isFollowUp: true,
    };
    return {
      steps: [this.#changes, this.#followUps, [status]],
      ...(this.#started.length > 0 && { started: this.#started }),
      ...(this.#events.length > 0 && { events: this.#events }),
      ...(this.#requeueAfterMs !== undefined && { requeueAfterMs: this.#requeueAfterMs }),
    };
  }
}
