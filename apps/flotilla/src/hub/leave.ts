import { memberClusters } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { memberAccount, untilDeleted } from '@flotilla/fleet';
import { isNotFound, jsonEquals, serviceAccounts } from '@flotilla/kube';
import type { LeaveOptions } from '../commands/leave.ts';
import { whileWaiting } from '../progress-line.ts';
import { print } from '../server-flags.ts';
import { withFoundHub } from '../session/with-hub.ts';
import { UserError } from '../user-error.ts';

/** Deletes a MemberCluster, waits until the hub has cleaned up, and deletes the service account that `flotilla join` created. */
export async function leave(name: string, options: LeaveOptions): Promise<void> {
  const { timeout } = options;
  await withFoundHub(options, async (hub) => {
    const hasAccount = await deleteMember(hub, name);
    print(
      `${name} is leaving. The hub waits until its agent has stopped applying: 15 minutes at most, unless it has another --force-delete-wait-time.`,
    );
    await whileWaiting(`Waiting for ${name}`, untilGone(hub, name, timeout));
    // Ends its tokens at once. Before, the agent needs one to confirm that it has left.
    if (hasAccount) await deleteAccount(hub, name);
    print(`${name} has left. Stop its agent.`);
  });
}

/** Returns whether the member has the account of `flotilla join`. */
async function deleteMember(hub: Client, name: string): Promise<boolean> {
  try {
    const member = await hub.get(memberClusters, { name });
    await hub.delete(memberClusters, { name });
    return jsonEquals(member.spec.identity, memberAccount(name));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new UserError(`the hub has no MemberCluster ${name}.`, { cause: error });
  }
}

async function untilGone(hub: Client, name: string, timeoutMs: number): Promise<void> {
  const timeout = AbortSignal.timeout(timeoutMs);
  await untilDeleted(hub, name, timeout).catch((error: unknown) => {
    if (!timeout.aborted) throw error;
    throw new UserError(
      `${name} has not left after ${timeoutMs / 1000}s; run the command again to wait longer, or look at the conditions of the MemberCluster.`,
      { cause: error },
    );
  });
}

async function deleteAccount(hub: Client, member: string): Promise<void> {
  const { name, namespace } = memberAccount(member);
  await hub.delete(serviceAccounts, { namespace, name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}
