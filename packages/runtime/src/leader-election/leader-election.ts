/**
 * Leader election by a Lease, with client-go's protocol, so that its candidates and ours can share an election. A candidate trusts no
 * other clock: a lease expires when the candidate has not seen it change for its duration.
 */
import type { Client } from '@flotilla/client';
import {
  formatMicroTime,
  ignoreNotFound,
  jsonEquals,
  leases,
  silentLogger,
  type Lease,
  type LeaseSpec,
  type Logger,
  type MetricsRegistry,
  type ObjectKey,
} from '@flotilla/kube';
import { pause, type Clock } from '@flotilla/timing';

export interface LeaderElectionOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly lease: ObjectKey & { readonly namespace: string };
  /** Unique among the candidates. */
  readonly identity: string;
  /** How long candidates wait for a leader that does not renew. Default: 15 s. */
  readonly leaseDurationMs?: number;
  /** How long a leader tries to renew before it stops leading. Default: 10 s. */
  readonly renewDeadlineMs?: number;
  /** Between attempts. Default: 2 s. */
  readonly retryPeriodMs?: number;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** Called when the leader changes, also to this candidate; the identity is empty if there is none. */
  readonly onLeader?: (identity: string) => void;
}

/** Fraction of the retry period by which candidates wait longer, at most. */
const jitter = 1.2;

export class LeaderElection {
  readonly #options: LeaderElectionOptions &
    Required<Pick<LeaderElectionOptions, 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'>>;
  readonly #logger: Logger;
  #lease: Lease | undefined;
  #observedAt = 0;
  #reported: string | undefined;

  constructor(options: LeaderElectionOptions) {
    const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2000 } = options;
    if (leaseDurationMs <= renewDeadlineMs)
      throw new RangeError('leaseDurationMs must be greater than renewDeadlineMs');
    if (renewDeadlineMs <= jitter * retryPeriodMs) {
      throw new RangeError(`renewDeadlineMs must be greater than ${jitter} times retryPeriodMs`);
    }
    this.#options = { ...options, leaseDurationMs, renewDeadlineMs, retryPeriodMs };
    this.#logger = (options.logger ?? silentLogger).with({ lease: options.lease.name, identity: options.identity });
  }

  /** The last observed leader; empty if there is none. */
  get leader(): string {
    return this.#lease?.spec?.holderIdentity ?? '';
  }

  get isLeader(): boolean {
    return this.leader === this.#options.identity;
  }

  /**
   * Waits to be elected, then calls `lead`. Its signal aborts with the given signal, or when the lease is lost. Renews the lease until
   * `lead` settles, then releases it, so that the next candidate can lead at once. Rejects if `lead` does.
   */
  async run(lead: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<'stopped' | 'lost'> {
    if (!(await this.#acquire(signal))) return 'stopped';
    this.#setStatus(1);
    const losing = new AbortController();
    const stopping = new AbortController();
    const work = Promise.resolve().then(() => lead(AbortSignal.any([signal, losing.signal])));
    const renewal = this.#renew(stopping.signal);
    const end = await Promise.race([renewal, work.then(done, done)]);
    if (end === 'lost') losing.abort();
    else stopping.abort();
    try {
      await renewal;
      await work;
    } finally {
      this.#setStatus(0);
      if (end !== 'lost') await this.#release();
    }
    return end;
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    const { clock, random, retryPeriodMs, renewDeadlineMs } = this.#options;
    while (!signal.aborted) {
      if (await this.#attempt(renewDeadlineMs, signal)) {
        this.#logger.info('became leader');
        return true;
      }
      await pause(clock, retryPeriodMs * (1 + jitter * random()), signal);
    }
    return false;
  }

  /** Renews until the signal aborts, or until renewing has failed for too long. */
  async #renew(signal: AbortSignal): Promise<'stopped' | 'lost'> {
    const { clock, retryPeriodMs, renewDeadlineMs } = this.#options;
    let deadline = clock.elapsed() + renewDeadlineMs;
    for (;;) {
      await pause(clock, retryPeriodMs, signal);
      if (signal.aborted) return 'stopped';
      if (await this.#attempt(Math.max(0, deadline - clock.elapsed()), signal))
        deadline = clock.elapsed() + renewDeadlineMs;
      else if (!signal.aborted && (!this.isLeader || clock.elapsed() + retryPeriodMs > deadline)) {
        this.#logger.warn('lease lost, no longer leader', { leader: this.leader });
        return 'lost';
      }
    }
  }

  /** Acquires or renews the lease; false if another candidate holds it, or the request failed. */
  async #attempt(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const timeout = new AbortController();
    // Leaves time for another attempt before the deadline.
    const attemptMs = Math.min(timeoutMs, this.#options.renewDeadlineMs / 2);
    const cancel = this.#options.clock.after(attemptMs, () => timeout.abort());
    try {
      return await this.#takeOrRenew(AbortSignal.any([signal, timeout.signal]));
    } catch (error) {
      if (!signal.aborted) this.#logger.debug('lease not acquired, retrying', { error });
      return false;
    } finally {
      cancel();
      this.#report();
    }
  }

  async #takeOrRenew(signal: AbortSignal): Promise<boolean> {
    const { client, clock, lease: key } = this.#options;
    if (this.isLeader && this.#isValid() && (await this.#update(this.#lease, signal).catch(() => false))) return true;
    const existing = await client.get(leases, key, { signal }).catch(ignoreNotFound);
    if (existing === undefined) {
      const { name, namespace } = key;
      const spec = leaseHeldBy(this.#term());
      const fresh: Lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace }, spec };
      this.#observe(await client.create(leases, fresh, { signal }));
      return true;
    }
    if (this.#lease === undefined || !jsonEquals(specOf(this.#lease), specOf(existing))) this.#observe(existing);
    else this.#lease = existing;
    if (this.leader !== '' && !this.isLeader && this.#isValid()) return false;
    this.#logger.debug('acquiring the lease', { from: this.leader, at: clock.now() });
    return this.#update(existing, signal);
  }

  async #update(lease: Lease | undefined, signal: AbortSignal): Promise<boolean> {
    if (lease === undefined) return false;
    const next = { ...lease, spec: leaseHeldBy(this.#term(), specOf(lease)) };
    this.#observe(await this.#options.client.update(leases, next, { signal }));
    return true;
  }

  async #release(): Promise<void> {
    const { client, clock, lease: key, renewDeadlineMs } = this.#options;
    const timeout = new AbortController();
    const cancel = clock.after(renewDeadlineMs, () => timeout.abort());
    try {
      const existing = await client.get(leases, key, { signal: timeout.signal });
      if (specOf(existing).holderIdentity !== this.#options.identity) return;
      const next = { ...existing, spec: releasedLease(specOf(existing), new Date(clock.now())) };
      this.#observe(await client.update(leases, next, { signal: timeout.signal }));
      this.#logger.info('lease released');
    } catch (error) {
      this.#logger.warn('lease not released', { error });
    } finally {
      cancel();
      this.#report();
    }
  }

  #term() {
    const { identity, leaseDurationMs, clock } = this.#options;
    return { identity, durationMs: leaseDurationMs, now: new Date(clock.now()) };
  }

  #observe(lease: Lease): void {
    this.#lease = lease;
    this.#observedAt = this.#options.clock.elapsed();
  }

  /** By our own clock, since the last observed change. */
  #isValid(): boolean {
    const { leaseDurationSeconds = 0 } = specOf(this.#lease);
    return this.#observedAt + leaseDurationSeconds * 1000 > this.#options.clock.elapsed();
  }

  #report(): void {
    if (this.#reported === this.leader || this.#lease === undefined) return;
    this.#reported = this.leader;
    this.#options.onLeader?.(this.leader);
  }

  #setStatus(value: 0 | 1): void {
    this.#options.metrics
      ?.gauge({
        name: 'leader_election_master_status',
        help: '1 if this process leads, 0 if it waits, by the name of the lease',
        labels: ['name'],
      })
      .with(this.#options.lease.name)
      .set(value);
  }
}

function done(): 'stopped' {
  return 'stopped';
}

function specOf(lease: Lease | undefined): LeaseSpec {
  return lease?.spec ?? {};
}

interface Term {
  readonly identity: string;
  readonly durationMs: number;
  readonly now: Date;
}

/** The spec of a new or continued term. */
function leaseHeldBy({ identity, durationMs, now }: Term, before: LeaseSpec = {}): LeaseSpec {
  const { holderIdentity = '', acquireTime, leaseTransitions = 0 } = before;
  const time = formatMicroTime(now);
  const isSameTerm = holderIdentity === identity;
  const isFirstTerm = Object.keys(before).length === 0;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.floor(durationMs / 1000),
    acquireTime: isSameTerm ? (acquireTime ?? time) : time,
    renewTime: time,
    leaseTransitions: isSameTerm || isFirstTerm ? leaseTransitions : leaseTransitions + 1,
  };
}

/** Without a holder and valid for a second, so that the next candidate can acquire it at once. */
function releasedLease({ leaseTransitions = 0 }: LeaseSpec, now: Date): LeaseSpec {
  const time = formatMicroTime(now);
  return { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time, leaseTransitions };
}
