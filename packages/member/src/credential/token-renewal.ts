import { requestToken, type Client } from '@flotilla/client';
import { errorMessage, type Logger } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { renewalTimeOf, tokenLifeOf, type TokenLife } from './token-life.ts';

export interface TokenRenewalOptions {
  /** With the token that is renewed. */
  readonly hub: Client;
  /** The token in use. Another program may have replaced it. */
  readonly read: () => Promise<string>;
  /** Replaces the token in use. */
  readonly write: (token: string) => Promise<void>;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
}

/** A token that another program replaces counts after this time. */
const maxWaitMs = 3_600_000;

const minRetryMs = 10_000;
const maxRetryMs = 600_000;

const requestTimeoutMs = 30_000;

/** Replaces the agent's token for the hub before it expires, by a token for the same service account with the same lifetime. */
export class TokenRenewal {
  readonly #options: TokenRenewalOptions;
  readonly #stopping = new AbortController();
  /** Spreads the renewals of a fleet; the same for all renewals of this process. */
  readonly #chance: number;
  #cancel: () => void = () => undefined;
  #working: Promise<void> | undefined;

  constructor(options: TokenRenewalOptions) {
    this.#options = options;
    this.#chance = options.random();
  }

  start(): void {
    this.#wakeAfter(0);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancel();
    await this.#working;
  }

  #wakeAfter(delayMs: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#cancel = this.#options.clock.after(delayMs, () => {
      this.#working = this.#turn().then((nextMs) => this.#wakeAfter(nextMs));
    });
  }

  /** Returns when to look again. */
  async #turn(): Promise<number> {
    const { clock, logger } = this.#options;
    let life: TokenLife | undefined;
    try {
      life = tokenLifeOf(await this.#options.read());
      if (!life) return maxWaitMs;
      const waitMs = renewalTimeOf(life, this.#chance) - clock.now();
      if (waitMs > 0) return Math.min(waitMs, maxWaitMs);
      await this.#renew(life);
      return minRetryMs;
    } catch (error) {
      if (this.#stopping.signal.aborted) return maxWaitMs;
      const leftMs = (life?.expiresAt ?? clock.now()) - clock.now();
      const retryMs = Math.min(Math.max(leftMs / 10, minRetryMs), maxRetryMs);
      logger.warn('token for the hub not renewed, retrying', {
        error: errorMessage(error),
        ...(life && { expires: new Date(life.expiresAt).toISOString() }),
        retryMs,
      });
      return retryMs;
    }
  }

  async #renew({ account, issuedAt, expiresAt }: TokenLife): Promise<void> {
    const { hub, write, clock, logger } = this.#options;
    const lifeSeconds = Math.round((expiresAt - issuedAt) / 1000);
    const late = new AbortController();
    const cancel = clock.after(requestTimeoutMs, () => late.abort(new Error('the hub did not answer in time')));
    const signal = AbortSignal.any([this.#stopping.signal, late.signal]);
    const renewed = await requestToken(hub, account, lifeSeconds, signal).finally(cancel);
    await write(renewed.token);
    logger.info('token for the hub renewed', { expires: renewed.expiresAt.toISOString() });
  }
}
