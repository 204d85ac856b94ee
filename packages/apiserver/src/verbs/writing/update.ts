import { apiErrors, type ApiResponse } from '@flotilla/kube';
import { writeOptions, type WriteOptions } from '../../request/write-options.ts';
import { groupResource, type Call } from '../../call/call.ts';
import { copyObject } from './copy-object.ts';
import { createObject } from './create.ts';
import { withManagedFields } from './managed-fields.ts';
import { checkName, setNamespace } from './metadata.ts';
import type { Endpoint } from '../../resources/endpoint.ts';
import { expectedKindOf, readAsWritten, type ReadObject } from '../body/read-object.ts';
import { objectRepresentation } from '../../representation/represent.ts';
import { responseWhenWritten, type Written } from './store-object.ts';
import { checkUid, updateObject } from './update-object.ts';

/** PUT: replaces the object. */
export async function update(call: Call, endpoint: Endpoint): Promise<ApiResponse> {
  const representation = objectRepresentation(call);
  const options = writeOptions('UpdateOptions', call.info.query);
  const { object, asWritten } = await readAsWritten(call, expectedKindOf(call.resource), options.fieldValidation);
  checkName(call, object);
  setNamespace(call, object);

  const { behavior } = call.resource;
  const updating = updateObject({
    call,
    endpoint,
    options,
    uid: object.metadata.uid,
    oversize: 'drop-managers',
    mayBeUnconditional: behavior.requiresResourceVersion !== true,
    transform: (old, now, isReread) =>
      withManagedFields(call, { endpoint, live: old, object: copyObject(object), asWritten, options, now, isReread }),
    onMissing: () => createMissing(call, endpoint, { object, asWritten }, options),
  });
  return responseWhenWritten(call, updating, representation);
}

/** For some kinds, a PUT to a name that does not exist creates the object. */
function createMissing(
  call: Call,
  endpoint: Endpoint,
  { object, asWritten }: ReadObject,
  options: WriteOptions,
): Promise<Written> {
  if (endpoint.subresource !== '' || call.resource.behavior.createOnUpdate !== true) {
    throw apiErrors.notFound(groupResource(call), call.info.name);
  }
  checkUid(call, object.metadata.uid, '', options.dryRun);
  delete object.metadata.resourceVersion;
  return createObject(call, object, options, asWritten);
}
