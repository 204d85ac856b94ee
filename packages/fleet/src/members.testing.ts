/** For tests: members of a hub whose agents are played by the test. */
import type { Client } from '@flotilla/client';
import { registerMember } from './member-credentials.ts';
import { untilReadyToJoin } from './ready-to-join.ts';

/** Registers members, and waits until the hub has made their places. */
export async function registerMembers(hub: Client, ...names: string[]): Promise<void> {
  await Promise.all(names.map((name) => registerMember(hub, name)));
  await Promise.all(names.map((name) => untilReadyToJoin(hub, name)));
}
