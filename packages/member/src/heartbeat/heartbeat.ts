/**
 * Reconciles the InternalMemberCluster on the member's side: joins or leaves as its spec says, and writes heartbeats to its
 * status. There is one object, so the work loop has one key.
 */
import { internalMemberClusters, memberNamespace, memberStates, type InternalMemberCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  ApiError,
  errorMessage,
  isNotFound,
  jsonEquals,
  type Counter,
  type Logger,
  type MetricsRegistry,
} from '@flotilla/kube';
import { TransientError, WorkLoop, type EventRecorder, type HeldInformer, type InformerSet } from '@flotilla/runtime';
import { LoopTurns, type Clock } from '@flotilla/timing';
import { within } from '../properties/deadline.ts';
import type { NamespaceChange, PropertyCollector } from '../properties/property-collector.ts';
import {
  failedToJoinUpdate,
  failedToLeaveUpdate,
  heartbeatAge,
  isSameReport,
  joinedUpdate,
  leftUpdate,
  type StatusUpdate,
} from './agent-status.ts';
import { heartbeatDelay, periodOf } from './heartbeat-delay.ts';
import { writeStatus } from './write-status.ts';

/** Joins and leaves with the member. */
export interface Joining {
  join(): void;
  leave(): Promise<void>;
}

export interface HeartbeatOptions {
  /** The member's name on the hub. */
  readonly name: string;
  readonly hub: Client;
  /** Of the member's namespace on the hub. */
  readonly informers: InformerSet;
  readonly member: Client;
  readonly applier: Joining;
  /** Why the agent cannot work although the member is ready. */
  readonly problem?: () => string | undefined;
  readonly properties: PropertyCollector;
  readonly events: EventRecorder;
  /** Called after the hub has a new state of the membership. */
  readonly onMembership?: ((membership: Membership) => void) | undefined;
  readonly clock: Clock;
  readonly turns?: LoopTurns | undefined;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** KubeFleet's names: in logs and metrics, and as the source of events. */
const controller = 'internalmembercluster-controller';
const component = 'v1beta1InternalMemberClusterController';

/** For changes between heartbeats: a placement that creates one namespace often creates others. */
const gatherMs = 200;
const minReportIntervalMs = 10_000;
/** Deleted placements take many namespaces with them. A report in each second of that costs a third of its CPU. */
const quietMs = 3000;

/** The state of the membership that is in the status on the hub. */
export type Membership = 'joined' | 'left';

interface TurnResult {
  readonly membership?: Membership;
  readonly requeueAfterMs?: number;
  /** The status is written, but reports a problem: retry before the next heartbeat is due. */
  readonly problem?: string | undefined;
}

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #logger: Logger;
  readonly #counters: MembershipCounters;
  readonly #held: HeldInformer;
  readonly #unsubscribe: () => void;
  readonly #loop: WorkLoop;
  readonly #turns: LoopTurns;
  readonly #stopping = new AbortController();
  readonly #joined = Promise.withResolvers<void>();
  #membership: Membership | undefined;
  /** When the last turn wrote a status, by `clock.elapsed()`. */
  #reportedAt = Number.NEGATIVE_INFINITY;
  /** Cancels the report before the next heartbeat, while one is planned. */
  #cancelEarly: (() => void) | undefined;
  #cancelQuiet: () => void = () => undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#logger = options.logger.with({ controller });
    this.#counters = membershipCounters(options.metrics);
    const { clock, turns = new LoopTurns(), metrics } = options;
    const turn = (): Promise<number | undefined> => this.#turn();
    this.#turns = turns;
    this.#loop = new WorkLoop({ name: controller, clock, turns, logger: this.#logger, metrics, turn });
    this.#loop.start();
    this.#held = options.informers.hold(internalMemberClusters);
    this.#unsubscribe = this.#held.informer.subscribe((now, old) => this.#changed(now as Changed, old as Changed));
  }

  /** Resolves when the hub has the first status of a joined member. */
  get joined(): Promise<void> {
    return this.#joined.promise;
  }

  get membership(): Membership | undefined {
    return this.#membership;
  }

  /** Whether there is nothing to do until something changes or time passes. */
  get isAtRest(): boolean {
    return this.#held.informer.isSynced && this.#loop.isAtRest;
  }

  /** Why the watch on the hub fails at the moment. */
  get failure(): string | undefined {
    return this.#held.informer.failure;
  }

  /**
   * Reports before the next heartbeat is due. Changes that come together, or one after another, cost one report in ten seconds.
   * Namespaces that are gone are also reported when no others have gone for three seconds: placements still choose the cluster for them.
   * While the thread is busy, as with a thousand agents in it, these reports wait: each costs the hub as much as half a Work.
   */
  reportSoon(change: NamespaceChange): void {
    if (this.#membership !== 'joined') return;
    const { clock } = this.#options;
    const delayMs = Math.max(gatherMs, this.#reportedAt + minReportIntervalMs - clock.elapsed());
    this.#cancelEarly ??= this.#reportAfter(delayMs);
    if (change !== 'gone') return;
    this.#cancelQuiet();
    this.#cancelQuiet = this.#reportAfter(quietMs);
  }

  #reportAfter(delayMs: number): () => void {
    const { name, clock } = this.#options;
    let isCancelled = false;
    const report = (): void => {
      if (!isCancelled) this.#loop.add(name);
    };
    const stop = clock.after(delayMs, () => this.#turns.whenSpare(report));
    return () => {
      isCancelled = true;
      stop();
    };
  }

  #cancelReports(): void {
    this.#cancelEarly?.();
    this.#cancelEarly = undefined;
    this.#cancelQuiet();
  }

  /** Aborts a running turn. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelReports();
    this.#unsubscribe();
    await this.#loop.stop();
    await this.#held.release();
  }

  /** Ignores changes of the status, such as heartbeats. */
  #changed(now: Changed, old: Changed): void {
    if (now?.metadata.name !== this.#options.name) return;
    if (old === undefined || old.metadata.generation !== now.metadata.generation) this.#loop.add(this.#options.name);
  }

  async #turn(): Promise<number | undefined> {
    const { name } = this.#options;
    const member = this.#held.informer.get({ namespace: memberNamespace(name), name }) as Changed;
    if (member === undefined) return undefined;
    // This turn reports what has changed by now.
    this.#cancelReports();
    try {
      const { membership, requeueAfterMs, problem } = await this.#reconcile(member);
      if (membership !== undefined) this.#setMembership(membership);
      if (problem !== undefined) throw new TransientError(problem);
      return requeueAfterMs;
    } catch (error) {
      // Limits the backoff: a failing agent still sends a heartbeat in each period.
      this.#loop.addAfter(name, periodOf(member) * 1000);
      throw error;
    }
  }

  #setMembership(membership: Membership): void {
    if (membership === this.#membership) return;
    this.#membership = membership;
    if (membership === 'joined') this.#joined.resolve();
    this.#options.onMembership?.(membership);
  }

  #reconcile(member: InternalMemberCluster): Promise<TurnResult> {
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

  async #join(member: InternalMemberCluster): Promise<TurnResult> {
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
    const problem = unhealthy ?? report.problem?.message;
    const requeueAfterMs = heartbeatDelay(periodOf(member), random);
    const sinceLastMs = this.#sinceSameReport(member, update);
    if (sinceLastMs !== undefined && sinceLastMs < requeueAfterMs)
      return { membership: 'joined', requeueAfterMs: requeueAfterMs - sinceLastMs, problem };
    if (!(await this.#write(member, update))) return {};
    this.#reportedAt = clock.elapsed();
    return { membership: 'joined', requeueAfterMs, problem };
  }

  /**
   * How long ago the hub got this report from an agent that ran before this one; undefined if it is new. A process with a thousand agents
   * that restarts would begin with a thousand heartbeats.
   */
  #sinceSameReport(member: InternalMemberCluster, { status }: StatusUpdate): number | undefined {
    const age = this.#membership === undefined ? heartbeatAge(member, this.#now()) : undefined;
    // A time in the future is that of another clock.
    return age === undefined || age < 0 || !isSameReport(status, member.status) ? undefined : age;
  }

  async #leave(member: InternalMemberCluster): Promise<TurnResult> {
    try {
      await this.#options.applier.leave();
    } catch (error) {
      await this.#write(member, failedToLeaveUpdate(member, errorMessage(error), this.#now())).catch(() => undefined);
      throw error;
    }
    return (await this.#write(member, leftUpdate(member, this.#now()))) ? { membership: 'left' } : {};
  }

  /** Returns false if the InternalMemberCluster was deleted. */
  async #write(member: InternalMemberCluster, { status, events, transition }: StatusUpdate): Promise<boolean> {
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
    if (transition !== undefined) this.#counters[transition].add();
    return true;
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}

type Changed = InternalMemberCluster | undefined;

interface MembershipCounters {
  readonly joined: Counter;
  readonly left: Counter;
}

/** Under KubeFleet's metric names. */
function membershipCounters(metrics: MetricsRegistry): MembershipCounters {
  const counter = (name: string, help: string): Counter =>
    metrics.counter({ name, help, labels: ['result'] }).with('success');
  return {
    joined: counter('join_result_counter', 'Number of times the member joined the fleet'),
    left: counter('leave_result_counter', 'Number of times the member left the fleet'),
  };
}

const probeTimeoutMs = 10_000;

/** Resolves with undefined if the member's API server is ready, else with the reason. */
async function probeHealth(member: Client, clock: Clock, signal: AbortSignal): Promise<string | undefined> {
  const timeout = new AbortController();
  const request = { method: 'GET', path: '/readyz', signal: AbortSignal.any([signal, timeout.signal]) };
  const probe = member
    .request(request)
    .then(({ status }) => (status === 200 ? undefined : probeProblem(status)), probeFailure);
  const answer = await within({ milliseconds: probeTimeoutMs, clock, signal }, probe);
  if (answer !== 'timed-out') return answer;
  timeout.abort();
  return probeProblem(0, 'the request timed out');
}

function probeFailure(error: unknown): string {
  return error instanceof ApiError ? probeProblem(error.code) : probeProblem(0, errorMessage(error));
}

function probeProblem(code: number, detail?: string): string {
  return `health probe failed with status code ${code}${detail === undefined ? '' : `: ${detail}`}`;
}
