import {
  fieldErrorText,
  mastersGroup,
  parseServiceAccountUserName,
  serviceAccountGroups,
  validateDomainPrefixedPath,
  type User,
} from '@flotilla/kube';
import type { Access, Authorizer, ResourceAccess } from '../authorizer.ts';
import { forbiddenAccess } from '../forbidden-access.ts';
import { nodeOf } from './node-user.ts';
import type { WantedUser } from './impersonated-user.ts';

/** From so many on, a right to all is looked for before the rights to each. */
const many = 4;

type Part = Partial<ResourceAccess> & Pick<ResourceAccess, 'resource'>;

const ownGroup = { group: 'authentication.k8s.io', version: 'v1' };

/** What somebody must be allowed to become another: one question for every part of the other. */
export class ImpersonationRights {
  readonly #requestor: User;
  readonly #authorize: Authorizer;
  readonly #mode: string;

  /** `mode` is empty for the way that has no limits. */
  constructor(requestor: User, mode: string, authorize: Authorizer) {
    this.#requestor = requestor;
    this.#authorize = authorize;
    this.#mode = mode;
  }

  get #isNarrow(): boolean {
    return this.#mode !== '';
  }

  /** Groups of users and their names are of another API group in the old way. */
  get #nameGroup(): { group: string; version: string } {
    return this.#isNarrow ? ownGroup : { group: '', version: 'v1' };
  }

  /** Returns the groups that come with the name, or those that were asked for. */
  name({ name, groups }: WantedUser): readonly string[] {
    const node = this.#isNarrow ? nodeOf(name) : undefined;
    if (node !== undefined) {
      // Where the sender's own node is meant, the right is to whichever that is.
      const which = this.#mode === 'associated-node' ? '*' : node;
      this.about({ resource: 'nodes', name: which });
      return ['system:nodes'];
    }
    const account = parseServiceAccountUserName(name);
    if (!account) {
      this.about({ ...this.#nameGroup, resource: 'users', name });
      return groups;
    }
    this.about({ ...this.#nameGroup, resource: 'serviceaccounts', ...account });
    return groups.length > 0 ? groups : serviceAccountGroups(account.namespace);
  }

  groups(groups: readonly string[]): void {
    const about = { ...this.#nameGroup, resource: 'groups' };
    if (this.#isNarrow) {
      if (groups.includes('')) this.#refuse(about, 'impersonating the empty string group is not allowed');
      if (groups.includes(mastersGroup)) {
        this.#refuse({ ...about, name: mastersGroup }, 'impersonating the system:masters group is not allowed');
      }
      if (groups.length >= many && this.#isAllowed({ ...about, name: '*' })) return;
    }
    for (const name of groups) this.about({ ...about, name });
  }

  extra(extra: WantedUser['extra']): void {
    const about = { resource: 'userextras' };
    if (this.#isNarrow) {
      const fault = extraFault(extra);
      if (fault !== undefined) this.#refuse(about, fault);
      const count = [...extra.values()].reduce((sum, values) => sum + values.length, 0);
      if (count >= many && this.#isAllowed({ ...about, subresource: '*', name: '*' })) return;
    }
    for (const [subresource, values] of extra) {
      for (const name of values) this.about({ ...about, subresource, name });
    }
  }

  about(part: Part): void {
    check(this.#authorize, this.#accessTo(part));
  }

  #isAllowed(part: Part): boolean {
    return this.#authorize(this.#accessTo(part)).isAllowed;
  }

  #refuse(part: Part, why: string): never {
    throw forbiddenAccess(this.#accessTo(part), why);
  }

  #accessTo(part: Part): ResourceAccess {
    const verb = this.#isNarrow ? `impersonate:${this.#mode}` : 'impersonate';
    const nothing = { subresource: '', namespace: '', name: '' };
    return { isResource: true, user: this.#requestor, verb, ...ownGroup, ...nothing, ...part };
  }
}

/** Where narrow rights are used, only what Kubernetes itself would say of a user may be said. */
function extraFault(extra: WantedUser['extra']): string | undefined {
  for (const [key, values] of extra) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const [problem] = validateDomainPrefixedPath('extra.key', key);
    if (problem) return `impersonating an invalid key in extra is not allowed: ${fieldErrorText(problem)}`;
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

export function check(authorize: Authorizer, access: Access): void {
  const { isAllowed, reason } = authorize(access);
  if (!isAllowed) throw forbiddenAccess(access, reason);
}
