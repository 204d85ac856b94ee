/** Ensures that the member serves AppliedWork, the owner of all applied objects. */
import { appliedWorks, memberDefinitions } from '@flotilla/api';
import { ConnectionError, readJsonObject, type Client } from '@flotilla/client';
import {
  ApiError,
  apiVersionOf,
  customResourceDefinitions,
  errorMessage,
  ignoreAlreadyExists,
  isForbidden,
  isJsonObject,
  isNotFound,
  type KubeObject,
  type Logger,
} from '@flotilla/kube';
import { NotYet } from '@flotilla/runtime';
import { pause, type Clock } from '@flotilla/timing';

/** The member lacks the kind, and the agent may not install it. */
export class AppliedWorkMissing extends Error {
  override readonly name = 'AppliedWorkMissing';

  constructor() {
    super(`the member does not serve ${appliedWorks.kind} of ${apiVersionOf(appliedWorks)}`);
  }
}

export interface AppliedWorkKindOptions {
  readonly member: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether to install the definition where it is missing. */
  readonly installs: boolean;
}

/** A server serves a new definition after a short delay. */
const pollMs = 50;
const maxPolls = 200;

/** Backoff while the member does not answer, or answers with an error. */
const firstRetryMs = 250;
const maxRetryMs = 30_000;

/** The deletion of a definition takes seconds, unless a finalizer blocks it. */
const deletionMs = 1_000;

/** Installs the definition at the start, and again if it is deleted later. */
export class AppliedWorkKind {
  readonly #options: AppliedWorkKindOptions;
  #restoring: Promise<void> | undefined;
  #problem: string | undefined;

  constructor(options: AppliedWorkKindOptions) {
    this.#options = options;
  }

  /** Why the last request for an AppliedWork failed, if the kind was missing. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Resolves when the member serves the kind. Retries while the member fails; rejects if the kind is missing. */
  async whenServed(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    for (let delayMs = firstRetryMs; ; delayMs = Math.min(delayMs * 2, maxRetryMs)) {
      try {
        return await this.#ensure(signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
        logger.warn('discovery of AppliedWork failed on the member, retrying', { message: error.message, delayMs });
      }
      await pause(clock, delayMs, signal);
      signal.throwIfAborted();
    }
  }

  /** Sends a request for an AppliedWork. If the kind is missing, installs it and sends the request once more. */
  async request<T>(send: () => Promise<T>): Promise<T> {
    try {
      return this.#sent(await send());
    } catch (error) {
      if (!isKindMissing(error)) throw error;
    }
    try {
      await (this.#restoring ??= this.#restore().finally(() => (this.#restoring = undefined)));
      return this.#sent(await send());
    } catch (error) {
      this.#problem = `AppliedWorks cannot be written: ${errorMessage(error)}`;
      if (isKindMissing(error)) throw new NotYet(this.#problem, deletionMs, { cause: error });
      throw error;
    }
  }

  #sent<T>(answer: T): T {
    this.#problem = undefined;
    return answer;
  }

  async #restore(): Promise<void> {
    const { logger, installs } = this.#options;
    logger.warn('member no longer serves AppliedWork', { installsDefinition: installs });
    await this.#ensure(new AbortController().signal);
  }

  async #ensure(signal: AbortSignal): Promise<void> {
    const { member, clock, installs } = this.#options;
    if (await isServed(member, signal)) return;
    if (!installs) throw new AppliedWorkMissing();
    for (const definition of await memberDefinitions()) {
      await member
        .create(customResourceDefinitions, definition as unknown as KubeObject, { signal })
        .catch(ignoreAlreadyExists);
    }
    for (let left = maxPolls; !(await isServed(member, signal)); left--) {
      if (left === 0) throw new AppliedWorkMissing();
      await pause(clock, pollMs, signal);
      signal.throwIfAborted();
    }
  }
}

/** True also while the definition terminates, when the server refuses creates. */
function isKindMissing(error: unknown): boolean {
  return isNotFound(error) || (isForbidden(error) && error.message.endsWith('definition is terminating'));
}

async function isServed(member: Client, signal: AbortSignal): Promise<boolean> {
  try {
    const { body } = await member.request({ method: 'GET', path: `/apis/${apiVersionOf(appliedWorks)}`, signal });
    const { resources } = readJsonObject(body);
    const all = Array.isArray(resources) ? resources : [];
    return all.some((resource) => isJsonObject(resource) && resource['kind'] === appliedWorks.kind);
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
