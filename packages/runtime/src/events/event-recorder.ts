import { ConnectionError, type Client } from '@flotilla/client';
import { isAlreadyExists, isConflict, isForbidden, isNotFound, silentLogger, type Logger } from '@flotilla/kube';
import { pause, type Clock } from '@flotilla/timing';
import type { PlannedEvent } from '../plan.ts';
import { coreEvent, coreEvents, type CoreEvent } from './core-event.ts';
import { EventCorrelator, type Correlated } from './event-correlator.ts';

export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger?: Logger;
}

/** Events are best effort: no caller waits for them, and excess ones are dropped. */
const maxPending = 1000;

/** client-go's: an unreachable server is retried every ten seconds, a dozen times. */
const maxTries = 12;
const retryMs = 10_000;

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #logger: Logger;
  readonly #correlator = new EventCorrelator();
  readonly #pending: Correlated[] = [];
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

  /** Drops events that wait for an unreachable server. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      if (next.action !== 'drop') await this.#writeWithRetries(next.event, next.action);
    }
    this.#isWriting = false;
    // One log line for all dropped events.
    if (this.#dropped > 0) this.#logger.warn('event queue full, events dropped', { count: this.#dropped });
    this.#dropped = 0;
  }

  async #writeWithRetries(event: CoreEvent, action: 'create' | 'count'): Promise<void> {
    const { clock, random } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#write(event, action);
      } catch (error) {
        const isLast = tries >= maxTries || this.#stopping.signal.aborted;
        if (!(error instanceof ConnectionError) || isLast) return this.#giveUp(event, error);
        // Jitter, so that processes that lost the server together do not retry together.
        await pause(clock, tries === 1 ? retryMs * random() : retryMs, this.#stopping.signal);
      }
    }
  }

  async #write(event: CoreEvent, action: 'create' | 'count'): Promise<void> {
    const { client } = this.#options;
    if (action === 'count' && (await this.#hasCounted(event))) return;
    await client.create(coreEvents, event);
  }

  /** False if the event no longer exists. */
  async #hasCounted({ metadata, count, lastTimestamp, message }: CoreEvent): Promise<boolean> {
    const { namespace, name = '' } = metadata;
    const value = { count, lastTimestamp, message };
    try {
      await this.#options.client.patch(coreEvents, { namespace, name }, { type: 'strategic', value });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /** A terminating namespace refuses events, which is expected. */
  #giveUp({ reason, involvedObject: { kind, name } }: CoreEvent, error: unknown): void {
    const isExpected = isForbidden(error) || isAlreadyExists(error) || isConflict(error);
    const fields = { reason, kind, name, error };
    if (isExpected) this.#logger.debug('event refused by the server', fields);
    else this.#logger.warn('event dropped', fields);
  }
}
