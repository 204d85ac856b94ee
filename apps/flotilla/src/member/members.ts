import type { Client } from '@flotilla/client';
import {
  changeFaults,
  InvalidFaults,
  noFaults,
  parseFaults,
  printFaults,
  runningMembers,
  untilInForce,
  type MemberFaults,
} from '@flotilla/fleet/faults';
import type { MemberOptions } from '../commands/member.ts';
import { print } from '../server-flags.ts';
import { findServer } from '../session/find-server.ts';
import { withHub } from '../session/with-hub.ts';
import { UserError } from '../user-error.ts';

export async function listMembers(options: MemberOptions): Promise<void> {
  await withMemberHub(options, async (hub) => {
    const members = await membersOf(hub);
    if (options.output === 'json') {
      return print(JSON.stringify(Array.from(members, ([member, text]) => ({ member, faults: listOf(text) }))));
    }
    const width = Math.max('NAME'.length, ...Array.from(members.keys(), ({ length }) => length));
    for (const [name, text] of [['NAME', 'FAULTS'] as const, ...members]) print(`${name.padEnd(width)}   ${text}`);
  });
}

/** Adds faults, written as in the ConfigMap `flotilla-faults`, to those that the member has. */
export async function addFaults(name: string, text: string, options: MemberOptions): Promise<void> {
  const added = Object.entries(parsed(text)).filter(
    ([field, value]) => value !== noFaults[field as keyof MemberFaults],
  );
  await change(name, options, (faults) => ({ ...faults, ...Object.fromEntries(added) }));
}

export async function startMember(name: string, options: MemberOptions): Promise<void> {
  await change(name, options, () => noFaults);
}

async function change(
  name: string,
  options: MemberOptions,
  changed: (faults: MemberFaults) => MemberFaults,
): Promise<void> {
  await withMemberHub(options, async (hub) => {
    const members = await membersOf(hub);
    if (!members.has(name)) throw new UserError(`there is no member ${name}; the members are ${namesIn(members)}.`);
    const faults = await changeFaults(hub, name, changed);
    await untilConfirmed(hub, name, faults, options.timeout);
    const text = printFaults(faults);
    if (options.output === 'json') return print(JSON.stringify({ member: name, faults: listOf(text) }));
    print(
      text === printFaults(noFaults)
        ? `${name} runs without faults.`
        : `${name} has faults: ${text}. End them with: flotilla member start ${name}`,
    );
  });
}

function parsed(text: string): MemberFaults {
  try {
    return parseFaults(text);
  } catch (error) {
    if (error instanceof InvalidFaults) throw new UserError(`${error.message}.`, { cause: error });
    throw error;
  }
}

async function untilConfirmed(hub: Client, name: string, faults: MemberFaults, timeoutMs: number): Promise<void> {
  const timeout = AbortSignal.timeout(timeoutMs);
  await untilInForce(hub, name, faults, timeout).catch((error: unknown) => {
    if (!timeout.aborted) throw error;
    const seconds = timeoutMs / 1000;
    throw new UserError(
      `the hub has the faults of ${name}, but no running fleet has applied them within ${seconds}s; ` +
        `look at its log, or start it with flotilla up.`,
      { cause: error },
    );
  });
}

async function membersOf(hub: Client): Promise<ReadonlyMap<string, string>> {
  const members = await runningMembers(hub);
  if (members !== undefined) return members;
  throw new UserError(
    'no fleet with simulated members runs on this server; start one with flotilla up, ' +
      'or name its hub with --kubeconfig and --context.',
  );
}

const maxNames = 20;

function namesIn(members: ReadonlyMap<string, string>): string {
  const names = [...members.keys()];
  const rest = names.length - maxNames;
  return `${names.slice(0, maxNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function listOf(text: string): string[] {
  return text === printFaults(noFaults) ? [] : text.split(', ');
}

async function withMemberHub(options: MemberOptions, use: (hub: Client) => Promise<void>): Promise<void> {
  const { kubeconfig } = await findServer(options);
  await withHub({ kubeconfig, context: options.context }, use);
}
