import { percentDecoded } from './percent-encoding.ts';
import { Query } from './query.ts';

/** Verb and resource of a request, parsed from method and path like Kubernetes' RequestInfo. */
export type RequestInfo = ResourceInfo | PathInfo;

export interface ResourceInfo {
  readonly isResource: true;
  readonly verb: Verb;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for requests at the cluster scope. */
  readonly namespace: string;
  /** Empty for requests to the collection. */
  readonly name: string;
  readonly subresource: string;
  /** What follows a subresource: the path of a proxied request. */
  readonly rest: string;
  readonly query: Query;
}

export interface PathInfo {
  readonly isResource: false;
  readonly path: string;
  readonly query: Query;
}

type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'unknown';

/** `/namespaces/x/status` is a subresource of the namespace, not a resource in it. */
const namespaceSubresources = new Set(['status', 'finalize']);

export function requestInfo(method: string, path: string, rawQuery: string): RequestInfo {
  const query = Query.of(rawQuery);
  const decoded = percentDecoded(path);
  if (decoded === undefined) return { isResource: false, path, query };
  const parts = splitPath(decoded);
  const start = parts[0] === 'api' ? 2 : parts[0] === 'apis' ? 3 : 0;
  if (start === 0 || parts.length <= start) return { isResource: false, path: decoded, query };

  const group = start === 2 ? '' : (parts[1] ?? '');
  // Below /apis no group is empty. Authorization uses the core group, as in Kubernetes; no resource is found.
  const hasEmptyGroup = start === 3 && group === '';
  const version = hasEmptyGroup ? '' : ((start === 2 ? parts[1] : parts[2]) ?? '');
  return resourceInfo(method, group, version, parts.slice(start), query);
}

function resourceInfo(method: string, group: string, version: string, parts: string[], query: Query): ResourceInfo {
  // Old clients use /api/v1/watch/… instead of ?watch=true.
  const isLegacyWatch = parts[0] === 'watch' && parts.length > 1;
  let position = isLegacyWatch ? 1 : 0;
  let namespace = '';
  if (parts[position] === 'namespaces' && parts.length > position + 1) {
    const isInside = parts.length > position + 2 && !namespaceSubresources.has(parts[position + 2] ?? '');
    namespace = parts[position + 1] ?? '';
    if (isInside) position += 2;
  }
  const resource = parts[position] ?? '';
  const name = parts[position + 1] ?? '';
  const isNamespaceItself = resource === 'namespaces' && position === (isLegacyWatch ? 1 : 0);
  return {
    isResource: true,
    verb: isLegacyWatch ? legacyVerbOf(method) : verbOf(method, name, query),
    group,
    version,
    resource,
    namespace: isNamespaceItself ? '' : namespace,
    name,
    subresource: parts[position + 2] ?? '',
    rest: parts.slice(position + 3).join('/'),
    query,
  };
}

function legacyVerbOf(method: string): Verb {
  return method === 'GET' ? 'watch' : 'unknown';
}

/** Kubernetes has no routes for HEAD. */
function verbOf(method: string, name: string, query: Query): Verb {
  switch (method) {
    case 'GET':
      if (name !== '') return 'get';
      return query.flag('watch') === true ? 'watch' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete';
    default:
      return 'unknown';
  }
}

function splitPath(path: string): string[] {
  const from = path.startsWith('/') ? 1 : 0;
  return withoutLastSlashes(path).slice(from).split('/');
}

const slash = '/'.charCodeAt(0);

/** Kubernetes' router drops all slashes at the end of a path. */
export function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path.charCodeAt(end - 1) === slash) end--;
  return end === path.length ? path : path.slice(0, end);
}
