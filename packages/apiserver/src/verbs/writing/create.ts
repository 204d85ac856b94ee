import {
  apiErrors,
  generateName,
  nameIsDnsSubdomain,
  pushAll,
  validateObjectMeta,
  wireTime,
  type ApiResponse,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { authorizeCreate } from '../../access/authorize-create.ts';
import { checkEscalation } from '../../access/rbac/escalation.ts';
import { chargesOf, recheckAdmission, validateAdmission } from '../../admission/admission.ts';
import { writeOptions, type WriteOptions } from '../../request/write-options.ts';
import { parseResourceVersion } from '../../request/resource-version.ts';
import type { Reservation } from '../../resources/resource.ts';
import { StoreConflict } from '../../store/store.ts';
import { groupResource, keyOf, type Call } from '../../call/call.ts';
import { admitObject } from './admit-object.ts';
import { copyObject } from './copy-object.ts';
import { createAttributes } from './create-attributes.ts';
import { expectedKindOf, readAsWritten } from '../body/read-object.ts';
import { setManagedFields } from './managed-fields.ts';
import { dedupeOwners, setNamespace, wipeSystemFields } from './metadata.ts';
import { refuseInvalid } from './refuse-invalid.ts';
import { objectRepresentation } from '../../representation/represent.ts';
import { responseWhenWritten, waitUntilDurable, storePut, type Oversize, type Written } from './store-object.ts';
import { writeContext } from '../../call/write-context.ts';

export async function create(call: Call): Promise<ApiResponse> {
  const representation = objectRepresentation(call);
  const options = writeOptions('CreateOptions', call.info.query);
  const read = await readAsWritten(call, expectedKindOf(call.resource), options.fieldValidation);
  return responseWhenWritten(call, createObject(call, read.object, options, read.asWritten), representation);
}

/** The server tries so many generated names before it answers with a conflict. */
const maxNameAttempts = 8;

/**
 * Admits, validates and stores a new object. A PUT or an apply to a missing name creates through this too. `asWritten` is 'owned'
 * for an apply, which has set managedFields already.
 */
export function createObject(
  call: Call,
  object: KubeObject,
  options: WriteOptions,
  asWritten: KubeObject | 'owned',
): Written | Promise<Written> {
  const now = call.server.now();
  setNamespace(call, object);
  wipeSystemFields(object);
  dedupeOwners(object.metadata, call.warnings);
  if (asWritten !== 'owned') setManagedFields(call, object, asWritten, options, now);
  const oversize = asWritten === 'owned' ? 'refuse' : 'drop-managers';
  const admitting = admitObject(call, createAttributes(call, object, options));
  if (admitting) return admitting.then(() => createAdmitted(call, object, { options, now, oversize, hasWaited: true }));
  return createAdmitted(call, object, { options, now, oversize, hasWaited: false });
}

function createAdmitted(call: Call, object: KubeObject, attempt: Attempt): Written | Promise<Written> {
  checkEscalation(call, object, undefined);
  const { name = '', generateName: base = '' } = object.metadata;
  if (name === '' && base !== '') return createGenerated(call, object, base, attempt);
  return createdOrRefused(call, tryCreate(call, object, attempt), { name, base });
}

async function createGenerated(call: Call, object: KubeObject, base: string, attempt: Attempt): Promise<Written> {
  for (let count = 1; ; count++) {
    const name = generateName(base, call.server.random);
    object.metadata.name = name;
    // `prepareForCreate` edits the object, so each attempt needs its own copy.
    const trying = tryCreate(call, copyObject(object), attempt);
    if (count === maxNameAttempts) return createdOrRefused(call, trying, { name, base });
    const written = await trying;
    if (written !== 'exists') return written;
  }
}

function createdOrRefused(call: Call, trying: Trying, names: Names): Written | Promise<Written> {
  if (trying instanceof Promise) return trying.then((written) => createdOrRefused(call, written, names));
  return trying === 'exists' ? refuse(call, names) : trying;
}

async function refuse(call: Call, names: Names): Promise<never> {
  const refusal = alreadyExists(call, names);
  await waitUntilDurable(call, keyOf(call, names.name));
  throw refusal;
}

/** The name of a new object, and the `generateName` it was made from, if any. */
interface Names {
  readonly name: string;
  readonly base: string;
}

/** What all attempts to store an admitted object have in common. */
interface Attempt {
  readonly options: WriteOptions;
  readonly now: Date;
  readonly oversize: Oversize;
  /** Whether other requests ran since the object was admitted. */
  readonly hasWaited: boolean;
}

/** An object that was inserted, or could not be because its key is taken. */
type Tried = Written | 'exists';
type Trying = Tried | Promise<Tried>;

function tryCreate(call: Call, object: KubeObject, attempt: Attempt): Trying {
  const reservation = call.resource.reserve?.(call.server, object, undefined, attempt.options.dryRun);
  try {
    const inserting = insert(call, object, attempt);
    return inserting instanceof Promise ? whenInserted(inserting, reservation) : inserted(inserting, reservation);
  } catch (error) {
    return notInserted(error, reservation);
  }
}

async function whenInserted(inserting: Promise<Tried>, reservation: Reservation | undefined): Promise<Tried> {
  try {
    return inserted(await inserting, reservation);
  } catch (error) {
    return notInserted(error, reservation);
  }
}

function inserted(tried: Tried, reservation: Reservation | undefined): Tried {
  if (tried === 'exists') reservation?.undo();
  else reservation?.keep();
  return tried;
}

function notInserted(error: unknown, reservation: Reservation | undefined): 'exists' {
  reservation?.undo();
  if (error instanceof StoreConflict) return 'exists';
  throw error;
}

function insert(call: Call, object: KubeObject, attempt: Attempt): Trying {
  const { options, now } = attempt;
  const { resource, server } = call;
  const { behavior } = resource;
  const context = writeContext(call, now);
  object.metadata.creationTimestamp = wireTime(now);
  object.metadata.uid = server.uid();
  behavior.prepareForCreate?.(object, context);

  const errors = [...metadataErrors(call, object), ...(behavior.validate?.(object, context) ?? [])];
  if (errors.length > 0) refuseInvalid(call, object, errors);
  behavior.canonicalize?.(object);
  if (call.info.verb !== 'create') authorizeCreate(call);
  if (behavior.warnings) pushAll(call.warnings, behavior.warnings(object, undefined));
  const attributes = createAttributes(call, object, options);
  const checking = validateAdmission(attributes);
  if (checking) return checking.then(() => insertValid(call, attributes, { ...attempt, hasWaited: true }));
  return insertValid(call, attributes, attempt);
}

function insertValid(call: Call, attributes: ReturnType<typeof createAttributes>, attempt: Attempt): Trying {
  const { options, oversize } = attempt;
  const { resource, server } = call;
  const { object } = attributes;
  // The namespace or the definition may have been deleted while a webhook was called.
  if (attempt.hasWaited) recheckAdmission(attributes);

  const key = keyOf(call, object.metadata.name ?? '');
  const hasRevision = parseResourceVersion(object.metadata.resourceVersion ?? '');
  // The store checks this itself when it accepts a write. These two requests end before that.
  if ((hasRevision || options.dryRun) && server.store.newest(key)) {
    chargesOf(attributes);
    return 'exists';
  }
  if (hasRevision && !options.dryRun)
    throw apiErrors.unknown('resourceVersion should not be set on objects to be created');
  // Only an apply creates by a patch, and its result has not been pruned yet.
  if (call.info.verb === 'patch') resource.storedForm?.prune?.(object);
  return storePut(call, { key, expected: 0, object, dryRun: options.dryRun, oversize, uncharged: attributes });
}

function metadataErrors({ resource }: Call, { metadata }: KubeObject): FieldError[] {
  const { behavior, namespaced } = resource;
  if (behavior.checksMetadata === true) return [];
  return validateObjectMeta(metadata, {
    isNamespaced: namespaced,
    nameRule: behavior.nameRule ?? nameIsDnsSubdomain,
    allowsShortFinalizers: behavior.allowsShortFinalizers === true,
  });
}

function alreadyExists(call: Call, { name, base }: Names): Error {
  const { server } = call;
  if (base !== '') return apiErrors.generateNameConflict(groupResource(call), name);
  const isBeingDeleted = server.store.newest(keyOf(call, name))?.header.deletionTimestamp !== undefined;
  return isBeingDeleted
    ? apiErrors.beingDeleted(groupResource(call), name)
    : apiErrors.alreadyExists(groupResource(call), name);
}
