import { memberNamespace, works, type Work } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { startFleet, type RunningFleet, type StartFleetOptions } from '@flotilla/fleet';
import { apiVersionOf, type KubeObject, type ObjectMeta } from '@flotilla/kube';
import { ManualClock } from './manual-clock.ts';
import { settle } from './settle.ts';
import { TestFaults } from './test-faults.ts';

export interface TestFleetOptions extends Omit<StartFleetOptions, 'clock'> {
  readonly clock?: ManualClock;
}

/** A hub and simulated members in one process, as `flotilla up` starts them, on a clock that the test advances. */
export class TestFleet {
  readonly clock: ManualClock;
  /** The administrator's client of the hub. */
  readonly hub: Client;
  /** What `startFleet` returned. */
  readonly running: RunningFleet;
  /** Breaks and repairs members. */
  readonly faults: TestFaults;

  private constructor(clock: ManualClock, running: RunningFleet, hub: Client) {
    this.clock = clock;
    this.running = running;
    this.hub = hub;
    this.faults = new TestFaults(hub, clock);
  }

  static async start({ clock = new ManualClock(), ...options }: TestFleetOptions = {}): Promise<TestFleet> {
    // Starting generates keys and opens sockets, which takes real time. Advancing the clock now would time out requests.
    const running = await startFleet({ random: () => 0.5, ...options, clock });
    const fleet = new TestFleet(clock, running, await running.hub.client());
    await fleet.settle();
    return fleet;
  }

  /** The administrator's client of a member. */
  member(name: string): Client {
    const member = this.running.members.get(name);
    if (member === undefined) throw new RangeError(`the fleet has no member ${name}`);
    return member.client();
  }

  /** Creates a Work for a member and settles. Returns the Work with the status that the member has reported. */
  async createWork(member: string, name: string, ...manifests: KubeObject[]): Promise<Work> {
    const metadata: ObjectMeta = { name, namespace: memberNamespace(member) };
    const work = { apiVersion: apiVersionOf(works), kind: works.kind, metadata, spec: { workload: { manifests } } };
    await this.hub.create(works, work);
    await this.settle();
    return this.hub.get(works, { name, namespace: memberNamespace(member) });
  }

  /** Advances the clock until controllers and housekeeping of the hub and of all members have nothing to do. */
  settle(): Promise<void> {
    return settle(this.clock, this.running.isAtRest);
  }

  async stop(): Promise<void> {
    await this.hub.close();
    await this.running.stop();
  }
}
