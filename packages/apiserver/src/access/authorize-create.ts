import { apiErrors } from '@flotilla/kube';
import { userOf } from '../request/caller.ts';
import type { Access, AuthorizedCall } from './authorizer.ts';
import { forbiddenAccess } from './forbidden-access.ts';

/** An update or apply that creates an object needs the verb `create`, too. */
export function authorizeCreate(call: AuthorizedCall): void {
  const access = creationOf(call);
  const { isAllowed, reason } = call.server.access.authorize(access);
  if (!isAllowed) throw forbiddenAccess(access, reason);
}

/** A WebSocket to a pod is a GET, but needs the verb `create`. Kubernetes answers with an empty reason. */
export function authorizeStream(call: AuthorizedCall): void {
  const { verb, group, resource, name } = call.info;
  if (verb === 'create') return;
  const { isAllowed, reason } = call.server.access.authorize(creationOf(call));
  if (!isAllowed) throw apiErrors.forbidden({ group, resource }, name, reason);
}

function creationOf(call: AuthorizedCall): Access {
  const { group, version, resource, subresource, namespace, name } = call.info;
  const user = userOf(call);
  return { isResource: true, user, verb: 'create', group, version, resource, subresource, namespace, name };
}
