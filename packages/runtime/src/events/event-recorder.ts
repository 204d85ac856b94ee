import { ConnectionError, type Client } from '@flotilla/client';
import {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isNotFound,
  keyText,
  silentLogger,
  type Logger,
} from '@flotilla/kube';
import { pause, type Clock, type LoopTurns } from '@flotilla/timing';
import type { PlannedEvent } from '../plan.ts';
import { coreEvent, coreEvents, type CoreEvent } from './core-event.ts';
import { EventCorrelator, type Correlated } from './event-correlator.ts';

export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger?: Logger;
  /** With it, events wait for turns without other work. */
  readonly turns?: LoopTurns | undefined;
}

/** Events are best effort: no caller waits for them, and excess ones are dropped. A fleet of 1,000 members records so many at its start. */
const maxPending = 10_000;

/** The more events wait, the fewer turns they wait. */
const longestWaitTurns = 200;
const patientPending = 5000;

/** client-go's: an unreachable server is retried every ten seconds, a dozen times. */
const maxTries = 12;
const retryMs = 10_000;

/** Writes at a time. A durable server commits them together. */
const maxConcurrent = 32;

/** Written while stopping. A process with more should not keep its user waiting for them. */
const maxLast = 10 * maxConcurrent;

type Recorded = Exclude<Correlated, { action: 'drop' }>;

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #logger: Logger;
  readonly #correlator = new EventCorrelator();
  readonly #pending: Recorded[] = [];
  readonly #stopping = new AbortController();
  #recorded = 0;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  #dropped = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
  }

  /** `component` is the source, usually a controller's name. */
  record(event: PlannedEvent, component: string): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#pending.length >= maxPending) {
      this.#dropped++;
      return;
    }
    const now = this.#options.clock.now();
    const correlated = this.#correlator.correlate(coreEvent(event, component, now, this.#recorded++), now);
    if (correlated.action === 'drop') return;
    this.#pending.push(correlated);
    if (!this.#isWriting) this.#writing = this.#writeAll();
  }

  /** Whether all recorded events are written or dropped. */
  get isAtRest(): boolean {
    return !this.#isWriting;
  }

  /** Resolves when all recorded events are written or dropped. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  /** Writes what waits, unless it is much. Drops events that wait for an unreachable server. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const { length: count } = this.#pending.splice(maxLast);
    if (count > 0) this.#logger.info('stopping, events dropped', { count });
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    for (;;) {
      await this.#untilIdle();
      const batch = this.#nextBatch();
      if (batch.length === 0) break;
      const unreached = await Promise.all(batch.map((next) => this.#isUnreached(next)));
      // One after another: the first that reaches the server shows that the others can.
      for (const next of batch.filter((_, index) => unreached[index])) await this.#retry(next);
    }
    this.#isWriting = false;
    // One log line for all dropped events.
    if (this.#dropped > 0) this.#logger.warn('event queue full, events dropped', { count: this.#dropped });
    this.#dropped = 0;
  }

  async #untilIdle(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    await this.#options.turns?.whenIdle(longestWaitTurns * (1 - this.#pending.length / patientPending));
  }

  /** Events that may be written at the same time: none counts another. */
  #nextBatch(): Recorded[] {
    const batch = new Map<string, Recorded>();
    while (batch.size < maxConcurrent) {
      const next = this.#pending[0];
      if (next === undefined || batch.has(keyOf(next))) break;
      batch.set(keyOf(next), next);
      this.#pending.shift();
    }
    return [...batch.values()];
  }

  async #retry(next: Recorded): Promise<void> {
    const { clock, random } = this.#options;
    for (let tries = 1; tries < maxTries; tries++) {
      // Jitter, so that processes that lost the server together do not retry together.
      await pause(clock, tries === 1 ? retryMs * random() : retryMs, this.#stopping.signal);
      if (this.#stopping.signal.aborted || !(await this.#isUnreached(next))) return;
    }
    this.#logger.warn('event dropped, server unreachable', { reason: next.event.reason });
  }

  /** Writes the event, unless the server cannot be reached. */
  async #isUnreached({ event, action }: Recorded): Promise<boolean> {
    try {
      await this.#write(event, action);
    } catch (error) {
      if (error instanceof ConnectionError) return true;
      this.#giveUp(event, error);
    }
    return false;
  }

  async #write(event: CoreEvent, action: Recorded['action']): Promise<void> {
    const { client } = this.#options;
    if (action === 'count' && (await this.#hasCounted(event))) return;
    await client.create(coreEvents, event, { identityOnly: true });
  }

  /** False if the event no longer exists. */
  async #hasCounted({ metadata, count, lastTimestamp, message }: CoreEvent): Promise<boolean> {
    const { namespace, name = '' } = metadata;
    const value = { count, lastTimestamp, message };
    try {
      const patch = { type: 'strategic', value } as const;
      await this.#options.client.patch(coreEvents, { namespace, name }, patch, { identityOnly: true });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /** A namespace that is terminating or gone refuses events, which is expected. */
  #giveUp({ reason, involvedObject: { kind, name } }: CoreEvent, error: unknown): void {
    const isExpected = [isForbidden, isNotFound, isAlreadyExists, isConflict].some((is) => is(error));
    const fields = { reason, kind, name, error };
    if (isExpected) this.#logger.debug('event refused by the server', fields);
    else this.#logger.warn('event dropped', fields);
  }
}

function keyOf({ event }: Recorded): string {
  return keyText({ namespace: event.metadata.namespace, name: event.metadata.name ?? '' });
}
