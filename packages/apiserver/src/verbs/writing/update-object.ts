import {
  apiErrors,
  isAlreadyExists,
  isConflict,
  jsonEquals,
  keepTimes,
  pushAll,
  type KubeObject,
} from '@flotilla/kube';
import { checkEscalation } from '../../access/rbac/escalation.ts';
import { validateAdmission, type Attributes } from '../../admission/admission.ts';
import { parseFault, parseResourceVersion } from '../../request/resource-version.ts';
import { decodeStored } from '../../resources/object-bytes.ts';
import { storageName, type Reservation } from '../../resources/resource.ts';
import { StoreConflict, type Entry } from '../../store/store.ts';
import { groupResource, keyOf, type Call } from '../../call/call.ts';
import { admitObject } from './admit-object.ts';
import { dedupeOwners } from './metadata.ts';
import type { Endpoint } from '../../resources/endpoint.ts';
import { refuseInvalid } from './refuse-invalid.ts';
import { isServedAsStored, readEntry } from '../../representation/read-entry.ts';
import { knownObject } from '../../representation/shared-objects.ts';
import {
  acceptPut,
  inShownOrder,
  inStorageVersion,
  waitUntilDurable,
  storeDelete,
  type AcceptedWrite,
  type Oversize,
  type Written,
} from './store-object.ts';
import { updatedMetadataErrors } from './updated-metadata.ts';
import { writeContext } from '../../call/write-context.ts';
import { userOf } from '../../request/caller.ts';
import type { WriteOptions } from '../../request/write-options.ts';

interface Update {
  readonly call: Call;
  readonly endpoint: Endpoint;
  readonly options: WriteOptions;
  /**
   * Returns the new object with its managedFields, in the request's version. Must not edit `old`. `isReread` if `old` was stored
   * in another version or by another schema.
   */
  readonly transform: (old: KubeObject, now: Date, isReread: boolean) => KubeObject;
  /** Set if admission sees another object than the stored one: a Scale. */
  readonly view?: AdmissionView;
  /** Creates the missing object, or throws. */
  readonly onMissing: () => Written | Promise<Written>;
  /** The uid in the client's object, a precondition. */
  readonly uid?: string | undefined;
  /** The result of an apply has not been pruned by its schema yet. */
  readonly isApply?: boolean;
  /** Whether a write without resourceVersion updates the newest object. */
  readonly mayBeUnconditional: boolean;
  readonly oversize?: Oversize;
}

interface AdmissionView {
  readonly of: (object: KubeObject) => KubeObject;
  /** Writes what admission changed in the view into the object. */
  readonly writeTo: (object: KubeObject, view: KubeObject) => void;
}

interface UpdateAttributes extends Attributes {
  readonly object: KubeObject;
  readonly oldObject: KubeObject;
}

/**
 * Reads the newest object, transforms, checks and stores it. Nothing awaits between reading and accepting unless a webhook is
 * called, so most updates cannot conflict. After a conflict it starts again.
 */
export async function updateObject(update: Update): Promise<Written> {
  const { call } = update;
  const { info, server } = call;
  const key = keyOf(call, info.name);
  for (;;) {
    const entry = server.store.newest(key);
    if (!entry) {
      await waitUntilDurable(call, key);
      return update.onMissing();
    }
    try {
      const { written } = await updateEntry(update, entry);
      // An accepted write needs no retry, so this function does not wait for it.
      return written;
    } catch (error) {
      // A client reads the object after a conflict. The write that caused it must be durable by then.
      if (isConflict(error) || isAlreadyExists(error)) await waitUntilDurable(call, key);
      if (!(error instanceof StoreConflict)) throw error;
      // Lets other work run: repeated conflicts must not block the thread, nor the request's own timeout.
      await server.turns.next();
      if (call.request.signal.aborted) throw apiErrors.objectModified(groupResource(call), info.name);
    }
  }
}

async function updateEntry(update: Update, entry: Entry): Promise<AcceptedWrite> {
  const { call, endpoint, options } = update;
  const { dryRun } = options;
  const { resource, server } = call;
  const now = server.now();
  checkUid(call, update.uid, entry.header.uid, dryRun);
  // Nothing edits the old object, so that the one of the views serves.
  const read = knownObject(resource, entry) ?? readEntry(resource, entry);
  const old = read instanceof Promise ? await read : read;
  const transformed = transform(update, old, now, !isServedAsStored(resource, entry));
  const object = transformed instanceof Promise ? await transformed : transformed;
  const attributes: UpdateAttributes = {
    operation: 'UPDATE',
    resource,
    subresource: endpoint.subresource,
    namespace: call.info.namespace,
    name: call.info.name,
    object,
    oldObject: old,
    options,
    user: userOf(call),
    dryRun,
    server,
    warnings: call.warnings,
    request: call.request,
    retry: call.retry,
    audit: call.audit,
  };
  const isPatch = call.info.verb === 'patch';
  if (!isPatch) dedupeOwners(object.metadata, call.warnings);
  const admitted = inView(update, attributes);
  const admitting = admitObject(call, admitted);
  if (admitting) await admitting;
  if (admitted.reinvocation?.shouldReinvoke) update.view?.writeTo(object, admitted.object);
  checkEscalation(call, object, old);
  // Kubernetes reports this about patches as if admission had done it.
  if (isPatch) dedupeOwners(object.metadata, call.warnings, 'mutation');
  checkRevision(update, entry, object);
  const reservation = endpoint.subresource === '' ? resource.reserve?.(server, object, old, dryRun) : undefined;
  try {
    const storing = checkAndStore(update, entry, attributes, now);
    const accepted = storing instanceof Promise ? await storing : storing;
    return reservation ? { written: keepReservationIfWritten(accepted.written, reservation) } : accepted;
  } catch (error) {
    reservation?.undo();
    throw error;
  }
}

async function keepReservationIfWritten(writing: AcceptedWrite['written'], reservation: Reservation): Promise<Written> {
  try {
    const written = await writing;
    reservation.keep();
    return written;
  } catch (error) {
    reservation.undo();
    throw error;
  }
}

function checkAndStore(
  update: Update,
  entry: Entry,
  attributes: UpdateAttributes,
  now: Date,
): AcceptedWrite | Promise<AcceptedWrite> {
  const { object, oldObject: old } = attributes;
  prepare(update, object, old, now);
  validate(update, object, old, now);
  const checking = validateAdmission(inView(update, attributes));
  return checking
    ? checking.then(() => storeUpdate(update, entry, attributes))
    : storeUpdate(update, entry, attributes);
}

/** What admission sees of an update. */
function inView({ view }: Update, attributes: UpdateAttributes): UpdateAttributes {
  if (!view) return attributes;
  const { reinvocation: _none, ...others } = attributes;
  return { ...others, object: view.of(attributes.object), oldObject: view.of(attributes.oldObject) };
}

/** managedFields are updated in the version of each manager, to which a webhook may have to convert. */
function transform(
  { call, transform: run }: Update,
  old: KubeObject,
  now: Date,
  isReread: boolean,
): KubeObject | Promise<KubeObject> {
  const { whileConverting } = call.resource;
  return whileConverting ? whileConverting(() => run(old, now, isReread)) : run(old, now, isReread);
}

function storeUpdate(
  update: Update,
  entry: Entry,
  attributes: UpdateAttributes,
): AcceptedWrite | Promise<AcceptedWrite> {
  const { call, options, isApply } = update;
  const { object, oldObject: old } = attributes;
  if (isApply) call.resource.storedForm?.prune?.(object);
  if (canBeRemoved(call, object)) {
    return removeObject(call, entry, object, options.dryRun).then((removed) => ({ written: removed }));
  }
  object.metadata.resourceVersion = String(entry.revision);
  const managedFields = keepTimes(old, object);
  if (managedFields) object.metadata.managedFields = managedFields;
  // No change means no revision and no event. Controllers that write in a loop depend on it.
  if (!jsonEquals(object, old)) return storeChanged(update, entry, attributes);
  if (isServedAsStored(call.resource, entry)) return { written: unchanged(call, entry) };
  return storeUnlessStored(update, entry, attributes);
}

/** An object that was stored in another version or by another schema is rewritten even if nothing changed. */
async function storeUnlessStored(update: Update, entry: Entry, attributes: UpdateAttributes): Promise<AcceptedWrite> {
  const { call } = update;
  const { codec } = call.resource;
  const stored = codec.withRevisionSlot(await inStorageVersion(call.resource, attributes.object));
  if (jsonEquals(stored, decodeStored(entry.bytes))) return { written: unchanged(call, entry) };
  return storeChanged(update, entry, attributes);
}

function storeChanged(
  { call, options: { dryRun }, oversize }: Update,
  { key, revision: expected }: Entry,
  attributes: UpdateAttributes,
): AcceptedWrite | Promise<AcceptedWrite> {
  const { object, oldObject: old } = attributes;
  return acceptPut(call, { key, expected, object, old, dryRun, oversize, uncharged: attributes });
}

async function unchanged(call: Call, entry: Entry): Promise<Written> {
  await waitUntilDurable(call, entry.key);
  return { entry, created: false };
}

/**
 * Checks the uid in the client's object. `stored` is empty for an object that does not exist. The error names the etcd key,
 * without its prefix for a dry run.
 */
export function checkUid(call: Call, uid: string | undefined, stored: string, dryRun: boolean): void {
  if (!uid || uid === stored) return;
  const { resource, info } = call;
  const prefix = dryRun ? resource.registryPrefix.replace(/^\/registry/, '') : resource.registryPrefix;
  const key = `${prefix}/${storageName(resource, info.namespace, info.name)}`;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored}`;
  throw apiErrors.conflict(
    groupResource(call),
    info.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}

function checkRevision({ call, mayBeUnconditional }: Update, entry: Entry, object: KubeObject): void {
  const { resource, info } = call;
  const { resourceVersion = '' } = object.metadata;
  const revision = parseResourceVersion(resourceVersion);
  if (revision === undefined) throw apiErrors.unknown(parseFault(resourceVersion));
  if (revision === 0) {
    if (mayBeUnconditional) {
      object.metadata.resourceVersion = String(entry.revision);
      return;
    }
    throw apiErrors.invalid({ kind: resource.plural, group: resource.group }, info.name, [
      {
        type: 'FieldValueInvalid',
        field: 'metadata.resourceVersion',
        body: 'Invalid value: 0: must be specified for an update',
      },
    ]);
  }
  if (revision !== entry.revision) throw apiErrors.objectModified(groupResource(call), info.name);
}

/** Restores the metadata that no update may change. */
function prepare({ call, endpoint }: Update, object: KubeObject, old: KubeObject, now: Date): void {
  const { metadata } = object;
  setOrDelete(metadata, 'generation', old.metadata.generation);
  endpoint.prepareForUpdate(object, old, writeContext(call, now));
  metadata.uid ||= old.metadata.uid ?? '';
  setOrDelete(metadata, 'creationTimestamp', old.metadata.creationTimestamp);
  if (old.metadata.deletionTimestamp) metadata.deletionTimestamp = old.metadata.deletionTimestamp;
  if (metadata.deletionGracePeriodSeconds === undefined) {
    setOrDelete(metadata, 'deletionGracePeriodSeconds', old.metadata.deletionGracePeriodSeconds);
  }
  delete metadata.selfLink;
}

function setOrDelete(target: KubeObject['metadata'], field: string, value: string | number | null | undefined): void {
  if (value === undefined) delete target[field];
  else target[field] = value;
}

function validate({ call, endpoint }: Update, object: KubeObject, old: KubeObject, now: Date): void {
  const { resource } = call;
  const context = writeContext(call, now);
  const errors = [
    ...updatedMetadataErrors(resource, endpoint.subresource, object, old),
    ...endpoint.validateUpdate(object, old, context),
  ];
  if (errors.length > 0) refuseInvalid(call, object, errors);
  if (endpoint.warnings) pushAll(call.warnings, endpoint.warnings(object, old));
}

/** Whether an object marked for deletion has no finalizer and no grace period left. */
function canBeRemoved({ resource }: Call, { metadata, spec }: KubeObject): boolean {
  if (!metadata.deletionTimestamp || metadata.finalizers?.length) return false;
  const isNamespace = resource.group === '' && resource.kind === 'Namespace';
  const held = isNamespace ? (spec as { finalizers?: string[] } | undefined)?.finalizers?.length : 0;
  return !held && !metadata.deletionGracePeriodSeconds;
}

async function removeObject(call: Call, entry: Entry, object: KubeObject, dryRun: boolean): Promise<Written> {
  // The client gets the revision that it wrote to. Only watches get the revision of the removal.
  object.metadata.resourceVersion = String(entry.revision);
  const shown = { object: inShownOrder(call.resource, object), created: false };
  if (dryRun) return shown;
  const inStorage = inStorageVersion(call.resource, object);
  const last = inStorage instanceof Promise ? await inStorage : inStorage;
  await storeDelete(call, entry.key, entry.revision, last);
  call.resource.release?.(call.server, last);
  return shown;
}
