/**
 * `npm run soak -- [--members 100] [--minutes 10] [--seed 1]`: runs `flotilla up` with workloads, breaks members at random, and checks that
 * everything recovers and nothing leaks. virtual-soak.test.ts does the same under virtual time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, type Client } from '@flotilla/client';
import { changeFaults, parseFaults, runningMembers } from '@flotilla/fleet/faults';
import { randomFaults } from '@flotilla/testkit';
import { bundle } from '../../scripts/bundle.ts';
import { objectCounts, placeWorks, problemsOnHub, problemsOnMember } from './fleet-health.ts';
import { startSoakedFleet, type ProcessReport, type SoakedFleet } from './soaked-fleet.ts';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});
const [members, minutes, seed] = [values.members, values.minutes, values.seed].map(Number) as [number, number, number];
const names = Array.from({ length: members }, (_, index) => `member-${index + 1}`);

/** Agents and Works back off for at most so long. */
const recoveryMs = 16 * 60_000;

/** Before memory is measured: the stores keep what changed in the last five minutes for watches. */
const restMs = 6 * 60_000;

/** A member has settled when it has sent its next heartbeat. */
const settleMs = 60_000;

/** Faults cause Events, which live for an hour. Each takes 2.5 KiB: its JSON, header and index entry. */
const objectMib = 2.5 / 1024;

const directory = mkdtempSync(join(tmpdir(), 'flotilla-soak-'));
await bundle();
const fleet = await startSoakedFleet(members, join(directory, 'data'));
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  fleet.kill();
  rmSync(directory, { recursive: true, force: true });
}

async function soak(): Promise<boolean> {
  const hub = await connect({ kubeconfig: fleet.kubeconfig, environment: {} });
  await placeWorks(hub, names, 'first', 'nginx:1.26');
  await placeWorks(hub, names, 'second', 'nginx:1.26');
  say(`${members} members run, and 2 Deployments on each are available after ${await seconds(() => recovered(hub))} s`);
  await pause(settleMs);
  const before = await fleet.report(true);
  say(`before   ${lineOf(before)}`);
  const storedBefore = await storedObjects(hub);
  const faults = await breakMembers(hub, fleet);
  say(`${faults} faults from seed ${seed} in ${minutes} minutes have ended`);
  say(`during   ${lineOf(await fleet.report(false))}`);
  say(`everything is available again after ${await seconds(() => recovered(hub))} s`);
  await pause(restMs);
  const after = await fleet.report(true);
  say(`after    ${lineOf(after)}`);
  const added = (await storedObjects(hub)) - storedBefore;
  const stopped = await fleet.interrupt();
  say(`Ctrl-C   ended with ${stopped.code} after ${Math.round(stopped.ms)} ms`);
  await hub.close();
  const problems = [
    ...growth(before, after, added),
    ...(stopped.code === 0 && stopped.ms <= 1000 ? [] : ['Ctrl-C took too long']),
    ...fleet.errors().map((line) => `logged: ${line}`),
  ];
  for (const problem of problems) say(`FAILED   ${problem}`);
  return problems.length === 0;
}

/** Returns the number of faults. Halfway, all workloads roll out another image. */
async function breakMembers(hub: Client, { report }: SoakedFleet): Promise<number> {
  const schedule = randomFaults({ seed, members: names, durationMs: minutes * 60_000 });
  const start = performance.now();
  let hasRolledOut = false;
  let nextLine = 60_000;
  for (const { atMs, member, faults } of schedule) {
    await pause(start + atMs - performance.now());
    await changeFaults(hub, member, () => parseFaults(faults));
    if (!hasRolledOut && atMs > minutes * 30_000) {
      hasRolledOut = true;
      await placeWorks(hub, names, 'second', 'nginx:1.27');
    }
    if (atMs < nextLine) continue;
    nextLine += 60_000;
    const broken = [...((await runningMembers(hub))?.values() ?? [])].filter((text) => text !== 'none').length;
    say(`minute ${Math.floor(atMs / 60_000)}: ${broken} members have faults; ${lineOf(await report(false))}`);
  }
  return schedule.filter(({ faults }) => faults !== 'none').length;
}

/** Resolves when nothing is wrong any more. */
async function recovered(hub: Client): Promise<void> {
  let problems: string[] = [];
  for (const end = performance.now() + recoveryMs; performance.now() < end; await pause(2000)) {
    problems = await problemsOnHub(hub, Date.now());
    if (problems.length > 0) continue;
    problems = await problemsOnMembers();
    if (problems.length === 0) return;
  }
  throw new Error(`${problems.length} problems are left: ${problems.slice(0, 20).join('; ')}`);
}

async function problemsOnMembers(): Promise<string[]> {
  const problems: string[] = [];
  for (const name of names) {
    await withMember(name, async (member) => problems.push(...(await problemsOnMember(member, name))));
  }
  return problems;
}

/** Prints and returns what the memory is for. */
async function storedObjects(hub: Client): Promise<number> {
  const onHub = await objectCounts(hub);
  const onMembers = { all: 0, events: 0 };
  for (const name of names) {
    const { all, events } = await withMember(name, objectCounts);
    onMembers.all += all;
    onMembers.events += events;
  }
  say(`         ${onHub.all} objects on the hub, ${onHub.events} of them Events`);
  say(`         ${onMembers.all} objects on members, ${onMembers.events} of them Events`);
  return onHub.all + onMembers.all;
}

async function withMember<T>(name: string, use: (member: Client) => Promise<T>): Promise<T> {
  const member = await connect({ kubeconfig: fleet.kubeconfig, context: name, environment: {} });
  try {
    return await use(member);
  } finally {
    await member.close();
  }
}

/** What grew more than by chance and by the objects that the stores have now. */
function growth(before: ProcessReport, after: ProcessReport, addedObjects: number): string[] {
  const problems: string[] = [];
  // Code that has run for the first time takes memory, too.
  const heapLimitMib = 1.02 * before.heapMib + 5 + addedObjects * objectMib;
  if (after.heapMib > heapLimitMib) problems.push(`the heap has grown beyond ${heapLimitMib.toFixed(0)} MiB`);
  if (after.openFiles > before.openFiles + 2) problems.push('there are more open files');
  if (after.handles.length > before.handles.length + 5)
    problems.push(`there are more handles: ${after.handles.join(' ')}`);
  return problems;
}

function lineOf({ heapMib, rssMib, p99Ms, maxMs, handles, openFiles }: ProcessReport): string {
  const memory = `heap ${heapMib.toFixed(0)} MiB, RSS ${rssMib.toFixed(0)} MiB`;
  const loop = `event-loop delay p99 ${p99Ms.toFixed(0)} ms, max ${maxMs.toFixed(0)} ms`;
  return `${memory}, ${openFiles} open files, ${handles.length} handles, ${loop}`;
}

async function seconds(work: () => Promise<void>): Promise<string> {
  const begin = performance.now();
  await work();
  return ((performance.now() - begin) / 1000).toFixed(0);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
