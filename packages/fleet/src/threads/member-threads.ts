import type { Logger } from '@flotilla/kube';
import type { MemberFaults } from '../faults/member-faults.ts';
import type { MemberShape } from '../file/fleet-shape.ts';
import type { RunningHub } from '../start-hub.ts';
import type { RunningMember } from '../start-member.ts';
import { MemberThread } from './member-thread.ts';

/** Threads that share the embedded members of a fleet. */
export class MemberThreads {
  readonly #threads: readonly MemberThread[];

  constructor(count: number, logger: Logger | undefined) {
    this.#threads = Array.from({ length: count }, () => new MemberThread(logger));
  }

  async open(hub: RunningHub): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.open(hub)));
  }

  /** Starts a member in the thread with the fewest. */
  start(shape: MemberShape, faults: MemberFaults): Promise<RunningMember> {
    const thread = this.#threads.reduce((fewest, each) => (each.size < fewest.size ? each : fewest));
    thread.size++;
    return thread.start(shape, faults);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}
