import {
  families,
  memberClusters,
  type MemberCluster,
  type Placement,
  type PlacementFamily,
  type UpdateRun,
} from '@flotilla/api';
import { ignoreNotFound, isNotFound, silentLogger, type Kind, type KubeObject } from '@flotilla/kube';
import { InformerSet, type HeldInformer } from '@flotilla/runtime';
import { inParallel, pause, whenAborted } from '@flotilla/timing';
import { findProblem } from '../placement-view/workload-problem.ts';
import { nowIn, type Session } from '../session/session.ts';
import { jsonText } from '../terminal/print-list.ts';
import { UserError } from '../user-error.ts';
import { screenOf } from '../terminal/screen.ts';
import { fleetStatusOf, type FleetObjects, type StuckThing } from './fleet-status.ts';
import { statusLines } from './status-lines.ts';

export interface StatusFlags {
  readonly watch?: boolean;
  readonly output?: 'json';
}

/** Prints the state of a fleet; with `--watch` again after every change. `head` comes before it. */
export async function showStatus(session: Session, flags: StatusFlags, head: readonly string[]): Promise<void> {
  if (flags.watch) return watchStatus(session, flags, head);
  session.print(await textOf(session, await readObjects(session), flags, head));
}

async function textOf(
  session: Session,
  objects: FleetObjects,
  { output }: StatusFlags,
  head: readonly string[],
): Promise<string> {
  const found = fleetStatusOf(objects, nowIn(session));
  const status = { ...found, stuck: await explained(session, found.stuck) };
  if (output === 'json') return jsonText({ hub: session.url, ...status });
  return [...head, ...statusLines(session.url, status, session.terminal)].join('\n');
}

/** More would not be read, and every one costs requests to a member. */
const maxExplained = 20;
const askedAtOnce = 4;

/** What is stuck on several clusters is looked at on the first of them. */
function explained(session: Session, stuck: readonly StuckThing[]): Promise<StuckThing[]> {
  return inParallel([...stuck.entries()], askedAtOnce, async ([index, thing]) => {
    const [cluster, ...others] = thing.where;
    if (index >= maxExplained || cluster === undefined || thing.object === undefined) return thing;
    const problem = await findProblem(session, cluster, thing.object);
    if (problem === undefined) return thing;
    return { ...thing, why: `${thing.why}; ${others.length > 0 ? `on ${cluster}, ` : ''}${problem}` };
  });
}

/** Families that the server does not serve are left out. */
async function readObjects({ hub, signal, url }: Session): Promise<FleetObjects> {
  const list = async <T extends KubeObject>(kind: Kind<T>): Promise<readonly T[]> =>
    (await hub.list(kind, { signal })).items;
  const [clusters, ...found] = await Promise.all([
    list(memberClusters).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      throw new UserError(`${url} is not a hub: it has no MemberClusters. Name one with --kubeconfig.`);
    }),
    ...families.map(async (family) => {
      const listed = Promise.all([list(family.placement), list(family.updateRun)]);
      const objects = await listed.catch(ignoreNotFound);
      return objects && { family, placements: objects[0], runs: objects[1] };
    }),
  ]);
  return { clusters, families: found.filter((one) => one !== undefined) };
}

/** Many changes come together, and a person reads no more often. */
const redrawAfterMs = 500;

async function watchStatus(session: Session, flags: StatusFlags, head: readonly string[]): Promise<void> {
  const { hub: client, clock, signal } = session;
  // A watch that cannot begin would be tried again forever: the first list says what is wrong.
  const served = (await readObjects(session)).families.map(({ family }) => family);
  const informers = new InformerSet({ client, clock, random: Math.random, logger: silentLogger });
  const held = new Map<Kind, HeldInformer>();
  const hold = (kind: Kind): void => void held.set(kind, informers.hold(kind));
  hold(memberClusters);
  for (const { placement, updateRun } of served) [placement, updateRun].forEach(hold);
  let changed = Promise.withResolvers<void>();
  const notice = (): void => changed.resolve();
  for (const { informer } of held.values()) informer.follow({ changed: notice, reopened: notice });
  const all = <T>(kind: Kind): T[] => [...(held.get(kind)?.informer.all() ?? [])] as T[];
  const familyObjects = (family: PlacementFamily) => ({
    family,
    placements: all<Placement>(family.placement),
    runs: all<UpdateRun>(family.updateRun),
  });
  try {
    await Promise.race([
      Promise.all([...held.values()].map(({ informer }) => informer.whenReady())),
      whenAborted(signal),
    ]);
    for (let shown = ''; !signal.aborted;) {
      changed = Promise.withResolvers<void>();
      const objects = { clusters: all<MemberCluster>(memberClusters), families: served.map(familyObjects) };
      const text = await textOf(session, objects, flags, head);
      if (text !== shown)
        session.print(flags.output === 'json' ? text : screenOf(text, session.terminal, shown === ''));
      shown = text;
      await Promise.race([changed.promise, whenAborted(signal)]);
      await pause(clock, redrawAfterMs, signal);
    }
  } finally {
    for (const { release } of held.values()) await release();
  }
}
