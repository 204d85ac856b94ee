import { apiErrors } from '@flotilla/kube';
import { userOf } from '../request/caller.ts';
import type { Access, AuthorizedCall } from './authorizer.ts';
import { forbiddenAccess } from './forbidden-access.ts';

/** Whoever puts or applies an object that is not there makes one, and must be allowed to. */
export function authorizeCreate(call: AuthorizedCall): void {
  const access = creationOf(call);
  const { isAllowed, reason } = call.server.access.authorize(access);
  if (!isAllowed) throw forbiddenAccess(access, reason);
}

/** A browser's way into a pod is a GET, but to get in is more than to look. Kubernetes finds no words for it. */
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
