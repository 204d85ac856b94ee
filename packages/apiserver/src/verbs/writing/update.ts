import { apiErrors, type ApiResponse, type ManagedFieldsEntry } from '@flotilla/kube';
import { writeOptions, type WriteOptions } from '../../request/write-options.ts';
import { groupResource, keyOf, type Call } from '../../call/call.ts';
import { createObject } from './create.ts';
import { withManagedFields } from './managed-fields.ts';
import { checkName, setNamespace } from './metadata.ts';
import type { Endpoint } from '../../resources/endpoint.ts';
import { expectedKindOf, readRepeatably, type ReadObject } from '../body/read-object.ts';
import { objectRepresentation } from '../../representation/represent.ts';
import { knownObject } from '../../representation/shared-objects.ts';
import { responseWhenWritten, type Written } from './store-object.ts';
import { checkUid, updateObject } from './update-object.ts';

/** PUT: replaces the object. */
export async function update(call: Call, endpoint: Endpoint): Promise<ApiResponse> {
  const representation = objectRepresentation(call);
  const options = writeOptions('UpdateOptions', call.info.query);
  const expected = { ...expectedKindOf(call.resource), knownManagers: knownManagers(call) };
  const first = await readRepeatably(call, expected, options.fieldValidation);
  checkName(call, first.object);
  setNamespace(call, first.object);
  let attempts = 0;
  // Most writes need one attempt. A copy for it would cost more than decoding again for the others.
  const nextAttempt = (): ReadObject => {
    const { object, asWritten } = attempts++ === 0 ? first : first.again();
    setNamespace(call, object);
    return { object, asWritten };
  };

  const { behavior } = call.resource;
  const updating = updateObject({
    call,
    endpoint,
    options,
    uid: first.object.metadata.uid,
    oversize: 'drop-managers',
    mayBeUnconditional: behavior.requiresResourceVersion !== true,
    transform: (old, now, isReread) =>
      withManagedFields(call, { endpoint, live: old, ...nextAttempt(), options, now, isReread }),
    onMissing: () => createMissing(call, endpoint, nextAttempt(), options),
  });
  return responseWhenWritten(call, updating, representation);
}

/** Nothing edits the managedFields of an object: each write makes another list. */
function knownManagers(call: Call): ManagedFieldsEntry[] | undefined {
  const entry = call.server.store.newest(keyOf(call, call.info.name));
  return entry && knownObject(call.resource, entry)?.metadata.managedFields;
}

/** For some kinds, a PUT to a name that does not exist creates the object. */
function createMissing(
  call: Call,
  endpoint: Endpoint,
  { object, asWritten }: ReadObject,
  options: WriteOptions,
): Written | Promise<Written> {
  if (endpoint.subresource !== '' || call.resource.behavior.createOnUpdate !== true) {
    throw apiErrors.notFound(groupResource(call), call.info.name);
  }
  checkUid(call, object.metadata.uid, '', options.dryRun);
  delete object.metadata.resourceVersion;
  return createObject(call, object, options, asWritten);
}
