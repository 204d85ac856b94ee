import type { Client } from '@flotilla/client';
import type { Logger } from '@flotilla/kube';
import type { RunningSimulator, WorkloadBehaviour } from '@flotilla/simulator';
import type { ShiftedClock } from '@flotilla/timing';
import type { AgentPods } from '../agent-pods.ts';
import type { AgentMode, AgentRunner } from '../agent-runner.ts';
import type { EmbeddedServer } from '../embedded-servers.ts';
import type { HubLink } from './hub-link.ts';
import { noFaults, type MemberFaults } from './member-faults.ts';
import { setRefusingWebhook } from './refusing-webhook.ts';

/** A simulator and its connection. */
export interface ConnectedSimulator extends RunningSimulator {
  readonly disconnect: () => Promise<void>;
}

/** What a member consists of. */
export interface MemberParts {
  readonly server: EmbeddedServer;
  /** Of its workloads without faults. */
  readonly behaviour: WorkloadBehaviour;
  readonly startSimulator: (behaviour: WorkloadBehaviour) => Promise<ConnectedSimulator>;
  readonly agent: AgentRunner;
  /** Only if the agent runs in pods of the member. `changed` must be called when `areReady` has changed. */
  readonly watchAgentPods?: ((changed: () => void) => Promise<AgentPods>) | undefined;
  readonly link: HubLink;
  readonly clock: ShiftedClock;
  /** An administrator's client of the member. The caller closes it. */
  readonly client: () => Client;
  readonly logger: Logger;
}

/** Starts, stops and breaks the parts of a member. Changes happen one after another. */
export class MemberSwitch {
  readonly #parts: MemberParts;
  /** Those that are being applied, or are in force. */
  #faults: MemberFaults = noFaults;
  #inForce: MemberFaults = noFaults;
  #simulator: ConnectedSimulator | undefined;
  #doWorkloadsFail = false;
  #agentPods: AgentPods | undefined;
  /** Whether the cluster may have the configuration of the webhook, for instance from an earlier process. */
  #mayRefuse: boolean;
  #last: Promise<void> = Promise.resolve();
  #changes = 0;
  #isOver = false;

  constructor(parts: MemberParts) {
    this.#parts = parts;
    this.#mayRefuse = !parts.server.isNew;
  }

  /** The faults in force. */
  get faults(): MemberFaults {
    return this.#inForce;
  }

  /** Whether the member has nothing to do until an object changes or time passes. */
  get isAtRest(): boolean {
    const { server, agent } = this.#parts;
    if (this.#changes > 0 || !server.isAtRest() || this.#simulator?.isAtRest() === false) return false;
    // An agent that cannot reach the hub only waits.
    return this.#faults.isPartitioned || agent.isAtRest;
  }

  /** Starts what is stopped, and applies these faults. Resolves when they are in force. */
  set(faults: MemberFaults): Promise<void> {
    return this.#afterOthers(async () => {
      await this.#apply(faults);
      this.#inForce = faults;
    });
  }

  /** Stops the member for good. */
  stop(): Promise<void> {
    return this.#afterOthers(async () => {
      this.#isOver = true;
      await this.#halt();
      await this.#parts.server.stop();
    });
  }

  #afterOthers(change: () => Promise<void>): Promise<void> {
    this.#changes++;
    const done = this.#last.then(() => (this.#isOver ? undefined : change())).finally(() => this.#changes--);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #apply(faults: MemberFaults): Promise<void> {
    const { server, link, clock } = this.#parts;
    this.#faults = faults;
    link.set(faults);
    clock.shiftMs = faults.clockShiftMs;
    if (faults.isStopped) {
      await this.#halt();
      return server.halt();
    }
    // What starts now may fail to, and would hold up the next change.
    server.setFailureRate(0);
    await server.restart();
    await this.#setWebhook(faults.webhookRefuses);
    await this.#setSimulator(faults.workloadsFail);
    this.#agentPods ??= await this.#parts.watchAgentPods?.(() => this.#agentPodsChanged());
    server.setFailureRate(faults.failureRate);
    await this.#updateAgent();
  }

  async #setSimulator(doWorkloadsFail: boolean): Promise<void> {
    const { behaviour, startSimulator } = this.#parts;
    const next = doWorkloadsFail ? failing(behaviour) : behaviour;
    if (this.#simulator === undefined) this.#simulator = await startSimulator(next);
    else if (doWorkloadsFail !== this.#doWorkloadsFail) await this.#simulator.setBehaviour(next);
    this.#doWorkloadsFail = doWorkloadsFail;
  }

  #agentPodsChanged(): void {
    this.#afterOthers(() => this.#updateAgent()).catch((error: unknown) => {
      this.#parts.logger.error('agent not switched after a change of its pods', { error });
    });
  }

  async #updateAgent(): Promise<void> {
    await this.#parts.agent.setMode(this.#agentMode(), this.#isBroken());
  }

  #agentMode(): AgentMode {
    if (this.#faults.isStopped || this.#agentPods?.areReady === false) return 'off';
    return this.#faults.agentCrashes ? 'crashing' : 'running';
  }

  async #setWebhook(isRefusing: boolean): Promise<void> {
    if (!isRefusing && !this.#mayRefuse) return;
    const client = this.#parts.client();
    await setRefusingWebhook(client, isRefusing).finally(() => client.close());
    this.#mayRefuse = isRefusing;
  }

  /** Stops all but the server. */
  async #halt(): Promise<void> {
    const { agent, server } = this.#parts;
    server.setFailureRate(0);
    await agent.setMode('off', this.#isBroken());
    await this.#agentPods?.stop();
    this.#agentPods = undefined;
    const stopped = this.#simulator?.stop();
    // It may wait to try a request again.
    if (this.#isBroken()) await this.#simulator?.disconnect();
    await stopped;
    await this.#simulator?.disconnect();
    this.#simulator = undefined;
  }

  /** Whether the agent may wait for an answer that does not come. */
  #isBroken(): boolean {
    const { isStopped, isPartitioned, delayMs, failureRate } = this.#faults;
    return isStopped || isPartitioned || delayMs > 0 || failureRate > 0;
  }
}

/** Pods whose label says what becomes of them are not affected: the agent may be one of them. */
function failing(behaviour: WorkloadBehaviour): WorkloadBehaviour {
  return { ...behaviour, rules: [{ outcome: 'never' }, ...behaviour.rules] };
}
