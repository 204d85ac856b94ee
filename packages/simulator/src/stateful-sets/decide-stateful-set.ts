import type { ApiError, LabelSelector } from '@flotilla/kube';
import type { Plan, PlannedEvent, Write } from '@flotilla/runtime';
import { kinds, type ControllerRevision, type Pod, type StatefulSet } from '../kinds.ts';
import { claim } from '../ownership/claim.ts';
import { untilAvailable } from '../pods/pod-state.ts';
import { deleteRevision } from '../revisions/controller-revision.ts';
import { inGrowingBatches } from '../status/growing-batches.ts';
import { statusWrites } from '../status/next-status.ts';
import { templateName } from './claims.ts';
import { failed, type Verb } from './events.ts';
import { ordinalOf, revisionOf } from './identity.ts';
import { revisionsOf, type Revisions, type RevisionsInput } from './revisions.ts';
import { statusOf } from './status.ts';
import { Turn, type Lookups } from './turn.ts';

/** All that the decision about a StatefulSet needs. */
export interface StatefulSetState extends Lookups {
  readonly set: Readonly<StatefulSet>;
  readonly selector: LabelSelector;
  /** The pods that it controls, and orphans of its namespace. */
  readonly candidates: readonly Readonly<Pod>[];
  readonly revisions: readonly Readonly<ControllerRevision>[];
  readonly findRevision: RevisionsInput['findRevision'];
}

const defaultHistoryLimit = 10;

/** Creates and deletes pods one after another, or all at once if the set is Parallel; when there is nothing to do, writes the status. */
export function decideStatefulSet(state: StatefulSetState, now: Date): Plan {
  const { set, selector, candidates, findRevision } = state;
  const accepts = (pod: Readonly<Pod>): boolean => ordinalOf(pod, set) !== undefined;
  const { owned, writes: adoptions } = claim(
    kinds.pod,
    { kind: kinds.statefulSet, object: set, selector, accepts },
    candidates,
  );
  const revisions = revisionsOf({ set, selector, candidates: state.revisions, findRevision });
  const status = statusOf(set, revisions, owned, now);
  const statusWrite = statusWrites(kinds.statefulSet, set, status);
  if (set.metadata.deletionTimestamp !== undefined) return { steps: [statusWrite] };

  const turn = new Turn(set, revisions, owned, state, now);
  turn.run();
  const refused = (error: ApiError) => afterRefusal(set, [...turn.claimWrites, ...turn.podWrites], statusWrite, error);
  const before = [[...adoptions, ...revisions.writes], turn.claimWrites];
  const obsolete = obsoleteRevisions(set, revisions, owned).map(deleteRevision);
  if (turn.podWrites.length > 0) {
    return { steps: [...before, ...inGrowingBatches(turn.podWrites), obsolete], events: turn.events, refused };
  }

  const { minReadySeconds = 0 } = set.spec ?? {};
  const waits = owned.flatMap((pod) => untilAvailable(pod, minReadySeconds, now) || []);
  return {
    steps: [...before, statusWrite, obsolete],
    events: turn.events,
    refused,
    ...(waits.length > 0 && { requeueAfterMs: Math.min(...waits) }),
  };
}

/** Revisions beyond the limit that no pod has. */
function obsoleteRevisions(
  set: Readonly<StatefulSet>,
  { current, update, existing }: Revisions,
  pods: readonly Readonly<Pod>[],
): Readonly<ControllerRevision>[] {
  const live = new Set([current.metadata.name, update.metadata.name, ...pods.map(revisionOf)]);
  const history = existing.filter(({ metadata }) => !live.has(metadata.name));
  const { revisionHistoryLimit = defaultHistoryLimit } = set.spec ?? {};
  return history.slice(0, Math.max(0, history.length - revisionHistoryLimit));
}

/** The server names the refused object; if it does not, the first write is meant. */
function afterRefusal(
  set: Readonly<StatefulSet>,
  writes: readonly Write[],
  statusWrite: readonly Write[],
  error: ApiError,
): Pick<Plan, 'steps' | 'events'> {
  const { kind, name } = error.status.details ?? {};
  const write = writes.find((one) => one.kind.plural === kind && nameOf(one) === name) ?? writes[0];
  const events = write === undefined ? [] : failuresOf(set, write, error.message);
  return { steps: [statusWrite], events };
}

function failuresOf(set: Readonly<StatefulSet>, write: Write, error: string): PlannedEvent[] {
  const name = nameOf(write);
  if (write.kind !== kinds.volumeClaim) return [failed(set, verbs[write.verb], `Pod ${name}`, error)];
  const pod = `Pod ${podOfClaim(set, name)}`;
  if (write.verb === 'patch') {
    return [failed(set, 'Update', pod, `could not update claim ${name} for delete policy ownerRefs: ${error}`)];
  }
  return [
    failed(set, 'Create', `Claim ${name} for ${pod}`, error),
    failed(set, 'Create', pod, `failed to create PVC ${name}: ${error}`),
  ];
}

const verbs: Readonly<Record<Write['verb'], Verb>> = {
  create: 'Create',
  update: 'Update',
  patch: 'Update',
  'json-patch': 'Update',
  delete: 'Delete',
};

function nameOf(write: Write): string {
  return 'object' in write ? (write.object.metadata.name ?? '') : write.key.name;
}

function podOfClaim({ spec, metadata }: Readonly<StatefulSet>, claimed: string): string {
  const templates = (spec?.volumeClaimTemplates ?? []).map(templateName);
  const template = templates.find((one) => claimed.startsWith(`${one}-${metadata.name}-`)) ?? '';
  return claimed.slice(template.length + 1);
}
