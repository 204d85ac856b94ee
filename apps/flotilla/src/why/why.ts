import { memberClusters, placementLabel, type Binding, type MemberCluster, type PolicySnapshot } from '@flotilla/api';
import { latestPolicyOf, schedulingRequest } from '@flotilla/controllers/scheduling';
import { parseLabelSelector, SelectorError } from '@flotilla/kube';
import { Scheduler, type SchedulingOutcome } from '@flotilla/scheduler';
import { familyOf, findPlacement, placementText, type FoundPlacement } from '../placement-view/find-placement.ts';
import { nowIn, type Session } from '../session/session.ts';
import { jsonText } from '../terminal/print-list.ts';
import { UserError } from '../user-error.ts';
import { answerOn, type ClusterAnswer } from './cluster-answer.ts';
import { answerLines, detailLines } from './answer-lines.ts';

export interface WhyFlags {
  readonly namespace?: string;
  readonly selector?: string;
  readonly schedulerPlugin?: readonly string[];
  readonly output?: 'json';
}

/** All that a decision of the scheduler depends on. */
interface Inputs extends FoundPlacement {
  readonly snapshot: Readonly<PolicySnapshot>;
  readonly bindings: readonly Binding[];
  readonly clusters: readonly MemberCluster[];
}

/** Asks the hub's scheduler again, over the objects that the hub decided by. */
export async function explainPlacement(
  session: Session,
  name: string,
  cluster: string | undefined,
  flags: WhyFlags,
): Promise<void> {
  const inputs = await readInputs(session, name, flags.namespace);
  const scheduler = new Scheduler({ plugins: await pluginsIn(flags.schedulerPlugin ?? []) });
  const outcome = scheduler.schedule(schedulingRequest(inputs.snapshot, inputs, nowIn(session)));
  const answers = answersIn(inputs, outcome).filter(filterOf(cluster, flags.selector, inputs.clusters));
  if (cluster !== undefined && answers.length === 0) {
    throw new UserError(`there is no MemberCluster ${cluster}, and ${placementText(inputs)} does not name it.`);
  }
  const title = titleOf(inputs, outcome);
  if (flags.output === 'json') return session.print(jsonText({ ...title, clusters: answers }));
  const linesOf = cluster === undefined ? answerLines : detailLines;
  // One write: a thousand take longer than the decision.
  session.print(linesOf(title, answers, session.terminal).join('\n'));
}

async function readInputs(session: Session, name: string, namespace: string | undefined): Promise<Inputs> {
  const { hub, signal } = session;
  const family = familyOf(namespace);
  const own = {
    signal,
    labelSelector: `${placementLabel}=${name}`,
    ...(namespace !== undefined && { namespace }),
  };
  const [found, snapshots, bindings, clusters] = await Promise.all([
    findPlacement(session, name, namespace),
    hub.list(family.policySnapshot, own),
    hub.list(family.binding, own),
    hub.list(memberClusters, { signal }),
  ]);
  const snapshot = latestPolicyOf(found.placement, snapshots.items);
  if (snapshot === undefined) {
    throw new UserError(
      `the hub has not looked at ${placementText(found)} yet: it has no policy snapshot. Is a hub running?`,
    );
  }
  return { ...found, snapshot, bindings: bindings.items, clusters: clusters.items };
}

async function pluginsIn(modules: readonly string[]) {
  if (modules.length === 0) return [];
  return (await import('../hub/load-scheduler-plugins.ts')).loadSchedulerPlugins(modules);
}

const order: readonly ClusterAnswer['chosen'][] = ['yes', 'next', 'no'];

/** Chosen clusters first, then those that would be chosen next, by name otherwise. */
function answersIn({ snapshot, bindings }: Inputs, { verdicts }: SchedulingOutcome): ClusterAnswer[] {
  const policy = policyIn(snapshot);
  const current = bindings.filter(({ spec }) => spec.schedulingPolicySnapshotName === snapshot.metadata.name);
  const byCluster = new Map(current.map((binding) => [binding.spec.targetCluster, binding]));
  const recorded = new Map((snapshot.status?.targetClusters ?? []).map((one) => [one.clusterName, one]));
  const answers = Array.from(verdicts, (verdict) =>
    answerOn(verdict, policy, {
      binding: byCluster.get(verdict.cluster),
      decision: recorded.get(verdict.cluster),
    }),
  );
  const place = ({ verdict }: ClusterAnswer): number => verdict.place ?? Infinity;
  return answers.sort(
    (a, b) =>
      order.indexOf(a.chosen) - order.indexOf(b.chosen) ||
      (place(a) === place(b) ? 0 : place(a) - place(b)) ||
      (a.cluster < b.cluster ? -1 : 1),
  );
}

function policyIn({ spec: { policy } }: Readonly<PolicySnapshot>) {
  return { placementType: policy?.placementType ?? ('PickAll' as const) };
}

function filterOf(
  cluster: string | undefined,
  selector: string | undefined,
  clusters: readonly MemberCluster[],
): (answer: ClusterAnswer) => boolean {
  if (cluster !== undefined) return (answer) => answer.cluster === cluster;
  if (selector === undefined) return () => true;
  const labels = selectorIn(selector);
  const matching = new Set(
    clusters.filter(({ metadata }) => labels.matches(metadata.labels ?? {})).map(({ metadata }) => metadata.name),
  );
  return (answer) => matching.has(answer.cluster);
}

function selectorIn(text: string) {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new UserError(`-l ${text}: ${error.message}.`, { cause: error });
  }
}

/** The first line, as fields. */
export interface WhyTitle {
  readonly placement: string;
  readonly placementType: string;
  readonly policySnapshot: string;
  /** KubeFleet's sentence. */
  readonly scheduled: string;
}

function titleOf(inputs: Inputs, { condition }: SchedulingOutcome): WhyTitle {
  const { snapshot } = inputs;
  return {
    placement: placementText(inputs),
    placementType: policyIn(snapshot).placementType,
    policySnapshot: snapshot.metadata.name ?? '',
    scheduled: condition.message,
  };
}
