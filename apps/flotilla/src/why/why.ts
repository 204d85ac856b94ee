import {
  memberClusters,
  ocmPlacementLabel,
  placementDecisions,
  placementLabel,
  type MemberCluster,
  type PlacementDecision,
} from '@flotilla/api';
import { parseLabelSelector, SelectorError, type ObjectKey } from '@flotilla/kube';
import { familyOf, findPlacement } from '../placement-view/find-placement.ts';
import { nowIn, type Session } from '../session/session.ts';
import { jsonText } from '../terminal/print-list.ts';
import { UserError } from '../user-error.ts';
import { answerLines, detailLines } from './answer-lines.ts';
import type { WhyInputs } from './answers.ts';
import type { ClusterAnswer } from './cluster-answer.ts';

export interface WhyFlags {
  readonly namespace?: string;
  readonly selector?: string;
  readonly schedulerPlugin?: readonly string[];
  readonly output?: 'json';
}

/** Prints for every cluster why a placement has chosen it or not. */
export async function explainPlacement(
  session: Session,
  name: string,
  cluster: string | undefined,
  flags: WhyFlags,
): Promise<void> {
  const reading = readInputs(session, name, flags.namespace);
  // The scheduler is loaded while the hub answers.
  const [read, { whyAnswers, candidateSource }, plugins] = await Promise.all([
    reading,
    import('./answers.ts'),
    pluginsIn(flags.schedulerPlugin ?? []),
  ]);
  const inputs = { ...read, placementDecisions: await readDecisions(session, candidateSource(read.placement)) };
  const all = whyAnswers(inputs, plugins, nowIn(session));
  const answers = { ...all, clusters: all.clusters.filter(filterOf(cluster, flags.selector, inputs.clusters)) };
  if (cluster !== undefined && answers.clusters.length === 0) {
    throw new UserError(`there is no MemberCluster ${cluster}, and ${all.placement} does not name it.`);
  }
  if (flags.output === 'json') return session.print(jsonText(answers));
  const linesOf = cluster === undefined ? answerLines : detailLines;
  // One write: a thousand take longer than the decision.
  session.print(linesOf(answers, session.terminal).join('\n'));
}

async function readInputs(
  session: Session,
  name: string,
  namespace: string | undefined,
): Promise<Omit<WhyInputs, 'placementDecisions'>> {
  const { hub, signal } = session;
  const family = familyOf(namespace);
  const own = {
    signal,
    labelSelector: `${placementLabel}=${name}`,
    ...(namespace !== undefined && { namespace }),
  };
  const [clusters, found, policySnapshots, bindings] = await Promise.all([
    hub.list(memberClusters, { signal }),
    findPlacement(session, name, namespace),
    hub.list(family.policySnapshot, own),
    hub.list(family.binding, own),
  ]);
  return {
    ...found,
    policySnapshots: policySnapshots.items,
    bindings: bindings.items,
    clusters: clusters.items,
  };
}

/** Those of the OCM Placement that the placement takes its candidates from, if there is one. */
async function readDecisions(
  { hub, signal }: Session,
  source: ObjectKey | string | undefined,
): Promise<readonly PlacementDecision[]> {
  if (typeof source !== 'object') return [];
  const { namespace = '', name } = source;
  const options = { namespace, labelSelector: `${ocmPlacementLabel}=${name}`, signal };
  return (await hub.list(placementDecisions, options)).items;
}

async function pluginsIn(modules: readonly string[]) {
  if (modules.length === 0) return [];
  return (await import('../hub/load-scheduler-plugins.ts')).loadSchedulerPlugins(modules);
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
