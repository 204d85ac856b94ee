/** Members that a new shape of a fleet no longer has. */
import { memberClusters, type MemberCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { errorMessage, ignoreNotFound, serviceAccounts, type Logger } from '@flotilla/kube';
import { untilDeleted } from '../expected-agent.ts';
import { defaultMemberShape, type FleetShape, type MemberShape } from '../file/fleet-shape.ts';
import { accountNamed } from '../member-credentials.ts';
import { appliedTo } from './member-registration.ts';

/**
 * Embedded clusters, and real ones that an earlier shape had. MemberClusters that users created for other clusters do not
 * count. Shapes are no longer known, so they are made from the MemberClusters.
 */
export function removedMembers(
  { members }: FleetShape,
  existing: readonly MemberCluster[],
  embedded: readonly string[],
): MemberShape[] {
  const wanted = new Set(members.map(({ name }) => name));
  const own = new Set(embedded);
  return existing.flatMap((member) => {
    const name = member.metadata.name ?? '';
    const { kubeconfig, kubeContext } = appliedTo(member);
    if (wanted.has(name) || (!own.has(name) && kubeconfig === undefined)) return [];
    return {
      ...defaultMemberShape(name),
      join: 'waits',
      serviceAccount: member.spec.identity.name,
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(kubeContext !== undefined && { kubeContext }),
    };
  });
}

interface LeavingOptions {
  readonly members: readonly MemberShape[];
  /** Starts the agent of a member, without which it cannot leave. */
  readonly start: (shape: MemberShape) => Promise<{ readonly stop: () => Promise<void> }>;
  /** An administrator's client of the hub. `stop` closes it. */
  readonly hub: Client;
  readonly logger: Logger;
  readonly left: (name: string) => void;
}

/** Members that leave the fleet, while it runs. What is not done at a stop is done after the next start. */
export class LeavingMembers {
  readonly #options: LeavingOptions;
  readonly #stopping = new AbortController();
  /** Resolves when all have left, or could not. */
  readonly done: Promise<void>;
  #count: number;

  constructor(options: LeavingOptions) {
    this.#options = options;
    this.#count = options.members.length;
    this.done = Promise.all(options.members.map((shape) => this.#leave(shape))).then(() => undefined);
  }

  get isAtRest(): boolean {
    return this.#count === 0;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.done;
    await this.#options.hub.close();
  }

  async #leave(shape: MemberShape): Promise<void> {
    const { start, logger, left } = this.#options;
    try {
      const member = await start(shape);
      await this.#deleteMemberCluster(shape).finally(() => member.stop());
      left(shape.name);
    } catch (error) {
      const message = errorMessage(error);
      if (!this.#stopping.signal.aborted) logger.error('member did not leave', { cluster: shape.name, message });
    }
    this.#count--;
  }

  async #deleteMemberCluster({ name, serviceAccount }: MemberShape): Promise<void> {
    const { hub } = this.#options;
    const { signal } = this.#stopping;
    await hub.delete(memberClusters, { name }).catch(ignoreNotFound);
    await untilDeleted(hub, name, signal);
    signal.throwIfAborted();
    await hub.delete(serviceAccounts, accountNamed(serviceAccount)).catch(ignoreNotFound);
  }
}
