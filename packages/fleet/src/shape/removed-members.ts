/** Members that a new shape of a fleet no longer has. */
import { memberClusters } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { errorMessage, ignoreNotFound, serviceAccounts, type Logger } from '@flotilla/kube';
import { untilDeleted } from '../expected-agent.ts';
import { defaultMemberShape, type FleetShape, type MemberShape } from '../file/fleet-shape.ts';
import { startAll } from '../join-members.ts';
import { accountNamed } from '../member-credentials.ts';
import { hasIdentity } from './register-member.ts';
import { storeFleet, type LeavingMember, type StoredFleet } from './stored-shape.ts';

/** Members of the former shape, and those that had not left it yet. */
export function removedMembers({ members }: FleetShape, former: StoredFleet | undefined): LeavingMember[] {
  const wanted = new Set(members.map(({ name }) => name));
  const known = new Map([...(former?.shape.members ?? []), ...(former?.leaving ?? [])].map((one) => [one.name, one]));
  return [...known.values()]
    .filter(({ name }) => !wanted.has(name))
    .map(({ name, serviceAccount, kubeconfig, kubeContext }) => ({
      name,
      serviceAccount,
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(kubeContext !== undefined && { kubeContext }),
    }));
}

interface LeavingOptions {
  readonly shape: FleetShape;
  readonly members: readonly LeavingMember[];
  /** Starts the agent of a member, without which it cannot leave. */
  readonly start: (shape: MemberShape) => Promise<{ readonly stop: () => Promise<void> }>;
  /** An administrator's client of the hub. */
  readonly hub: Client;
  readonly logger: Logger;
  readonly left: (name: string) => void;
}

/** Members that leave the fleet, while it runs. What is not done at a stop is done after the next start. */
export class LeavingMembers {
  readonly #options: LeavingOptions;
  readonly #stopping = new AbortController();
  /** By name. */
  readonly #remaining: Map<string, LeavingMember>;
  /** The last write of those that remain. */
  #stored: Promise<void> = Promise.resolve();
  #isDone = false;
  /** Resolves when all have left, or could not. */
  readonly done: Promise<void>;

  constructor(options: LeavingOptions) {
    this.#options = options;
    this.#remaining = new Map(options.members.map((member) => [member.name, member]));
    this.done = this.#leaveAll();
  }

  get isAtRest(): boolean {
    return this.#isDone;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.done;
  }

  async #leaveAll(): Promise<void> {
    await startAll(this.#options.members.map((member) => () => this.#leave(member)));
    await this.#stored;
    this.#isDone = true;
  }

  async #leave(member: LeavingMember): Promise<void> {
    const { logger, left } = this.#options;
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    try {
      if (await this.#isRegistered(member)) {
        await this.#deleteMemberCluster(member);
        left(member.name);
      }
      this.#remaining.delete(member.name);
      this.#stored = this.#stored.then(() => this.#store());
      await this.#stored;
    } catch (error) {
      const message = errorMessage(error);
      if (!signal.aborted) logger.error('member did not leave', { cluster: member.name, message });
    }
  }

  /** A user may have deleted its MemberCluster, or created one for another agent. */
  async #isRegistered(member: LeavingMember): Promise<boolean> {
    const found = await this.#options.hub.get(memberClusters, { name: member.name }).catch(ignoreNotFound);
    return found !== undefined && hasIdentity(found, member);
  }

  async #deleteMemberCluster(member: LeavingMember): Promise<void> {
    const { hub, start } = this.#options;
    const { signal } = this.#stopping;
    const { name, serviceAccount } = member;
    const running = await start({ ...defaultMemberShape(name), ...member, join: 'waits' });
    try {
      await hub.delete(memberClusters, { name }).catch(ignoreNotFound);
      await untilDeleted(hub, name, signal);
      signal.throwIfAborted();
    } finally {
      await running.stop();
    }
    await hub.delete(serviceAccounts, accountNamed(serviceAccount)).catch(ignoreNotFound);
  }

  #store(): Promise<void> {
    const { hub, shape } = this.#options;
    return storeFleet(hub, { shape, leaving: [...this.#remaining.values()] });
  }
}
