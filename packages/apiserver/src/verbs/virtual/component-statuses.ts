import { apiErrors, type ApiResponse, type KubeObject } from '@flotilla/kube';
import { negotiate, transformations } from '../../request/negotiate.ts';
import type { Entry } from '../../store/store.ts';
import type { Call } from '../../call/call.ts';
import { filterOf } from '../reading/filter.ts';
import { connectionRefused } from './kubelet/pod-target.ts';
import { objectsResponse } from '../reading/objects-response.ts';
import { objectRepresentation, objectResponse } from '../../representation/represent.ts';

/** The components whose health Kubernetes reports, in its order. Two of them do not run here. */
const components = [
  unreachableComponent('controller-manager', 10_257),
  unreachableComponent('scheduler', 10_259),
  component('etcd-0', 'True', 'ok'),
];

function unreachableComponent(name: string, port: number): KubeObject {
  const why = connectionRefused({ host: '127.0.0.1', port });
  return component(name, 'False', `Get "https://127.0.0.1:${port}/healthz": ${why}`);
}

function component(name: string, status: string, message: string): KubeObject {
  const conditions = [{ type: 'Healthy', status, message }];
  return { kind: 'ComponentStatus', apiVersion: 'v1', metadata: { name }, conditions };
}

export function componentStatuses(call: Call): ApiResponse {
  const { verb, name } = call.info;
  if (verb === 'list') return listComponents(call);
  if (verb !== 'get') throw apiErrors.methodNotAllowed();
  const representation = objectRepresentation(call);
  const found = components.find(({ metadata }) => metadata.name === name);
  if (!found) throw apiErrors.notFound({ resource: 'componentstatus', group: '' }, name);
  return objectResponse(call, 200, found, representation);
}

function listComponents(call: Call): ApiResponse {
  const representation = negotiate(call.request.headers['accept'], {
    at: 'collection',
    transformations,
    hasProtobuf: true,
  });
  const filter = filterOf(call);
  const chosen = components.filter((object) => filter.matches(entryOf(object)));
  return objectsResponse(call, chosen, {}, representation);
}

/** An entry for the filter, with the name alone. */
function entryOf({ metadata }: KubeObject): Entry {
  const key = { collection: 'componentstatuses', name: metadata.name ?? '' };
  return { key, header: { uid: '', labels: {} }, bytes: new Uint8Array(), createRevision: 0, revision: 0 };
}
