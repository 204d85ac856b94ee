import { errorMessage, type Logger } from '@flotilla/kube';
import type { RunningAgent } from '@flotilla/member';
import { pause, whenAborted, type Clock } from '@flotilla/timing';

/** `crashing`: it ends shortly after each start, and starts again after a growing delay. */
export type AgentMode = 'off' | 'running' | 'crashing';

/** An agent and its connections. */
export interface ConnectedAgent extends Pick<RunningAgent, 'isAtRest' | 'stop'> {
  /** Closes the connections, so that nothing that the agent still does succeeds. */
  readonly disconnect: () => Promise<void>;
}

interface AgentRunnerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Rejects if the signal aborts. */
  readonly start: (signal: AbortSignal) => Promise<ConnectedAgent>;
}

/** The time that a crashing agent runs. */
const crashAfterMs = 5_000;

/** A kubelet's delays between restarts. */
const firstRestartMs = 10_000;
const maxRestartMs = 300_000;

/** Starts and stops the agent of an embedded member. The caller waits for a change before the next one. */
export class AgentRunner {
  readonly #options: AgentRunnerOptions;
  #mode: AgentMode = 'off';
  /** Of the agent that runs. */
  #stopping: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();
  #started = Promise.withResolvers<void>();
  #agent: ConnectedAgent | undefined;

  constructor(options: AgentRunnerOptions) {
    this.#options = options;
  }

  get mode(): AgentMode {
    return this.#mode;
  }

  /** Whether there is nothing to do until something changes or time passes. */
  get isAtRest(): boolean {
    return this.#mode !== 'running' || this.#agent?.isAtRest() === true;
  }

  /** Resolves when the agent has started for the first time since the last change. */
  whenStarted(): Promise<void> {
    return this.#started.promise;
  }

  /** Resolves when the agent of the previous mode has ended. `isAbrupt`: as if its process were killed. */
  async setMode(mode: AgentMode, isAbrupt = false): Promise<void> {
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#stopping?.abort();
    if (isAbrupt || mode === 'crashing') await this.#agent?.disconnect();
    await this.#ended;
    if (mode === 'off') return;
    const { signal } = (this.#stopping = new AbortController());
    this.#started = Promise.withResolvers<void>();
    this.#ended = this.#run(mode === 'crashing', signal);
  }

  async #run(isCrashing: boolean, signal: AbortSignal): Promise<void> {
    const { clock, logger, start } = this.#options;
    for (let delayMs = firstRestartMs; !signal.aborted; delayMs = Math.min(2 * delayMs, maxRestartMs)) {
      try {
        this.#agent = await start(signal);
        this.#started.resolve();
        await (isCrashing ? pause(clock, crashAfterMs, signal) : whenAborted(signal));
      } catch (error) {
        if (!signal.aborted) logger.error('agent did not start, retrying', { message: errorMessage(error), delayMs });
      }
      await this.#end(isCrashing);
      if (!signal.aborted) await pause(clock, delayMs, signal);
    }
  }

  async #end(isAbrupt: boolean): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    if (isAbrupt) await agent?.disconnect();
    try {
      await agent?.stop();
    } finally {
      await agent?.disconnect();
    }
  }
}
