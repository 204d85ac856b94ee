/** Requests in the name of somebody else: who that is to be, and whether the one who asks may be him. */
import type { ApiRequest, User } from '@flotilla/kube';
import type { Access, Authorizer } from '../authorizer.ts';
import { check, ImpersonationRights } from './impersonation-rights.ts';
import { anonymous, authenticatedGroup, unauthenticatedGroup } from './known-user.ts';
import { nodeOf } from './node-user.ts';
import { parseServiceAccountUser } from './service-account-name.ts';
import { wantedUser, type WantedUser } from './wanted-user.ts';

/**
 * The user that a request is answered as: the one who sent it, unless its headers name another. `access` is what the request
 * asks to do. Throws where the headers make no sense or the sender may not.
 */
export function impersonated(
  request: Pick<ApiRequest, 'headers' | 'headerLists'>,
  requestor: User,
  access: () => Access,
  authorize: Authorizer,
): User {
  const wanted = wantedUser(request);
  if (!wanted) return requestor;
  let firstError: unknown;
  for (const mode of modes) {
    if (!mode.isFor(wanted, requestor)) continue;
    try {
      if (mode.name !== '') check(authorize, onBehalf(access(), mode.name));
      return asWanted(wanted, requestor, mode, authorize);
    } catch (error) {
      firstError ??= error;
    }
  }
  throw firstError;
}

/**
 * Kinds of impersonation. The narrow ones come first: whoever has one may be another only for certain requests, and only
 * another of one sort. The last, without a name, is the old one, which has no such limits.
 */
interface Mode {
  readonly name: 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | '';
  readonly isFor: (wanted: WantedUser, requestor: User) => boolean;
}

const modes: readonly Mode[] = [
  { name: 'associated-node', isFor: (wanted, requestor) => hasNameAlone(wanted) && isOnNode(requestor, wanted.name) },
  { name: 'arbitrary-node', isFor: (wanted) => hasNameAlone(wanted) && nodeOf(wanted.name) !== undefined },
  {
    name: 'serviceaccount',
    isFor: (wanted) => hasNameAlone(wanted) && parseServiceAccountUser(wanted.name) !== undefined,
  },
  {
    name: 'user-info',
    isFor: ({ name }) => nodeOf(name) === undefined && parseServiceAccountUser(name) === undefined,
  },
  { name: '', isFor: () => true },
];

function hasNameAlone({ uid, groups, extra }: WantedUser): boolean {
  return uid === '' && groups.length === 0 && extra.size === 0;
}

/** A service account whose token says that it runs on that node. */
function isOnNode({ name, extra = {} }: User, wanted: string): boolean {
  const node = nodeOf(wanted);
  const nodes = extra['authentication.kubernetes.io/node-name'];
  const isThere = nodes?.length === 1 && nodes[0] === node;
  return node !== undefined && isThere && parseServiceAccountUser(name) !== undefined;
}

function onBehalf(access: Access, mode: string): Access {
  return { ...access, verb: `impersonate-on:${mode}:${access.verb}` };
}

function asWanted(wanted: WantedUser, requestor: User, mode: Mode, authorize: Authorizer): User {
  const rights = new ImpersonationRights(requestor, mode.name, authorize);
  const groups = rights.name(wanted);
  if (wanted.uid !== '') rights.about({ resource: 'uids', name: wanted.uid });
  rights.groups(wanted.groups);
  rights.extra(wanted.extra);
  return {
    name: wanted.name,
    ...(wanted.uid !== '' && { uid: wanted.uid }),
    groups: withCommonGroup(wanted.name, groups),
    ...(wanted.extra.size > 0 && { extra: Object.fromEntries(wanted.extra) }),
  };
}

function withCommonGroup(name: string, groups: readonly string[]): readonly string[] {
  const common = name === anonymous.name ? unauthenticatedGroup : authenticatedGroup;
  const isSaid = groups.includes(common) || groups.includes(unauthenticatedGroup);
  return isSaid ? groups : [...groups, common];
}
