/** Impersonation: the user that Impersonate-* headers name, and whether the caller may impersonate that user. */
import {
  anonymous,
  authenticatedGroup,
  parseServiceAccountUserName,
  unauthenticatedGroup,
  type ApiRequest,
  type User,
} from '@flotilla/kube';
import type { Access, Authorizer } from '../authorizer.ts';
import { ImpersonationRights, requireAccess } from './impersonation-rights.ts';
import { KnownUsers } from './known-users.ts';
import { nodeOf } from './node-user.ts';
import { impersonatedUser, type ImpersonatedUser } from './impersonated-user.ts';

/** Size of the cache of modes by user, as in kube-apiserver. */
const maxCachedUsers = 10_000;

/**
 * Finds the user that a request is answered as. Tries the mode that last succeeded for the caller first, and answers with
 * the refusal of the first mode.
 */
export class Impersonation {
  readonly #authorize: Authorizer;
  /** The mode that last succeeded, by the caller's name; least recently used first. */
  readonly #lastModes = new Map<string, Mode>();
  readonly #users = new KnownUsers();

  constructor(authorize: Authorizer) {
    this.#authorize = authorize;
  }

  /**
   * The caller, or the user that the headers name. `access` is what the request asks to do. `impersonated` gets the user and the
   * verb of the constraint, if any. Throws if the headers are invalid or the caller may not impersonate.
   */
  userOf(
    request: Pick<ApiRequest, 'headers' | 'headerLists'>,
    requestor: User,
    access: () => Access,
    impersonated?: (user: User, constraint: string) => void,
  ): User {
    const target = impersonatedUser(request);
    if (!target) return requestor;
    let firstError: unknown;
    for (const mode of this.#modesFor(requestor)) {
      if (!mode.isFor(target, requestor)) continue;
      try {
        if (mode.name !== '') requireAccess(this.#authorize, impersonateOn(access(), mode.name));
        const user = this.#users.sameAs(authorizedUser(target, requestor, mode, this.#authorize));
        this.#cache(requestor, mode);
        impersonated?.(user, mode.name === '' ? '' : `impersonate:${mode.name}`);
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

  #cache({ name }: User, mode: Mode): void {
    this.#lastModes.delete(name);
    this.#lastModes.set(name, mode);
    const [oldest] = this.#lastModes.keys();
    if (this.#lastModes.size > maxCachedUsers && oldest !== undefined) this.#lastModes.delete(oldest);
  }
}

/**
 * Modes of impersonation. The constrained ones come first: each allows certain requests as one kind of user. The last, without
 * a name, is legacy impersonation, which has no constraints.
 */
interface Mode {
  readonly name: 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | '';
  readonly isFor: (target: ImpersonatedUser, requestor: User) => boolean;
}

const modes: readonly Mode[] = [
  { name: 'associated-node', isFor: (target, requestor) => hasNameOnly(target) && isOnNode(requestor, target.name) },
  { name: 'arbitrary-node', isFor: (target) => hasNameOnly(target) && nodeOf(target.name) !== undefined },
  {
    name: 'serviceaccount',
    isFor: (target) => hasNameOnly(target) && parseServiceAccountUserName(target.name) !== undefined,
  },
  {
    name: 'user-info',
    isFor: ({ name }) => nodeOf(name) === undefined && parseServiceAccountUserName(name) === undefined,
  },
  { name: '', isFor: () => true },
];

function hasNameOnly({ uid, groups, extra }: ImpersonatedUser): boolean {
  return uid === '' && groups.length === 0 && extra.size === 0;
}

/** Whether the caller is a service account whose token names that node. */
function isOnNode({ name, extra = {} }: User, target: string): boolean {
  const node = nodeOf(target);
  const nodes = extra['authentication.kubernetes.io/node-name'];
  const isItsNode = nodes?.length === 1 && nodes[0] === node;
  return node !== undefined && isItsNode && parseServiceAccountUserName(name) !== undefined;
}

function impersonateOn(access: Access, mode: string): Access {
  return { ...access, verb: `impersonate-on:${mode}:${access.verb}` };
}

function authorizedUser(target: ImpersonatedUser, requestor: User, mode: Mode, authorize: Authorizer): User {
  const rights = new ImpersonationRights(requestor, mode.name, authorize);
  const groups = rights.requireName(target);
  if (target.uid !== '') rights.require({ resource: 'uids', name: target.uid });
  rights.requireGroups(target.groups);
  rights.requireExtra(target.extra);
  return {
    name: target.name,
    ...(target.uid !== '' && { uid: target.uid }),
    groups: withCommonGroup(target.name, groups),
    ...(target.extra.size > 0 && { extra: Object.fromEntries(target.extra) }),
  };
}

function withCommonGroup(name: string, groups: readonly string[]): readonly string[] {
  const common = name === anonymous.name ? unauthenticatedGroup : authenticatedGroup;
  const hasCommonGroup = groups.includes(common) || groups.includes(unauthenticatedGroup);
  return hasCommonGroup ? groups : [...groups, common];
}

/** The same request as the impersonated user, without the Impersonate-* headers. */
export function impersonatedRequest(request: ApiRequest, user: User): ApiRequest {
  const { method, path, query, headers, receivedBody } = request;
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith('impersonate-'));
  return {
    method,
    path,
    query,
    headers: Object.fromEntries(kept),
    user,
    body: (limit, meter) => request.body(limit, meter),
    receivedBody,
    connection: request.connection,
    get signal() {
      return request.signal;
    },
    get isGone() {
      return request.isGone;
    },
  };
}
