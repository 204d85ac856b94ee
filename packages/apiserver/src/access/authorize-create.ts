import type { Call } from '../verbs/context.ts';
import { userOf } from '../verbs/write-context.ts';
import type { Access } from './authorizer.ts';
import { forbiddenAccess } from './forbidden-access.ts';

/** Whoever puts or applies an object that is not there makes one, and must be allowed to. */
export function authorizeCreate(call: Call): void {
  const { group, version, resource, subresource, namespace, name } = call.info;
  const access: Access = {
    isResource: true,
    user: userOf(call),
    verb: 'create',
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  };
  const { isAllowed, reason } = call.server.access.authorize(access);
  if (!isAllowed) throw forbiddenAccess(access, reason);
}
