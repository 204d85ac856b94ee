import { apiErrors, managerName, updateManagedFields, type ApiResponse, type KubeObject } from '@flotilla/kube';
import { writeOptions, type WriteOptions } from '../../request/write-options.ts';
import type { Call } from '../../call/call.ts';
import { copyObject } from './copy-object.ts';
import { createObject, groupResource, setNamespace } from './create.ts';
import type { Endpoint } from '../../resources/endpoint.ts';
import { expectedKindOf, readAsWritten, type ReadObject } from '../body/read-object.ts';
import { objectRepresentation } from '../../representation/represent.ts';
import { responseWhenWritten, type Written } from './store-object.ts';
import { checkUid, updateObject } from './update-object.ts';

/** PUT: the whole object as it should be. */
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
    dryRun: options.dryRun,
    uid: object.metadata.uid,
    oversize: 'drop-managers',
    mayBeUnconditional: behavior.requiresResourceVersion !== true,
    transform: (old, now, isReread) =>
      withOwners(call, endpoint, old, copyObject(object), options, now, { asWritten, isReread }),
    onMissing: () => createMissing(call, endpoint, { object, asWritten }, options),
  });
  return responseWhenWritten(call, updating, representation);
}

/** Some kinds are created by a PUT to a free name. */
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

/** The object with its managedFields as they are after this write. */
export function withOwners(
  { request, resource }: Call,
  endpoint: Endpoint,
  live: KubeObject,
  object: KubeObject,
  options: WriteOptions,
  now: Date,
  { asWritten = object, isReread = false }: { readonly asWritten?: KubeObject; readonly isReread?: boolean } = {},
): KubeObject {
  const manager = managerName(options.fieldManager, request.headers['user-agent'] ?? '');
  const managedFields = updateManagedFields({
    kind: endpoint.managed,
    live,
    object: asWritten,
    manager,
    now,
    // Decoding makes sure of the types of built-in kinds.
    isReread: isReread && resource.isUnstructured,
  });
  if (managedFields) object.metadata.managedFields = managedFields;
  else delete object.metadata.managedFields;
  return object;
}

/** The name in the body and the one in the URL are the same name. */
export function checkName({ info }: Call, { metadata }: KubeObject): void {
  const { name = '' } = metadata;
  if (name === info.name) return;
  throw apiErrors.badRequest(
    name === ''
      ? `the name of the object (${info.name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${name}) does not match the name on the URL (${info.name})`,
  );
}
