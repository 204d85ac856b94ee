/**
 * The member's end of an InternalMemberCluster: does what its spec asks for, and says in its status that the member lives.
 * One object, so a loop with one key.
 */
import { internalMemberClusters, memberNamespace, memberStates, type InternalMemberCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { errorMessage, isNotFound, jsonEquals, type Logger, type MetricsRegistry } from '@flotilla/kube';
import { TransientError, WorkLoop, type EventRecorder, type HeldInformer, type InformerSet } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import type { PropertyCollector } from '../properties/property-collector.ts';
import {
  failedToJoinUpdate,
  failedToLeaveUpdate,
  joinedUpdate,
  leftUpdate,
  type StatusUpdate,
} from './agent-status.ts';
import { heartbeatDelay, periodOf } from './heartbeat-delay.ts';
import { membershipCounters, type MembershipCounters } from './membership-counters.ts';
import { probeHealth } from './probe-health.ts';
import { writeStatus } from './write-status.ts';

/** What joins and leaves with the member. */
export interface Joining {
  join(): void;
  leave(): Promise<void>;
}

export interface HeartbeatOptions {
  /** The member's, on the hub. */
  readonly name: string;
  readonly hub: Client;
  /** Of the member's namespace on the hub. */
  readonly informers: InformerSet;
  readonly member: Client;
  readonly applier: Joining;
  /** Why the agent cannot do its work though the member answers. */
  readonly problem?: () => string | undefined;
  readonly properties: PropertyCollector;
  readonly events: EventRecorder;
  /** Hears when the hub has been told something new. */
  readonly onMembership?: ((membership: Membership) => void) | undefined;
  readonly clock: Clock;
  readonly turns?: LoopTurns | undefined;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** In logs and metrics, and as the source of events: as KubeFleet calls it. */
const controller = 'internalmembercluster-controller';
const component = 'v1beta1InternalMemberClusterController';

/** What the hub was told of the member. */
export type Membership = 'joined' | 'left';

/** How a turn ended: when the next is due, if time alone is a reason for one. */
interface Turn {
  readonly membership?: Membership;
  readonly requeueAfterMs?: number;
  /** Though the status was written, something is not as it should be: try again sooner. */
  readonly problem?: string | undefined;
}

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #logger: Logger;
  readonly #counters: MembershipCounters;
  readonly #held: HeldInformer;
  readonly #unsubscribe: () => void;
  readonly #loop: WorkLoop;
  readonly #stopping = new AbortController();
  readonly #joined = Promise.withResolvers<void>();
  #membership: Membership | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#logger = options.logger.with({ controller });
    this.#counters = membershipCounters(options.metrics);
    const { clock, turns, metrics } = options;
    const turn = (): Promise<number | undefined> => this.#turn();
    this.#loop = new WorkLoop({ name: controller, clock, turns, logger: this.#logger, metrics, turn });
    this.#loop.start();
    this.#held = options.informers.hold(internalMemberClusters);
    this.#unsubscribe = this.#held.informer.subscribe((now, old) => this.#changed(now as Changed, old as Changed));
  }

  /** When the hub has been told for the first time that the member has joined. */
  get joined(): Promise<void> {
    return this.#joined.promise;
  }

  /** What the hub was last told. */
  get membership(): Membership | undefined {
    return this.#membership;
  }

  /** Nothing to do before something changes or time passes. */
  get isAtRest(): boolean {
    return this.#held.informer.isSynced && this.#loop.isAtRest;
  }

  /** Why the hub cannot be heard at the moment. */
  get trouble(): string | undefined {
    return this.#held.informer.failure;
  }

  /** A turn that is under way is ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe();
    await this.#loop.stop();
    await this.#held.release();
  }

  /** Heartbeats are changes too; only what the hub wants is a reason to act. */
  #changed(now: Changed, old: Changed): void {
    if (now?.metadata.name !== this.#options.name) return;
    if (old === undefined || old.metadata.generation !== now.metadata.generation) this.#loop.add(this.#options.name);
  }

  async #turn(): Promise<number | undefined> {
    const { name } = this.#options;
    const member = this.#held.informer.get({ namespace: memberNamespace(name), name }) as Changed;
    if (member === undefined) return undefined;
    try {
      const { membership, requeueAfterMs, problem } = await this.#act(member);
      if (membership !== undefined) this.#became(membership);
      if (problem !== undefined) throw new TransientError(problem);
      return requeueAfterMs;
    } catch (error) {
      // However often it failed: a member that lives is heard of once in a period.
      this.#loop.addAfter(name, periodOf(member) * 1000);
      throw error;
    }
  }

  #became(membership: Membership): void {
    if (membership === this.#membership) return;
    this.#membership = membership;
    if (membership === 'joined') this.#joined.resolve();
    this.#options.onMembership?.(membership);
  }

  #act(member: InternalMemberCluster): Promise<Turn> {
    switch (member.spec.state) {
      case memberStates.join:
        return this.#join(member);
      case memberStates.leave:
        return this.#leave(member);
      default:
        this.#logger.error('unknown spec.state in InternalMemberCluster', { state: member.spec.state });
        return Promise.resolve({});
    }
  }

  async #join(member: InternalMemberCluster): Promise<Turn> {
    const { applier, properties, clock, random } = this.#options;
    try {
      applier.join();
    } catch (error) {
      await this.#write(member, failedToJoinUpdate(member, errorMessage(error), this.#now())).catch(() => undefined);
      throw error;
    }
    const [unready, report] = await Promise.all([
      probeHealth(this.#options.member, clock, this.#stopping.signal),
      properties.collect(),
    ]);
    if (this.#stopping.signal.aborted) return {};
    const unhealthy = unready ?? this.#options.problem?.();
    const update = joinedUpdate(member, { unhealthy, properties: report }, this.#now());
    if (!(await this.#write(member, update))) return {};
    const requeueAfterMs = heartbeatDelay(periodOf(member), random);
    return { membership: 'joined', requeueAfterMs, problem: unhealthy ?? report.problem?.message };
  }

  async #leave(member: InternalMemberCluster): Promise<Turn> {
    try {
      await this.#options.applier.leave();
    } catch (error) {
      await this.#write(member, failedToLeaveUpdate(member, errorMessage(error), this.#now())).catch(() => undefined);
      throw error;
    }
    return (await this.#write(member, leftUpdate(member, this.#now()))) ? { membership: 'left' } : {};
  }

  /** False when the object is gone: then there is nobody to tell. */
  async #write(member: InternalMemberCluster, { status, events, news }: StatusUpdate): Promise<boolean> {
    if (!jsonEquals(status, member.status ?? {})) {
      try {
        const { hub, clock, random } = this.#options;
        await writeStatus({ ...member, status }, { hub, clock, random, signal: this.#stopping.signal });
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    }
    for (const event of events) this.#options.events.record(event, component);
    if (news !== undefined) this.#counters[news].add();
    return true;
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}

type Changed = InternalMemberCluster | undefined;
