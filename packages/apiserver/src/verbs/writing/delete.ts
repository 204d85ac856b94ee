import {
  apiErrors,
  foregroundFinalizer,
  jsonEquals,
  orphanFinalizer,
  type ApiResponse,
  type ApiStatus,
  type KubeObject,
} from '@flotilla/kube';
import { admit, validateAdmission, type Admitted, type Attributes } from '../../admission/admission.ts';
import type { DeleteOptions, PropagationPolicy } from '../../request/delete-options.ts';
import { statusResponse } from '../../response/respond.ts';
import { decodeStored } from '../../resources/object-bytes.ts';
import { storageName } from '../../resources/resource.ts';
import { StoreConflict, type Entry, type Key } from '../../store/store.ts';
import { groupResource, type Call } from '../../call/call.ts';
import { copyObject } from './copy-object.ts';
import { graceAfterDelete, setGrace, setNoGrace, type Grace } from './grace-period.ts';
import { readDeleteOptions } from '../body/read-delete-options.ts';
import { objectRepresentation, objectResponse } from '../../representation/represent.ts';
import { readEntry } from '../../representation/read-entry.ts';
import { waitUntilDurable, storeDelete, storePut } from './store-object.ts';
import { userOf } from '../../request/caller.ts';

export async function deleteOne(call: Call): Promise<ApiResponse> {
  const representation = objectRepresentation(call);
  const options = await readDeleteOptions(call);
  checkDeletable(call);
  warnOfMissingPropagation(call, options);
  const { object, isDeleted } = await deleteObject(call, call.info.namespace, call.info.name, options);
  // Kubernetes answers this deprecated option with 202.
  const status = options.orphanDependents === false && !isDeleted ? 202 : 200;
  if (isDeleted && call.resource.behavior.returnsDeletedObject !== true) {
    return statusResponse(call.request, call.info.query, {
      status: success(call, object),
      code: 200,
      warnings: call.warnings,
      form: representation,
    });
  }
  return objectResponse(call, status, object, representation);
}

function checkDeletable(call: Call): void {
  const { name } = call.info;
  const refusal = call.resource.behavior.deleteRefusal?.(name);
  if (refusal !== undefined) throw apiErrors.forbidden(groupResource(call), name, refusal);
}

export function warnOfMissingPropagation(
  { resource, warnings }: Call,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): void {
  const { missingPropagationWarning: warning } = resource.behavior;
  if (warning !== undefined && propagationPolicy === undefined && orphanDependents === undefined)
    warnings.push(warning);
}

function success({ resource }: Call, { metadata }: KubeObject): ApiStatus {
  const { name, uid } = metadata;
  const { group, plural } = resource;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { ...(name && { name }), ...(group && { group }), kind: plural, ...(uid && { uid }) },
  } as unknown as ApiStatus;
}

interface Deleted {
  /** The last state, or the object with its deletionTimestamp. In the request's version. */
  readonly object: KubeObject;
  readonly isDeleted: boolean;
}

/** An eviction has been admitted as such, and is no DELETE for admission. */
type DeletionAdmission = 'admit' | 'already-admitted';

/** Starts again if another write comes between while a webhook is called. */
export async function deleteObject(
  call: Call,
  namespace: string,
  name: string,
  options: DeleteOptions,
  admission: DeletionAdmission = 'admit',
): Promise<Deleted> {
  const { resource, server } = call;
  const key: Key = { collection: resource.collection, name: storageName(resource, namespace, name) };
  for (;;) {
    try {
      return await deleteNewest(call, key, { namespace, name, options, admission });
    } catch (error) {
      if (!(error instanceof StoreConflict)) throw error;
      await waitUntilDurable(call, key);
      await server.turns.next();
      if (call.request.signal.aborted) throw apiErrors.objectModified(groupResource(call), name);
    }
  }
}

interface RequestedDeletion {
  readonly namespace: string;
  readonly name: string;
  readonly options: DeleteOptions;
  readonly admission: DeletionAdmission;
}

async function deleteNewest(call: Call, key: Key, requested: RequestedDeletion): Promise<Deleted> {
  const { resource, server } = call;
  const { name, options } = requested;
  const entry = server.store.newest(key);
  if (!entry) {
    await waitUntilDurable(call, key);
    throw apiErrors.notFound(groupResource(call), name);
  }
  checkPreconditions(call, name, entry, options);
  const read = readEntry(resource, entry);
  const old = read instanceof Promise ? await read : read;
  const graceAt = (now: Date): ReturnType<typeof graceAfterDelete> =>
    resource.deletion && graceAfterDelete(resource.deletion, old, options.gracePeriodSeconds, now);
  if (entry.header.deletionTimestamp !== undefined && graceAt(server.now()) === 'pending') {
    return unchanged(call, key, copyObject(old));
  }
  const admitting = requested.admission === 'admit' ? admitDeletion(call, requested, old) : undefined;
  if (admitting) await admitting;

  const now = server.now();
  const object = copyObject(old);
  const grace = graceAt(now);
  if (grace === 'pending') return unchanged(call, key, object);
  const finalizers = finalizersAfter(resource.behavior.defaultPropagation, object.metadata.finalizers ?? [], options);
  const stays = finalizers.length > 0 || (grace?.period ?? 0) > 0 || (resource.deletion?.isHeld?.(object) ?? false);
  if (stays) return markForDeletion(call, { entry, old, object, finalizers, grace, now, dryRun: options.dryRun });
  // Kinds with a grace period return it as 0.
  if (grace) setGrace(object, grace);
  const shown = { object: resource.codec.inWireOrder(object), isDeleted: true };
  if (options.dryRun) return shown;
  const deleted = await storeDelete(call, key, entry.revision, decodeStored(entry.bytes));
  resource.release?.(server, decodeStored(deleted.bytes));
  if (!resource.deletion?.gracePeriod) return { object: await readEntry(resource, deleted), isDeleted: true };
  shown.object.metadata.resourceVersion = String(deleted.revision);
  return shown;
}

/** Both phases: a deletion has nothing to validate in between. */
function admitDeletion(call: Call, { namespace, name, options }: RequestedDeletion, old: KubeObject): Admitted {
  const { resource, server, info } = call;
  const attributes: Attributes = {
    operation: 'DELETE',
    resource,
    subresource: '',
    namespace,
    // Kubernetes does not name the objects of a collection.
    name: info.verb === 'deletecollection' ? '' : name,
    object: undefined,
    oldObject: old,
    options,
    user: userOf(call),
    dryRun: options.dryRun,
    server,
    warnings: call.warnings,
    audit: call.audit,
    request: call.request,
    retry: call.retry,
  };
  const admitting = admit(attributes);
  return admitting instanceof Promise
    ? admitting.then(() => validateAdmission(attributes))
    : validateAdmission(attributes);
}

async function unchanged(call: Call, key: Key, object: KubeObject): Promise<Deleted> {
  await waitUntilDurable(call, key);
  return { object, isDeleted: false };
}

interface Deletion {
  readonly entry: Entry;
  /** The stored object, in the request's version. */
  readonly old: KubeObject;
  /** An editable copy of `old`. */
  readonly object: KubeObject;
  readonly finalizers: readonly string[];
  readonly grace: Grace | undefined;
  readonly now: Date;
  readonly dryRun: boolean;
}

/** Sets deletionTimestamp. The object stays until its finalizers are removed and its grace period is over. */
async function markForDeletion(call: Call, deletion: Deletion): Promise<Deleted> {
  const { entry, old, object, finalizers, grace, now, dryRun } = deletion;
  const { key } = entry;
  const { metadata } = object;
  if (grace) setGrace(object, grace);
  else setNoGrace(object, now);
  if (finalizers.length > 0) metadata.finalizers = [...finalizers];
  else delete metadata.finalizers;
  call.resource.deletion?.mark?.(object, old, now);
  if (jsonEquals(old, object)) return unchanged(call, key, object);
  const written = await storePut(call, { key, expected: entry.revision, object, dryRun, oversize: 'store' });
  const shown = written.entry ? await readEntry(call.resource, written.entry) : (written.object ?? object);
  return { object: shown, isDeleted: false };
}

/** The propagation policy adds or removes the two finalizers that the garbage collector handles. */
function finalizersAfter(
  defaultPropagation: PropagationPolicy | undefined,
  current: readonly string[],
  { propagationPolicy, orphanDependents }: DeleteOptions,
): string[] {
  const policy =
    propagationPolicy ?? (orphanDependents === undefined ? undefined : orphanDependents ? 'Orphan' : 'Background');
  const shouldOrphan =
    policy === undefined
      ? keepsFinalizer(current, orphanFinalizer, defaultPropagation === 'Orphan')
      : policy === 'Orphan';
  const inForeground = policy === undefined ? current.includes(foregroundFinalizer) : policy === 'Foreground';
  const others = current.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer);
  return [...others, ...(shouldOrphan ? [orphanFinalizer] : []), ...(inForeground ? [foregroundFinalizer] : [])];
}

/** Without a policy an object keeps its finalizers. The default of its kind applies only if it has neither. */
function keepsFinalizer(current: readonly string[], finalizer: string, byDefault: boolean): boolean {
  if (current.includes(orphanFinalizer) || current.includes(foregroundFinalizer)) return current.includes(finalizer);
  return byDefault;
}

function checkPreconditions(
  { resource }: Call,
  name: string,
  { header, revision }: Entry,
  { uid, resourceVersion }: DeleteOptions,
): void {
  if (resource.deletion?.checkPreconditions) {
    resource.deletion.checkPreconditions(name, { uid, resourceVersion }, { uid: header.uid, revision });
    return;
  }
  const kind = { resource: resource.kind, group: resource.group };
  if (uid !== undefined && uid !== header.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${header.uid}). The object might have been deleted and then recreated`;
    throw apiErrors.conflict(kind, name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== String(revision)) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${revision}). The object might have been modified`;
    throw apiErrors.conflict(kind, name, why);
  }
}
