import {
  parseFieldSelector,
  parseLabelSelector,
  pathSegmentProblems,
  type ApiRequest,
  type User,
} from '@flotilla/kube';
import { integerParameter } from '../request/integer-parameter.ts';
import type { Query } from '../request/query.ts';
import type { RequestInfo, ResourceInfo } from '../request/request-info.ts';
import type { Access } from './authorizer.ts';

/** The access that a request needs. */
export function requestAccess({ method }: Pick<ApiRequest, 'method'>, info: RequestInfo, user: User): Access {
  if (!info.isResource) return { isResource: false, user, verb: method.toLowerCase(), path: info.path };
  const { group, version, resource, subresource } = info;
  const verb = verbOf(method, info);
  return {
    isResource: true,
    user,
    verb,
    group,
    version,
    resource,
    subresource,
    namespace: namespaceOf(info),
    name: info.name === '' && (verb === 'list' || verb === 'watch') ? selectedName(info.query) : info.name,
  };
}

/** HEAD has no routes. It is authorized like GET, so that only callers with access learn that. */
function verbOf(method: string, { verb, name, query }: ResourceInfo): string {
  if (verb !== 'unknown') return verb;
  if (method !== 'HEAD') return '';
  if (name !== '') return 'get';
  return query.flag('watch') === true ? 'watch' : 'list';
}

/** A namespace is authorized in itself, so that a Role in it is enough to read it. */
function namespaceOf({ resource, namespace, name }: ResourceInfo): string {
  return namespace === '' && resource === 'namespaces' ? name : namespace;
}

/** The name in the field selector of a list. Empty if options are invalid; the list refuses those. */
function selectedName(query: Query): string {
  const fields = query.get('fieldSelector');
  if (fields === undefined) return '';
  try {
    integerParameter(query, 'limit');
    integerParameter(query, 'timeoutSeconds');
    parseLabelSelector(query.get('labelSelector') ?? '');
    const name = parseFieldSelector(fields).exactValueOf('metadata.name') ?? '';
    return pathSegmentProblems(name).length === 0 ? name : '';
  } catch {
    return '';
  }
}
