import type { ApiError, JsonObject } from '@flotilla/kube';
import { nothingToDo, type Plan, type PlannedEvent, type Write } from '@flotilla/runtime';
import { kinds, type DaemonSet, type Node, type Pod } from '../kinds.ts';
import { claim } from '../ownership/claim.ts';
import { podRefusal } from '../pods/pod-refusal.ts';
import { untilAvailable } from '../pods/pod-state.ts';
import { deleteRevision } from '../revisions/controller-revision.ts';
import { inGrowingBatches } from '../status/growing-batches.ts';
import { statusWrites } from '../status/next-status.ts';
import { daemonPod, daemonTemplate } from './daemon-pod.ts';
import { missingChanges } from './manage-nodes.ts';
import { nodeFitOf } from './node-fit.ts';
import { podsByNode, type Changes, type Placement } from './placement.ts';
import { obsoleteRevisions, revisionsOf, type RevisionsInput } from './revisions.ts';
import { outdatedChanges } from './rolling-update.ts';
import { statusOf } from './status.ts';

/** All that the decision about a DaemonSet needs. */
export interface DaemonSetState extends RevisionsInput {
  /** The pods that it controls, and orphans of its namespace. */
  readonly candidates: readonly Readonly<Pod>[];
  readonly nodes: readonly Readonly<Node>[];
  readonly failures: Placement['failures'];
  readonly hasPod: (name: string) => boolean;
}

/** At most so many pods are created, and so many deleted, in a turn. */
const maxBurst = 250;

/** Gives each node its pod, then replaces outdated pods; when there is nothing to do, writes the status. */
export function decideDaemonSet(state: DaemonSetState, now: Date): Plan {
  const { set, selector, candidates, nodes, failures } = state;
  if (set.metadata.deletionTimestamp !== undefined) return nothingToDo;
  const { owned, writes: adoptions } = claim(kinds.pod, { kind: kinds.daemonSet, object: set, selector }, candidates);
  const { hash, old, writes: revisionWrites } = revisionsOf(state, owned);
  if (hash === undefined) return { steps: [statusWrites(kinds.daemonSet, set, withCollision(set))] };

  const fit = nodeFitOf(set);
  const fits = new Map(nodes.map((node) => [node.metadata.name ?? '', fit(node)]));
  const placement: Placement = { set, hash, fits, podsByNode: podsByNode(owned), failures, now };
  const missing = missingChanges(placement);
  const changes = isEmpty(missing) ? outdatedChanges(placement) : missing;
  const status = statusWrites(kinds.daemonSet, set, statusOf(placement));
  const waits = [
    ...missing.waits,
    ...owned.flatMap((pod) => untilAvailable(pod, set.spec?.minReadySeconds ?? 0, now) || []),
  ];
  return {
    steps: [
      [...adoptions, ...revisionWrites],
      ...inGrowingBatches(creations(state, hash, changes.nodes.slice(0, maxBurst))),
      changes.leaving.slice(0, maxBurst).map((pod) => deletion(set, pod)),
      isEmpty(changes) ? status : [],
      obsoleteRevisions(set, old, owned).map(deleteRevision),
    ],
    events: changes.events,
    refused: (error) => afterRefusal(set, changes, status, error),
    ...(waits.length > 0 && { requeueAfterMs: Math.min(...waits) }),
  };
}

function isEmpty({ nodes, leaving }: Changes): boolean {
  return nodes.length + leaving.length === 0;
}

/** Another revision has the name of the present one: the next hash differs. */
function withCollision({ status }: Readonly<DaemonSet>): JsonObject {
  return { ...status, collisionCount: (status?.collisionCount ?? 0) + 1 };
}

/** A pod that is still being deleted may have the name that would be next. */
function creations({ set, hasPod }: DaemonSetState, hash: string, nodes: readonly string[]): Write[] {
  if (nodes.length === 0) return [];
  const template = daemonTemplate(set, hash);
  let ordinal = 0;
  return nodes.map((node) => {
    let object = daemonPod(template, set, node, ordinal++);
    while (hasPod(object.metadata.name ?? '')) object = daemonPod(template, set, node, ordinal++);
    const event = eventOf(set, 'Normal', 'SuccessfulCreate', `Created pod: ${object.metadata.name}`);
    return { verb: 'create', kind: kinds.pod, object, event };
  });
}

function deletion(set: Readonly<DaemonSet>, { metadata }: Readonly<Pod>): Write {
  const { namespace, name = '', uid = '' } = metadata;
  const event = eventOf(set, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
  return { verb: 'delete', kind: kinds.pod, key: { namespace, name }, uid, event };
}

function afterRefusal(
  set: Readonly<DaemonSet>,
  { nodes }: Changes,
  status: readonly Write[],
  error: ApiError,
): Pick<Plan, 'steps' | 'events'> {
  const isTerminatingNamespace = error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating');
  if (isTerminatingNamespace === true) return { steps: [status] };
  const refusal = podRefusal(error);
  const event =
    nodes.length > 0
      ? eventOf(set, 'Warning', 'FailedCreate', `Error creating: ${refusal}`)
      : eventOf(set, 'Warning', 'FailedDelete', `Error deleting: ${refusal}`);
  return { steps: [status], events: [event] };
}

function eventOf(
  about: Readonly<DaemonSet>,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): PlannedEvent {
  return { about, type, reason, message };
}
