/** For tests: members of a hub whose agent is the test itself. */
import type { Client } from '@flotilla/client';
import { registerMember } from './member-credentials.ts';
import { untilReadyToJoin } from './ready-to-join.ts';

/** Registers members, and waits until they are ready to join. */
export async function registerMembers(hub: Client, ...names: string[]): Promise<void> {
  await Promise.all(names.map((name) => registerMember(hub, name)));
  await Promise.all(names.map((name) => untilReadyToJoin(hub, name)));
}
