/** Reads and writes the AppliedWork of a Work: it owns the applied objects on the member, and lists them. */
import {
  appliedWorks,
  firstManifestsAnnotation,
  type AppliedResource,
  type AppliedWork,
  type Work,
} from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { apiVersionOf, ignoreNotFound, jsonEquals, type Kind } from '@flotilla/kube';
import { NotYet, type Informer } from '@flotilla/runtime';
import type { AppliedWorkKind } from '../../applied-work-kind.ts';
import { pollMs } from '../../schedule/work-schedule.ts';
import { isApplied, type Outcome } from '../manifest/outcome.ts';
import { asWritten } from './as-written.ts';

export interface AppliedWorkDependencies {
  readonly member: Client;
  readonly appliedWorks: Informer;
  /** Sends a request that fails if the member does not serve the kind. */
  readonly requestAppliedWork: AppliedWorkKind['request'];
  /** Called with each Work and AppliedWork that was written, as the server returned it. */
  readonly onWritten: (kind: Kind, object: Work | AppliedWork) => void;
}

export async function findAppliedWork(
  name: string,
  { member, appliedWorks: informer }: Pick<AppliedWorkDependencies, 'member' | 'appliedWorks'>,
): Promise<AppliedWork | undefined> {
  if (informer.isCurrent) return informer.get({ name }) as AppliedWork | undefined;
  return member.get(appliedWorks, { name }).catch(ignoreNotFound);
}

/** An AppliedWork of the same name, if it can be used: an earlier membership may have left it with its objects. */
export async function reusableAppliedWork(
  { metadata: { name = '' } }: Work,
  dependencies: AppliedWorkDependencies,
): Promise<AppliedWork | undefined> {
  const existing = await findAppliedWork(name, dependencies);
  if (existing?.metadata.deletionTimestamp !== undefined) {
    throw new NotYet(`the AppliedWork ${name} and its objects are being deleted`, pollMs.deletedAppliedWork);
  }
  return existing;
}

/** `firstManifests`: what the first round is about to apply, if the status of the Work does not tell. */
export async function createAppliedWork(
  work: Work,
  firstManifests: string | undefined,
  { member, requestAppliedWork, onWritten }: AppliedWorkDependencies,
): Promise<AppliedWork> {
  const wanted = newAppliedWork(work, firstManifests);
  const result = await requestAppliedWork(() => member.create(appliedWorks, wanted, { identityOnly: true }));
  const created = asWritten(wanted, result);
  onWritten(appliedWorks, created);
  return created;
}

/** Lists the applied objects in the status, unless it lists them already. Returns the current AppliedWork. */
export async function writeAppliedResources(
  appliedWork: AppliedWork,
  outcomes: readonly Outcome[],
  { member, onWritten }: AppliedWorkDependencies,
): Promise<AppliedWork> {
  const appliedResources = outcomes.filter(isApplied).map(appliedResource);
  if (jsonEquals(appliedWork.status?.appliedResources ?? [], appliedResources)) return appliedWork;
  const { apiVersion, kind, spec } = appliedWork;
  const { managedFields: _managers, ...metadata } = appliedWork.metadata;
  const sent = { apiVersion, kind, metadata, spec, status: appliedResources.length > 0 ? { appliedResources } : {} };
  const written = asWritten(
    sent,
    await member.update(appliedWorks, sent, { subresource: 'status', identityOnly: true }),
  );
  onWritten(appliedWorks, written);
  return written;
}

function newAppliedWork({ metadata }: Work, firstManifests: string | undefined): AppliedWork {
  const { name = '', namespace = '' } = metadata;
  const annotations = firstManifests !== undefined && { annotations: { [firstManifestsAnnotation]: firstManifests } };
  return {
    apiVersion: apiVersionOf(appliedWorks),
    kind: appliedWorks.kind,
    metadata: { name, ...annotations },
    spec: { workName: name, workNamespace: namespace },
  };
}

function appliedResource({ identifier, live }: Outcome): AppliedResource {
  const { uid = '' } = live?.metadata ?? {};
  return { ...identifier, ...(uid !== '' && { uid }) };
}
