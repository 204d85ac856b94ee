/** A Work cannot be created where another one has its name. */
import type { Work } from '@flotilla/api';
import { keyText } from '@flotilla/kube';
import { placementOf } from '../family/placement-key.ts';
import type { SyncFailure } from './sync-failure.ts';
import { placementOfWork } from './work-names.ts';
import type { WorksState } from './works-state.ts';

export type NameConflict =
  /** The binding of this Work is gone without it: the Work can be taken over. */
  { readonly abandoned: Readonly<Work> } | { readonly failure: SyncFailure };

/** Undefined if no Work of the member has this name. */
export function nameConflict(name: string, { works, rivals, binding }: WorksState): NameConflict | undefined {
  const former = works.find(({ metadata }) => metadata.name === name && metadata.deletionTimestamp !== undefined);
  if (former !== undefined) return { failure: stillDeleting(former) };
  const rival = rivals.find(({ work }) => work.metadata.name === name);
  if (rival === undefined) return undefined;
  if (rival.work.metadata.deletionTimestamp !== undefined) return { failure: stillDeleting(rival.work) };
  if (rival.binding === undefined) return { abandoned: rival.work };
  const theirs = placementOfWork(rival.work);
  const isOurs = theirs !== undefined && keyText(theirs) === keyText(placementOf(binding) ?? { name: '' });
  const { namespace = '' } = rival.work.metadata;
  const owner = isOurs
    ? `the binding ${keyText(rival.binding)} of the same placement`
    : `the placement ${theirs === undefined ? 'of another hub' : keyText(theirs)}; rename one of the two placements`;
  return {
    failure: { step: 'WorkSynchronized', message: `the work ${name} in namespace ${namespace} belongs to ${owner}` },
  };
}

function stillDeleting({
  metadata: { namespace = '', name = '', deletionTimestamp = '' },
}: Readonly<Work>): SyncFailure {
  return {
    step: 'WorkSynchronized',
    message: `an earlier work ${name} in namespace ${namespace} is still being deleted by the agent of the member cluster`,
    waitingSince: Date.parse(deletionTimestamp),
  };
}
