import { apiErrors, type ApiResponse } from '@flotilla/kube';
import { parseResourceVersion, resourceVersionFault } from '../../request/resource-version.ts';
import { storageName } from '../../resources/resource.ts';
import type { Call } from '../../call/call.ts';
import { entryResponse, objectRepresentation } from '../../representation/represent.ts';
import { waitForRevision } from './wait-for-revision.ts';

export function get(call: Call): ApiResponse | Promise<ApiResponse> {
  const resourceVersion = call.info.query.get('resourceVersion');
  if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== '0')
    return getNotOlderThan(call, resourceVersion);
  return answer(call);
}

async function getNotOlderThan(call: Call, resourceVersion: string): Promise<ApiResponse> {
  const revision = parseResourceVersion(resourceVersion);
  if (revision === undefined) throw apiErrors.unknown(resourceVersionFault(resourceVersion));
  await waitForRevision(call, revision);
  return answer(call);
}

function answer(call: Call): ApiResponse | Promise<ApiResponse> {
  const { resource, info, server } = call;
  const representation = objectRepresentation(call);
  const name = storageName(resource, info.namespace, info.name);
  const entry = server.store.get({ collection: resource.collection, name });
  if (!entry) throw apiErrors.notFound({ resource: resource.plural, group: resource.group }, info.name);
  return entryResponse(call, 200, entry, representation);
}
