/** What must change so that the Works of a binding are those that its snapshots make. */
import {
  resourceSnapshotIndexLabel,
  resourceSnapshotNameAnnotation,
  works as workKind,
  type Work,
} from '@flotilla/api';
import type { Write } from '@flotilla/runtime';
import { placementOf } from '../family/placement-key.ts';
import type { IsClusterScoped } from '../overrides/resource-identity.ts';
import { referenceTo } from './envelope-manifests.ts';
import { nameConflict } from './name-conflict.ts';
import { overriddenManifests } from './overridden-work.ts';
import type { RenderedWork } from './rendered-group.ts';
import type { SyncFailure } from './sync-failure.ts';
import {
  hasStrategies,
  isFromSnapshots,
  isOfEnvelope,
  newWork,
  own,
  updatedWork,
  withStrategies,
  workContext,
  type WorkContext,
} from './wanted-work.ts';
import { workNamespaceOf } from './work-names.ts';
import type { WorksState } from './works-state.ts';

export interface Sync {
  /** Independent of each other. */
  readonly writes: readonly Write[];
  readonly failure?: SyncFailure;
}

export function syncWorks(state: WorksState, isClusterScoped: IsClusterScoped): Sync {
  const { group } = state;
  const context = workContext(state);
  const live = state.works.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  // Strategies are independent of the snapshots, so they reach a Work whose snapshot is gone.
  const refreshes = live
    .filter((work) => !hasStrategies(work, context))
    .map((work) => update(withStrategies(work, context)));
  const failed = (failure: SyncFailure): Sync => ({ writes: refreshes, failure });
  if (group === undefined) {
    if (live.length > 0 && live.every((work) => isFromNamedSnapshot(work, state))) return { writes: refreshes };
    return failed({ step: 'Overridden', message: 'the master resource snapshot is not found' });
  }
  if (group.problem !== undefined) {
    const { step, problem: message, incompleteSince: waitingSince } = group;
    return failed({ step, message, ...(waitingSince !== undefined && { waitingSince }) });
  }
  const existing = group.works.map((wanted) => existingFor(wanted, live));
  for (const [index, alike] of existing.entries()) {
    const { envelope } = group.works[index] ?? {};
    if (alike.length > 1 && envelope !== undefined) return failed(duplicates(referenceTo(envelope), alike, state));
  }
  const changes = group.works.map((wanted, index) =>
    changeOf(wanted, existing[index]?.[0], state, context, isClusterScoped),
  );
  const failures = changes.flatMap(({ failure }) => failure ?? []);
  // Members get all overridden manifests, or none.
  const overrideFailure = failures.find(({ step }) => step === 'Overridden');
  if (overrideFailure !== undefined) return failed(overrideFailure);

  const kept = new Set(existing.flat());
  const surplus = live.filter((work) => !kept.has(work));
  const writes = [...changes.flatMap((change) => change.writes), ...surplus.map(removal)];
  return { writes, ...(failures[0] && { failure: failures[0] }) };
}

/** Works of envelopes are found by their labels: earlier hubs gave them random names. */
function existingFor({ envelope, name }: RenderedWork, works: readonly Readonly<Work>[]): readonly Readonly<Work>[] {
  if (envelope !== undefined) return works.filter((work) => isOfEnvelope(work, envelope));
  return works.filter(({ metadata }) => metadata.name === name);
}

function changeOf(
  wanted: RenderedWork,
  existing: Readonly<Work> | undefined,
  state: WorksState,
  context: WorkContext,
  isClusterScoped: IsClusterScoped,
): Sync {
  if (existing !== undefined && isFromSnapshots(existing, wanted, context)) {
    return { writes: hasStrategies(existing, context) ? [] : [update(withStrategies(existing, context))] };
  }
  const manifests = overriddenManifests(wanted, state, isClusterScoped);
  if (manifests.problem !== undefined) {
    return { writes: [], failure: { step: 'Overridden', message: manifests.problem } };
  }
  if (existing !== undefined) return { writes: [update(updatedWork(existing, wanted, manifests.value, context))] };
  const conflict = nameConflict(wanted.name, state);
  if (conflict === undefined) {
    return { writes: [{ verb: 'create', kind: workKind, object: newWork(wanted, manifests.value, context) }] };
  }
  if ('failure' in conflict) return { writes: [], failure: conflict.failure };
  return { writes: [update(updatedWork(conflict.abandoned, wanted, manifests.value, context))] };
}

function update(object: Work): Write {
  return { verb: 'update', kind: workKind, object };
}

function removal({ metadata: { namespace, name = '', uid = '' } }: Readonly<Work>): Write {
  return { verb: 'delete', kind: workKind, key: { namespace, name }, uid };
}

/** Works of early hubs lack the annotation. */
function isFromNamedSnapshot({ metadata }: Readonly<Work>, { binding }: WorksState): boolean {
  const { annotations = {}, labels = {} } = metadata;
  const guess = `${placementOf(binding)?.name ?? ''}-${own(labels, resourceSnapshotIndexLabel) ?? ''}-snapshot`;
  return (own(annotations, resourceSnapshotNameAnnotation) ?? guess) === binding.spec.resourceSnapshotName;
}

/** Members may have applied both, so the hub deletes neither. */
function duplicates(envelope: string, alike: readonly Readonly<Work>[], { binding }: WorksState): SyncFailure {
  const names = alike.map(({ metadata }) => metadata.name ?? '').join(' ');
  return {
    step: 'WorkSynchronized',
    message: `${alike.length} work objects found for the same envelope ${envelope}, only one expected`,
    event: {
      about: binding,
      type: 'Warning',
      reason: 'DuplicateEnvelopeWorks',
      message:
        `Multiple Work objects ([${names}]) found for envelope ${envelope} in namespace ${workNamespaceOf(binding)}; ` +
        'delete all but the oldest to recover',
    },
  };
}
