import type { Client } from '@flotilla/client';
import { changeFaults, noFaults, parseFaults, untilInForce, type MemberFaults } from '@flotilla/fleet/faults';
import type { ManualClock } from './manual-clock.ts';
import type { ScheduledFaults } from './random-faults.ts';

/** What `flotilla member fail` can break. */
export interface Failures {
  readonly workloads?: boolean;
  /** Share of the requests to the member's API server, in [0, 1]. */
  readonly api?: number;
  readonly agent?: boolean;
  readonly webhook?: boolean;
  /** How far the member's clock is ahead. */
  readonly clockMs?: number;
}

/** Breaks and repairs members through the hub, as `flotilla member` does. Each call resolves when it is in force. */
export class TestFaults {
  readonly #hub: Client;
  readonly #clock: ManualClock;

  constructor(hub: Client, clock: ManualClock) {
    this.#hub = hub;
    this.#clock = clock;
  }

  /** Ends all faults of a member. */
  start(member: string): Promise<void> {
    return this.#change(member, () => noFaults);
  }

  stop(member: string): Promise<void> {
    return this.#add(member, { isStopped: true });
  }

  partition(member: string): Promise<void> {
    return this.#add(member, { isPartitioned: true });
  }

  slow(member: string, delayMs: number): Promise<void> {
    return this.#add(member, { delayMs });
  }

  fail(member: string, failures: Failures = { workloads: true }): Promise<void> {
    const { workloads, api, agent, webhook, clockMs } = failures;
    return this.#add(member, {
      ...(workloads !== undefined && { workloadsFail: workloads }),
      ...(api !== undefined && { failureRate: api }),
      ...(agent !== undefined && { agentCrashes: agent }),
      ...(webhook !== undefined && { webhookRefuses: webhook }),
      ...(clockMs !== undefined && { clockShiftMs: clockMs }),
    });
  }

  /** Advances the clock through a schedule, for instance one of `randomFaults`, and applies it. */
  async play(schedule: Iterable<ScheduledFaults>): Promise<void> {
    const start = this.#clock.now();
    for (const { atMs, member, faults } of schedule) {
      await this.#clock.advance(Math.max(0, start + atMs - this.#clock.now()));
      await this.#change(member, () => parseFaults(faults));
    }
  }

  #add(member: string, added: Partial<MemberFaults>): Promise<void> {
    return this.#change(member, (faults) => ({ ...faults, ...added }));
  }

  async #change(member: string, change: (faults: MemberFaults) => MemberFaults): Promise<void> {
    const faults = await changeFaults(this.#hub, member, change);
    const stopping = new AbortController();
    await this.#clock.advanceUntil(untilInForce(this.#hub, member, faults, stopping.signal));
  }
}
