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

/** Events are a courtesy: nobody waits for them, and when there are too many some are left out. */
const maxPending = 1000;

/** client-go's: a server that cannot be reached is tried again every ten seconds, a dozen times. */
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
  #leftOut = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
  }

  /** `component` is who says it: a controller's name. */
  record(event: PlannedEvent, component: string): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#pending.length >= maxPending) {
      this.#leftOut++;
      return;
    }
    const now = this.#options.clock.now();
    const correlated = this.#correlator.correlate(coreEvent(event, component, now, this.#recorded++), now);
    if (correlated.action === 'drop') return;
    this.#pending.push(correlated);
    if (!this.#isWriting) this.#writing = this.#writeAll();
  }

  /** When all that was recorded is written, or given up. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  /** What waits for a server that cannot be reached is given up. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      if (next.action !== 'drop') await this.#writePatiently(next.event, next.action);
    }
    this.#isWriting = false;
    // Once for all of them: who says too much is not to fill the log as well.
    if (this.#leftOut > 0) this.#logger.warn('events left out: too many waited', { count: this.#leftOut });
    this.#leftOut = 0;
  }

  async #writePatiently(event: CoreEvent, action: 'create' | 'count'): Promise<void> {
    const { clock, random } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#write(event, action);
      } catch (error) {
        const isLast = tries >= maxTries || this.#stopping.signal.aborted;
        if (!(error instanceof ConnectionError) || isLast) return this.#giveUp(event, error);
        // Those who were cut off together do not come back together.
        await pause(clock, tries === 1 ? retryMs * random() : retryMs, this.#stopping.signal);
      }
    }
  }

  async #write(event: CoreEvent, action: 'create' | 'count'): Promise<void> {
    const { client } = this.#options;
    if (action === 'count' && (await this.#hasCounted(event))) return;
    await client.create(coreEvents, event);
  }

  /** False when there is nothing to count up: somebody deleted it, or its time was over. */
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

  /** A namespace that is going away takes no more events, and that is nobody's fault. */
  #giveUp({ reason, involvedObject: { kind, name } }: CoreEvent, error: unknown): void {
    const isExpected = isForbidden(error) || isAlreadyExists(error) || isConflict(error);
    const fields = { reason, kind, name, error };
    if (isExpected) this.#logger.debug('event refused', fields);
    else this.#logger.warn('event given up', fields);
  }
}
