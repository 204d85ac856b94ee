import { apiErrors, pathSegmentProblems, quote, type ApiResponse } from '@flotilla/kube';
import type { ServedSubresource } from '@flotilla/builtins';
import { pageNotFound } from '../response/respond.ts';
import type { Call } from '../call/call.ts';
import { create } from './writing/create.ts';
import { deleteCollection } from './writing/delete-collection.ts';
import { deleteOne } from './writing/delete.ts';
import { endpointOf, type Endpoint } from '../resources/endpoint.ts';
import { get } from './reading/get.ts';
import { list } from './reading/list.ts';
import { patch } from './writing/patch.ts';
import { scale } from './writing/scale.ts';
import { virtualHandlers } from './virtual/virtual-handlers.ts';
import { update } from './writing/update.ts';
import { watch } from './watching/watch.ts';

type Answer = ApiResponse | Promise<ApiResponse>;

/** Runs the verb of a request on its resource or subresource. */
export function callVerb(call: Call): Answer {
  const { resource, info } = call;
  if (resource.isUnstructured) return callUnstructured(call);
  // Only a proxy passes on the rest of the path. Custom resources ignore it, as in Kubernetes.
  if (info.rest !== '' && info.subresource !== 'proxy') throw apiErrors.unknownPath();
  checkScope(call);
  checkPath(call);
  if (info.subresource !== '') return callSubresource(call);
  checkVerb(call);
  warnOfDeprecation(call);
  const virtual = virtualHandlers.get(`${resource.plural}.${resource.group}`);
  return virtual ? virtual(call) : callOnObjects(call);
}

function callOnObjects(call: Call): Answer {
  switch (call.info.verb) {
    case 'get':
      return get(call);
    case 'list':
      return list(call);
    case 'watch':
      return watch(call);
    case 'create':
      return create(call);
    case 'update':
      return update(call, mainEndpoint(call));
    case 'patch':
      return patch(call, mainEndpoint(call));
    case 'delete':
      return deleteOne(call);
    case 'deletecollection':
      return deleteCollection(call);
    case 'unknown':
      throw apiErrors.methodNotAllowed();
  }
}

/**
 * Kubernetes serves custom resources with their own handler, not its router, whose errors differ: a wrong scope is a 404 page,
 * and the error for a wrong method names the resource.
 */
function callUnstructured(call: Call): Answer {
  const { resource, info } = call;
  const { namespace, name, verb, subresource } = info;
  const isEverywhere = namespace === '' && (verb === 'list' || verb === 'watch');
  if (resource.namespaced ? namespace === '' && !isEverywhere : namespace !== '') return pageNotFound();
  warnOfDeprecation(call);
  checkPath(call);
  const groupResource = { resource: resource.plural, group: resource.group };
  if (subresource !== '' && !findSubresource(call)) throw apiErrors.notFound(groupResource, name);
  const verbs = subresource === '' ? resource.verbs : (findSubresource(call)?.verbs ?? []);
  if (!verbs.includes(verb)) throw apiErrors.methodNotSupported(groupResource, verb === 'unknown' ? '' : verb);
  if (name === '' && (verb === 'update' || verb === 'patch')) throw apiErrors.badRequest('name must be provided');
  return subresource === '' ? callOnObjects(call) : callStoredSubresource(call, subresource);
}

function warnOfDeprecation({ resource, warnings, audit }: Call): void {
  const { deprecation } = resource.behavior;
  if (deprecation === undefined) return;
  warnings.push(deprecation);
  audit?.annotate('k8s.io/deprecated', 'true');
}

/** A watch has the HTTP method of a list, so kube-apiserver refuses it later and with another error. */
function checkVerb({ resource, info }: Call): void {
  const { verbs, plural, group } = resource;
  if (verbs.includes(info.verb)) return;
  if (info.verb !== 'watch') throw apiErrors.methodNotAllowed();
  const isList = info.query.flag('watch') === true && verbs.includes('list');
  throw isList ? apiErrors.methodNotSupported({ resource: plural, group }, 'watch') : apiErrors.unknownPath();
}

/** Verbs on a collection work in one namespace; only list and watch work across all namespaces. */
function checkScope({ resource, info }: Call): void {
  if (!resource.namespaced) {
    if (info.namespace !== '') throw apiErrors.unknownPath();
  } else if (info.namespace === '') {
    const isListed = resource.verbs.includes('list');
    if (!isListed || (info.name !== '' && info.verb !== 'watch')) throw apiErrors.unknownPath();
    if (info.verb !== 'list' && info.verb !== 'watch') throw apiErrors.methodNotAllowed();
  }
  if (info.name !== '' && info.subresource === '' && !hasItems(resource)) throw apiErrors.unknownPath();
  if (info.name === '' && (info.verb === 'update' || info.verb === 'patch')) throw apiErrors.methodNotAllowed();
  if (info.name !== '' && info.subresource === '' && info.verb === 'create') throw apiErrors.methodNotAllowed();
}

/** False for bindings, which can only be created. */
function hasItems({ verbs }: Call['resource']): boolean {
  return verbs.includes('get') || verbs.includes('update') || verbs.includes('delete');
}

/** Names become parts of storage keys, so `..` must not leave the collection. */
function checkPath({ resource, info }: Call): void {
  const { namespace, name } = info;
  const problems = name === '' ? [] : pathSegmentProblems(name);
  if (problems.length > 0) {
    throw apiErrors.badRequest(`Name parameter invalid: ${quote(name)}: ${problems.join(';')}`);
  }
  if (namespace === '.' || namespace === '..') {
    const key = `/${resource.plural}/${namespace}${name === '' ? '' : `/${name}`}`;
    throw apiErrors.unknown(`invalid key: ${quote(key)}`);
  }
}

function mainEndpoint({ resource }: Call): Endpoint {
  const endpoint = endpointOf(resource, '');
  if (!endpoint) throw apiErrors.methodNotAllowed();
  return endpoint;
}

function callSubresource(call: Call): Answer {
  const { resource, info } = call;
  const served = info.verb === 'watch' ? undefined : findSubresource(call);
  if (!served) throw apiErrors.unknownPath();
  const virtual = virtualHandlers.get(`${resource.plural}.${resource.group}/${served.name}`);
  if (virtual) return virtual(call);
  if (!served.verbs.includes(info.verb)) throw apiErrors.methodNotAllowed();
  return callStoredSubresource(call, served.name);
}

function callStoredSubresource(call: Call, subresource: string): Answer {
  const { resource, info } = call;
  if (subresource === 'scale' && resource.scale) return scale(call);
  if (info.verb === 'get') return get(call);
  const endpoint = endpointOf(resource, subresource);
  if (!endpoint) throw apiErrors.methodNotAllowed();
  if (info.verb === 'update') return update(call, endpoint);
  if (info.verb === 'patch') return patch(call, endpoint);
  throw apiErrors.methodNotAllowed();
}

function findSubresource({ resource, info }: Call): ServedSubresource | undefined {
  return resource.subresources.find(({ name }) => name === info.subresource);
}
