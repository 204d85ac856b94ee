import { apiServerUser, type ApiRequest, type KubeObject } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { Query } from '../../request/query.ts';
import { plainOptions } from '../../request/write-options.ts';
import type { Resource } from '../../resources/resource.ts';
import type { Call } from '../../call/call.ts';
import type { Server } from '../../call/server.ts';
import { copyObject } from '../../verbs/writing/copy-object.ts';
import { endpointOf } from '../../resources/endpoint.ts';
import { withManagedFields } from '../../verbs/writing/managed-fields.ts';
import { updateObject } from '../../verbs/writing/update-object.ts';
import { withoutAdmission } from '../../verbs/writing/without-admission.ts';
import { definitionGroupKind, definitionOf } from '../../resources/definition-kind.ts';

/** Changes the definition in place; returns false if there is nothing to write. Called again after a conflict. */
export type Change = (definition: CustomResourceDefinition, now: Date) => boolean;

const plural = 'customresourcedefinitions';
const manager = 'kube-apiserver';

/** Writes through the status endpoint, like kube-apiserver's controllers. Does nothing if the definition is deleted. */
export async function writeDefinition(server: Server, name: string, change: Change): Promise<void> {
  const { group, version } = definitionGroupKind;
  const resource = server.registry.find(group, version, plural);
  const endpoint = resource && endpointOf(resource, 'status');
  if (!resource || !endpoint) throw new Error('definitions are not served');
  const call = callOf(server, resource, name);
  await updateObject({
    call,
    endpoint,
    options: plainOptions,
    mayBeUnconditional: true,
    transform: (old, now) => {
      const object = copyObject(old);
      if (!change(definitionOf(object), now)) return old;
      const options = { fieldManager: manager };
      return withManagedFields(call, { endpoint, live: old, object: inOrder(resource, object), options, now });
    },
    onMissing: () => Promise.resolve({ created: false }),
  });
}

function inOrder({ codec }: Resource, object: KubeObject): KubeObject {
  return codec.decode(object).object;
}

const never = new AbortController().signal;

function callOf(server: Server, resource: Resource, name: string): Call {
  const { group, version } = definitionGroupKind;
  const request: ApiRequest = {
    method: 'PUT',
    path: `/apis/${group}/${version}/${plural}/${name}/status`,
    query: '',
    headers: { 'user-agent': manager },
    user: apiServerUser,
    body: () => Promise.resolve(new Uint8Array()),
    signal: never,
  };
  return {
    server: withoutAdmission(server),
    request,
    info: {
      isResource: true,
      verb: 'update',
      group,
      version,
      resource: plural,
      namespace: '',
      name,
      subresource: 'status',
      rest: '',
      query: Query.empty,
    },
    resource,
    warnings: [],
  };
}
