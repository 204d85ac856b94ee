/** Applies the faults that users want to the members of a running fleet, and reports what is in force. */
import { fleetNamespace } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  apiVersionOf,
  authenticatedGroup,
  configMaps,
  errorMessage,
  ignoreNotFound,
  isNotFound,
  jsonEquals,
  mastersGroup,
  silentLogger,
  type ConfigMap,
  type Logger,
  type User,
} from '@flotilla/kube';
import { EventRecorder, InformerSet, WorkLoop, type HeldInformer } from '@flotilla/runtime';
import { systemClock } from '@flotilla/timing';
import type { RunningHub } from '../start-hub.ts';
import type { RunningMember, StartMemberOptions } from '../start-member.ts';
import { faultConfigMap, runningMembersKey, textOf, wantedFaultsKey } from './fault-objects.ts';
import { InvalidFaults, parseFaults, printFaults } from './member-faults.ts';

export interface FaultControlOptions extends Pick<StartMemberOptions, 'clock' | 'random' | 'logger'> {
  readonly hub: RunningHub;
  /** By name. They have started. */
  readonly members: ReadonlyMap<string, RunningMember>;
}

const controller = 'flotilla-faults';

const faultUser: User = { name: controller, groups: [mastersGroup, authenticatedGroup] };

/** Members whose faults change at the same time. */
const workers = 16;

/** The key of the work loop for the report. No member has an empty name. */
const reportKey = '';

export class FaultControl {
  readonly #client: Client;
  readonly #members: ReadonlyMap<string, RunningMember>;
  readonly #logger: Logger;
  readonly #events: EventRecorder;
  readonly #loop: WorkLoop;
  readonly #held: HeldInformer;
  readonly #unsubscribe: () => void;
  /** What the ConfigMap says, as far as it is known to say something else than the faults of the member. */
  readonly #problems = new Map<string, string>();
  /** The data that was written last. */
  #reported: Readonly<Record<string, string>> = {};

  private constructor(client: Client, options: FaultControlOptions) {
    const { hub, members, clock = systemClock, random = Math.random } = options;
    const { turns, metrics } = hub.server;
    this.#client = client;
    this.#members = members;
    this.#logger = (options.logger ?? silentLogger).with({ controller });
    const shared = { client, clock, turns, random, logger: this.#logger };
    this.#events = new EventRecorder(shared);
    this.#loop = new WorkLoop({ ...shared, name: controller, metrics, workers, turn: (key) => this.#turn(key) });
    const fieldSelector = `metadata.name=${wantedFaultsKey.name}`;
    this.#held = new InformerSet({ ...shared, namespace: fleetNamespace }).hold(configMaps, { fieldSelector });
    this.#unsubscribe = this.#held.informer.subscribe((now, old) => this.#changed(now, old));
  }

  /** Resolves when the members of the fleet are reported. */
  static async start(options: FaultControlOptions): Promise<FaultControl> {
    const client = await options.hub.server.clientAs(faultUser, controller);
    const control = new FaultControl(client, options);
    try {
      await control.#create();
      control.#loop.start();
      return control;
    } catch (error) {
      await control.stop();
      throw error;
    }
  }

  /** Whether there is nothing to do until something changes. */
  get isAtRest(): boolean {
    return this.#held.informer.isSynced && this.#loop.isAtRest && this.#events.isAtRest;
  }

  /** Reports that no fleet runs any more. The faults stay wanted. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#loop.stop();
    await this.#held.release();
    await this.#events.stop();
    await this.#client.delete(configMaps, runningMembersKey).catch((error: unknown) => {
      if (!isNotFound(error)) this.#logger.warn('report of members not deleted', { message: errorMessage(error) });
    });
    await this.#client.close();
  }

  #changed(now: Changed, old: Changed): void {
    for (const name of Object.keys({ ...old?.data, ...now?.data })) {
      if (textOf(now, name) !== textOf(old, name)) this.#loop.add(name);
    }
  }

  async #turn(key: string): Promise<undefined> {
    if (key === reportKey) return this.#report();
    const wanted: Changed = this.#held.informer.get(wantedFaultsKey);
    const text = textOf(wanted, key) ?? '';
    const member = this.#members.get(key);
    try {
      if (member !== undefined) await applyText(member, text);
      else if (text !== '') throw new InvalidFaults('this fleet runs no such member');
      this.#problems.delete(key);
    } catch (error) {
      if (!(error instanceof InvalidFaults)) throw error;
      this.#refuse(key, error.message, wanted);
    }
    this.#loop.add(reportKey);
  }

  /** The member keeps the faults that it has. */
  #refuse(member: string, problem: string, wanted: Changed): void {
    this.#logger.warn('invalid faults ignored', { member, problem });
    this.#problems.set(member, problem);
    if (wanted === undefined) return;
    const about = { ...wanted, apiVersion: apiVersionOf(configMaps), kind: configMaps.kind };
    const message = `${member}: ${problem}`;
    this.#events.record({ about, type: 'Warning', reason: 'InvalidFaults', message }, controller);
  }

  #data(): Record<string, string> {
    const entries = Array.from(this.#members, ([name, member]): [string, string] => {
      const problem = this.#problems.get(name);
      const inForce = printFaults(member.faults());
      return [name, problem === undefined ? inForce : `${inForce} (ignored: ${problem})`];
    });
    return Object.fromEntries(entries);
  }

  /** Replaces the report of an earlier process. */
  async #create(): Promise<void> {
    const data = this.#data();
    const found = await this.#client.get(configMaps, runningMembersKey).catch(ignoreNotFound);
    if (found === undefined) await this.#client.create(configMaps, faultConfigMap(runningMembersKey, data));
    else if (!jsonEquals(found.data ?? {}, data)) await this.#client.update(configMaps, { ...found, data });
    this.#reported = data;
  }

  async #report(): Promise<undefined> {
    const data = this.#data();
    const changed = Object.entries(data).filter(([name, text]) => this.#reported[name] !== text);
    if (changed.length === 0) return;
    const patch = { type: 'merge', value: { data: Object.fromEntries(changed) } } as const;
    try {
      await this.#client.patch(configMaps, runningMembersKey, patch);
      this.#reported = data;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.#create();
    }
  }
}

type Changed = Readonly<ConfigMap> | undefined;

async function applyText(member: RunningMember, text: string): Promise<void> {
  const faults = parseFaults(text);
  if (printFaults(faults) !== printFaults(member.faults())) await member.setFaults(faults);
}
