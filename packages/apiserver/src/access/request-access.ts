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

/** What a request asks to do, as those who decide about it see it. */
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

/** HEAD has no routes, but whoever may not GET need not learn that. */
function verbOf(method: string, { verb, name, query }: ResourceInfo): string {
  if (verb !== 'unknown') return verb;
  if (method !== 'HEAD') return '';
  if (name !== '') return 'get';
  return query.flag('watch') === true ? 'watch' : 'list';
}

/** A namespace is inside itself: whoever may read it by a role of its own needs no role of the cluster. */
function namespaceOf({ resource, namespace, name }: ResourceInfo): string {
  return namespace === '' && resource === 'namespaces' ? name : namespace;
}

/** A list of the one object of a name is about that object. Options that cannot be read say nothing; the list refuses them. */
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
