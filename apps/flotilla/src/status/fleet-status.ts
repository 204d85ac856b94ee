/** The fleet at a glance: what is there, how far it is, and what is stuck. Pure: from objects of the hub to what is printed. */
import {
  conditionOf,
  placementConditionType,
  propertyNames,
  type Condition,
  type MemberCluster,
  type PerClusterStatus,
  type Placement,
  type PlacementFamily,
  type UpdateRun,
} from '@flotilla/api';
import { humanDuration } from '@flotilla/kube';
import { defaultTimeouts, healthOf, ineligibility, ineligibilityText, type Ineligibility } from '@flotilla/scheduler';
import { openConditionOf, placementRows } from '../placement-view/cluster-state.ts';
import type { PlacedObject } from '../placement-view/workload-problem.ts';
import { hasEnded, progressOf, type RunProgress } from '../placement-view/run-progress.ts';

/** What the status is made from. */
export interface FleetObjects {
  readonly clusters: readonly Readonly<MemberCluster>[];
  readonly families: readonly FamilyObjects[];
}

export interface FamilyObjects {
  readonly family: PlacementFamily;
  readonly placements: readonly Readonly<Placement>[];
  readonly runs: readonly Readonly<UpdateRun>[];
}

export interface FleetStatus {
  readonly members: readonly MemberStatus[];
  readonly placements: readonly PlacementSummary[];
  /** Runs that have not ended. */
  readonly runs: readonly RunStatus[];
  readonly stuck: readonly StuckThing[];
}

export interface MemberStatus {
  readonly name: string;
  /** `Ready`, or why it gets no placements. */
  readonly state: 'Ready' | 'Leaving' | 'Offline' | 'Silent' | 'Joining' | 'Unhealthy';
  /** Since the last heartbeat; empty if there was none. */
  readonly heartbeat: string;
  readonly nodes: string;
  /** Number of placements on it. */
  readonly placements: number;
}

export interface PlacementSummary {
  readonly placement: string;
  /** Clusters where all is done, of all that were chosen. */
  readonly done: number;
  readonly clusters: number;
  /** The state of the cluster that is furthest behind. */
  readonly state: string;
}

export interface RunStatus extends RunProgress {
  readonly run: string;
}

/** Something that does not go on by itself, as far as the hub knows. */
export interface StuckThing {
  readonly what: string;
  readonly where: readonly string[];
  readonly since: string;
  readonly why: string;
  /** The object on each of these clusters that is not applied or not available. */
  readonly object?: PlacedObject;
  /** A command that tells more. */
  readonly next: string;
}

export function fleetStatusOf({ clusters, families }: FleetObjects, now: Date): FleetStatus {
  const placed = families.flatMap(({ family, placements }) => placements.map((placement) => ({ family, placement })));
  const counts = placementCounts(placed.map(({ placement }) => placement));
  const members = clusters.map((cluster) => memberStatus(cluster, counts, now)).sort(byName(({ name }) => name));
  const runs = families.flatMap(({ runs: all }) => all.filter((run) => !hasEnded(run)));
  const runStatuses = runs.map((run) => ({ run: nameOf(run), ...progressOf(run as UpdateRun, now) }));
  return {
    members,
    placements: placed
      .map(({ family, placement }) => summaryOf(family, placement))
      .sort(byName((one) => one.placement)),
    runs: runStatuses.sort(byName(({ run }) => run)),
    stuck: [
      ...clusters.flatMap((cluster) => stuckMember(cluster, now)),
      ...placed.flatMap(({ family, placement }) => stuckPlacements(family, placement, now)),
      ...runStatuses.filter(({ state }) => state === 'Stuck').map(stuckRun),
    ],
  };
}

const memberStates: Readonly<Record<Ineligibility, MemberStatus['state']>> = {
  left: 'Leaving',
  offline: 'Offline',
  silent: 'Silent',
  'not joined': 'Joining',
  'health unknown': 'Joining',
  unhealthy: 'Unhealthy',
};

function memberStatus(cluster: Readonly<MemberCluster>, counts: ReadonlyMap<string, number>, now: Date): MemberStatus {
  const { name = '' } = cluster.metadata;
  const health = healthOf(cluster);
  const problem = ineligibility(health, defaultTimeouts, now.getTime());
  return {
    name,
    state: problem === undefined ? 'Ready' : memberStates[problem],
    heartbeat:
      health.agent === 'online' && Number.isFinite(health.heartbeatAt)
        ? humanDuration(Math.max(0, now.getTime() - health.heartbeatAt))
        : '',
    nodes: cluster.status?.properties?.[propertyNames.nodeCount]?.value ?? '',
    placements: counts.get(name) ?? 0,
  };
}

function placementCounts(placements: readonly Readonly<Placement>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { status } of placements) {
    for (const { clusterName } of status?.placementStatuses ?? []) {
      if (clusterName !== undefined) counts.set(clusterName, (counts.get(clusterName) ?? 0) + 1);
    }
  }
  return counts;
}

const done: readonly string[] = ['Available', 'DiffReported'];

function summaryOf(family: PlacementFamily, placement: Readonly<Placement>): PlacementSummary {
  const rows = placementRows(family, placement);
  const open = rows.find(({ state }) => !done.includes(state));
  return {
    placement: nameOf(placement),
    done: rows.filter(({ state }) => done.includes(state)).length,
    clusters: rows.filter(({ cluster }) => cluster !== '').length,
    state: open?.state ?? rows.at(-1)?.state ?? '',
  };
}

function stuckMember(cluster: Readonly<MemberCluster>, now: Date): StuckThing[] {
  const health = healthOf(cluster);
  const problem = ineligibility(health, defaultTimeouts, now.getTime());
  if (problem === undefined || problem === 'left') return [];
  const { name = '', creationTimestamp } = cluster.metadata;
  const since = health.agent === 'online' ? health.heartbeatAt : Date.parse(creationTimestamp ?? '');
  return [
    {
      what: `MemberCluster ${name}`,
      where: [],
      since: ageOf(since, now),
      why: ineligibilityText(problem, health, now.getTime()),
      next: `flotilla describe membercluster ${name}`,
    },
  ];
}

/** Clusters of a placement with the same problem are one thing. Those that only wait for their turn are not stuck. */
function stuckPlacements(family: PlacementFamily, placement: Readonly<Placement>, now: Date): StuckThing[] {
  const { metadata, status } = placement;
  const command = `${metadata.name}${metadata.namespace === undefined ? '' : ` -n ${metadata.namespace}`}`;
  const common = { what: `${family.placement.kind} ${nameOf(placement)}` };
  const scheduled = conditionOf(status?.conditions, placementConditionType(family.placement, 'scheduled'));
  const things = new Map<string, StuckThing>();
  for (const cluster of status?.placementStatuses ?? []) {
    const open = openConditionOf(cluster.conditions ?? []);
    const failure = failureIn(cluster);
    if (open === undefined || !isStuck(open, failure !== undefined, now)) continue;
    const why = `not ${open.type}: ${failure?.text ?? open.message}`;
    const known = things.get(why);
    const where = [...(known?.where ?? []), cluster.clusterName ?? ''].sort();
    const since = known?.since ?? ageOf(Date.parse(open.lastTransitionTime), now);
    const object = failure && { object: failure.object };
    things.set(why, { ...common, where, since, why, ...object, next: `flotilla tree ${command}` });
  }
  const found = [...things.values()];
  if (scheduled?.status !== 'False') return found;
  const since = ageOf(Date.parse(scheduled.lastTransitionTime), now);
  return [{ ...common, where: [], since, why: scheduled.message, next: `flotilla why ${command}` }, ...found];
}

/** Agents take this long to apply, and workloads to become available, as a rule. */
const patienceMs = 30_000;

/** Unknown means under way, a rollout that has not started waits for its turn, and `Scheduled` is reported for the whole placement. */
function isStuck({ type, status, lastTransitionTime }: Condition, hasFailed: boolean, now: Date): boolean {
  if (status !== 'False' || type === 'Scheduled' || type === 'RolloutStarted') return false;
  const isUnderWay = type === 'Available' || (type === 'Applied' && !hasFailed);
  return !isUnderWay || now.getTime() - Date.parse(lastTransitionTime) > patienceMs;
}

/** The object that failed says more than the condition about all of them. */
function failureIn({ failedPlacements = [] }: PerClusterStatus): { text: string; object: PlacedObject } | undefined {
  const [first] = failedPlacements;
  if (first === undefined) return undefined;
  const name = first.namespace === undefined ? first.name : `${first.namespace}/${first.name}`;
  const rest = failedPlacements.length - 1;
  const { group, version, kind, namespace } = first;
  return {
    text: `${kind} ${name}: ${first.condition.message}${rest > 0 ? ` (and ${rest} more)` : ''}`,
    object: { group, version, kind, name: first.name, ...(namespace !== undefined && { namespace }) },
  };
}

function stuckRun({ run, waitingFor, stage }: RunStatus): StuckThing {
  return {
    what: `update run ${run}`,
    where: [],
    since: '',
    why: `stage ${stage} waits for ${waitingFor.join(', ')}`,
    next: 'kubectl-fleet runs',
  };
}

function ageOf(since: number, now: Date): string {
  return Number.isFinite(since) ? humanDuration(Math.max(0, now.getTime() - since)) : '';
}

function nameOf({ metadata: { namespace, name = '' } }: Readonly<Placement | UpdateRun>): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function byName<T>(name: (one: T) => string): (a: T, b: T) => number {
  return (a, b) => (name(a) < name(b) ? -1 : 1);
}
