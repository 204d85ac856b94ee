/** Requests in the name of somebody else: who that is to be, and whether the one who asks may be him. */
import {
  anonymous,
  authenticatedGroup,
  parseServiceAccountUserName,
  unauthenticatedGroup,
  type ApiRequest,
  type User,
} from '@flotilla/kube';
import type { Access, Authorizer } from '../authorizer.ts';
import { check, ImpersonationRights } from './impersonation-rights.ts';
import { nodeOf } from './node-user.ts';
import { wantedUser, type WantedUser } from './impersonated-user.ts';

/** So many users' ways are remembered, as kube-apiserver does. */
const rememberedUsers = 10_000;

/**
 * Finds out in whose name requests are answered. Whoever became somebody else in one way is likely to do so again: that way is
 * tried first the next time, and it is the one whose refusal the sender reads.
 */
export class Impersonation {
  readonly #authorize: Authorizer;
  /** By the sender's name, the way that last succeeded; the longest unused one first. */
  readonly #lastModes = new Map<string, Mode>();

  constructor(authorize: Authorizer) {
    this.#authorize = authorize;
  }

  /**
   * The user that a request is answered as: the one who sent it, unless its headers name another. `access` is what the request
   * asks to do. Throws where the headers make no sense or the sender may not.
   */
  userOf(request: Pick<ApiRequest, 'headers' | 'headerLists'>, requestor: User, access: () => Access): User {
    const wanted = wantedUser(request);
    if (!wanted) return requestor;
    let firstError: unknown;
    for (const mode of this.#modesFor(requestor)) {
      if (!mode.isFor(wanted, requestor)) continue;
      try {
        if (mode.name !== '') check(this.#authorize, onBehalf(access(), mode.name));
        const user = asWanted(wanted, requestor, mode, this.#authorize);
        this.#remember(requestor, mode);
        return user;
      } catch (error) {
        firstError ??= error;
      }
    }
    throw firstError;
  }

  #modesFor({ name }: User): Iterable<Mode> {
    const last = this.#lastModes.get(name);
    return last ? new Set([last, ...modes]) : modes;
  }

  #remember({ name }: User, mode: Mode): void {
    this.#lastModes.delete(name);
    this.#lastModes.set(name, mode);
    const [oldest] = this.#lastModes.keys();
    if (this.#lastModes.size > rememberedUsers && oldest !== undefined) this.#lastModes.delete(oldest);
  }
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
    isFor: (wanted) => hasNameAlone(wanted) && parseServiceAccountUserName(wanted.name) !== undefined,
  },
  {
    name: 'user-info',
    isFor: ({ name }) => nodeOf(name) === undefined && parseServiceAccountUserName(name) === undefined,
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
  return node !== undefined && isThere && parseServiceAccountUserName(name) !== undefined;
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
