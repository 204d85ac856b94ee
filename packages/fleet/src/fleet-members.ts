import type { Environment } from '@flotilla/client';
import type { Membership } from '@flotilla/member';
import type { MemberFaults } from './faults/member-faults.ts';
import type { MemberShape } from './file/fleet-shape.ts';
import type { AttachedMember } from './start-attached-member.ts';
import type { RunningHub } from './start-hub.ts';
import { startMember, type RunningMember, type StartMemberOptions } from './start-member.ts';
import type { MemberThreads } from './threads/member-threads.ts';

interface FleetMembersOptions extends Omit<StartMemberOptions, 'hub' | 'shape' | 'faults'> {
  readonly hub: RunningHub;
  /** Where embedded members run, if not in this thread. */
  readonly threads: MemberThreads | undefined;
  readonly environment: Environment;
  readonly faultsOf: (name: string) => MemberFaults;
  /** A real cluster has joined or left. */
  readonly changed: (name: string, membership: Membership) => void;
}

/** The members of a running fleet. */
export class FleetMembers {
  readonly #options: FleetMembersOptions;
  /** By name. */
  readonly embedded = new Map<string, RunningMember>();
  readonly attached = new Map<string, AttachedMember>();

  constructor(options: FleetMembersOptions) {
    this.#options = options;
  }

  get isAtRest(): boolean {
    return [this.embedded, this.attached].every((members) => members.values().every((member) => member.isAtRest()));
  }

  async start(shape: MemberShape): Promise<void> {
    if (shape.kubeconfig === undefined) this.embedded.set(shape.name, await this.#embed(shape));
    else this.attached.set(shape.name, await this.#attach(shape));
  }

  /** Starts a member that leaves the fleet. The caller stops it. */
  startLeaving(shape: MemberShape): Promise<{ readonly stop: () => Promise<void> }> {
    return shape.kubeconfig === undefined ? this.#embed(shape, true) : this.#attach(shape);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.embedded.values(), ...this.attached.values()].map((member) => member.stop()));
  }

  #embed(shape: MemberShape, isLeaving = false): Promise<RunningMember> {
    const { threads } = this.#options;
    const faults = this.#options.faultsOf(shape.name);
    // The program gives the function that opens price tables to this thread only.
    if (threads && !isLeaving && shape.properties.priceTable === undefined) return threads.start(shape, faults);
    return startMember({ ...this.#options, shape, isLeaving, faults });
  }

  /** Most fleets have no real clusters. */
  async #attach(shape: MemberShape): Promise<AttachedMember> {
    const { startAttachedMember } = await import('./start-attached-member.ts');
    return startAttachedMember({
      ...this.#options,
      shape,
      onMembership: (membership) => this.#options.changed(shape.name, membership),
    });
  }
}
