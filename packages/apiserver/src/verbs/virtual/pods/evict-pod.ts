import { setPodCondition, type PodFields } from '@flotilla/builtins';
import { apiErrors, type ApiResponse, type JsonObject, type KubeObject } from '@flotilla/kube';
import { deleteOptions, type DeleteOptions } from '../../../request/delete-options.ts';
import { Query } from '../../../request/query.ts';
import { writeOptions } from '../../../request/write-options.ts';
import type { Call } from '../../../call/call.ts';
import { deleteObject } from '../../writing/delete.ts';
import { budgetsOf, stillProcessed, takeDisruption, type Budget } from './disruption-budgets.ts';
import { podNamed } from '../kubelet/pod-target.ts';
import { actionDone, changePod, expectedAction, onPod, readAction } from './pod-actions.ts';
import type { ExpectedKind } from '../../body/read-object.ts';

interface Eviction extends KubeObject {
  deleteOptions?: JsonObject;
}

let expected: ExpectedKind | undefined;

/** Deletes a pod if its PodDisruptionBudget allows it. */
export async function createEviction(call: Call): Promise<ApiResponse> {
  const { info } = call;
  if (info.verb !== 'create') throw apiErrors.methodNotAllowed();
  const options = writeOptions('CreateOptions', info.query);
  expected ??= { ...expectedAction('policy', 'v1', 'Eviction'), olderApiVersion: 'policy/v1beta1' };
  const eviction = await readAction<Eviction>(call, expected, options, ({ metadata }) => {
    if (metadata.name === info.name) return;
    throw apiErrors.badRequest('name in URL does not match name in Eviction object');
  });
  const requested = deleteOptions(Query.empty, eviction.deleteOptions ?? {});
  const deletion = { ...requested, dryRun: requested.dryRun || options.dryRun };
  const pod = podNamed(call, info.name);
  const permission = needsBudget(pod) ? await permissionFor(call, pod, deletion.dryRun) : 'not-needed';
  await evict(call, pod, deletion, permission);
  return actionDone(call);
}

/** Evicting a pod that does not run, or is being deleted, is no disruption. */
function needsBudget({ metadata, status }: PodFields): boolean {
  const { phase = '' } = status as { phase?: string };
  return !['Succeeded', 'Failed', 'Pending'].includes(phase) && metadata.deletionTimestamp === undefined;
}

/** `unready`: the budget does not count this pod, provided that it does not change. */
type Permission = 'not-needed' | 'granted' | { readonly unready: Budget };

async function permissionFor(call: Call, pod: PodFields, dryRun: boolean): Promise<Permission> {
  const budgets = budgetsOf(call, pod.metadata.labels ?? {});
  const [budget] = budgets;
  if (!budget) return 'not-needed';
  if (budgets.length > 1) {
    throw apiErrors.unknown(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  if (!isReady(pod) && canEvictUnready(budget)) return { unready: budget };
  await takeDisruption(call, budget, call.info.name, dryRun);
  return 'granted';
}

function isReady({ status }: PodFields): boolean {
  return status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
}

function canEvictUnready({ spec, status }: Budget): boolean {
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  return status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0;
}

async function evict(call: Call, pod: PodFields, options: DeleteOptions, permission: Permission): Promise<void> {
  const target = onPod(call, call.info.name);
  const { resourceVersion } = pod.metadata;
  if (!options.dryRun) {
    await changePod(target, false, (newest) => {
      checkPreconditions(newest, options);
      const hasChanged = newest.metadata.resourceVersion !== resourceVersion;
      if (typeof permission === 'object' && hasChanged) throw stillProcessed(permission.unready.metadata.name ?? '');
      const reason = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };
      setPodCondition(newest, { type: 'DisruptionTarget', status: 'True', ...reason }, call.server.now());
    });
  }
  // `changePod` has checked the requested revision, and made a newer one.
  await deleteObject(
    target,
    call.info.namespace,
    call.info.name,
    { ...options, resourceVersion: undefined },
    'already-admitted',
  );
}

function checkPreconditions({ metadata }: KubeObject, { uid, resourceVersion }: DeleteOptions): void {
  const conflict = (why: string): Error => apiErrors.conflict({ resource: 'Pod', group: '' }, metadata.name ?? '', why);
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}
