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
import type { ImpersonatedUser } from './impersonated-user.ts';

/** From this number of values on, a right to all of them is checked before the rights to each. */
const minForWildcardCheck = 4;

type Part = Partial<ResourceAccess> & Pick<ResourceAccess, 'resource'>;

const ownGroup = { group: 'authentication.k8s.io', version: 'v1' };

/** Checks the caller's right to impersonate each attribute of a user. */
export class ImpersonationRights {
  readonly #requestor: User;
  readonly #authorize: Authorizer;
  readonly #mode: string;

  /** `mode` is empty for legacy impersonation, which has no constraints. */
  constructor(requestor: User, mode: string, authorize: Authorizer) {
    this.#requestor = requestor;
    this.#authorize = authorize;
    this.#mode = mode;
  }

  get #isConstrained(): boolean {
    return this.#mode !== '';
  }

  /** The API group of users and groups, which differs in legacy impersonation. */
  get #nameGroup(): { group: string; version: string } {
    return this.#isConstrained ? ownGroup : { group: '', version: 'v1' };
  }

  /** Returns the requested groups, or those that follow from the name. */
  requireName({ name, groups }: ImpersonatedUser): readonly string[] {
    const node = this.#isConstrained ? nodeOf(name) : undefined;
    if (node !== undefined) {
      // The right to impersonate the caller's own node has no node name.
      const which = this.#mode === 'associated-node' ? '*' : node;
      this.require({ resource: 'nodes', name: which });
      return ['system:nodes'];
    }
    const account = parseServiceAccountUserName(name);
    if (!account) {
      this.require({ ...this.#nameGroup, resource: 'users', name });
      return groups;
    }
    this.require({ ...this.#nameGroup, resource: 'serviceaccounts', ...account });
    return groups.length > 0 ? groups : serviceAccountGroups(account.namespace);
  }

  requireGroups(groups: readonly string[]): void {
    const about = { ...this.#nameGroup, resource: 'groups' };
    if (this.#isConstrained) {
      if (groups.includes('')) this.#refuse(about, 'impersonating the empty string group is not allowed');
      if (groups.includes(mastersGroup)) {
        this.#refuse({ ...about, name: mastersGroup }, 'impersonating the system:masters group is not allowed');
      }
      if (groups.length >= minForWildcardCheck && this.#isAllowed({ ...about, name: '*' })) return;
    }
    for (const name of groups) this.require({ ...about, name });
  }

  requireExtra(extra: ImpersonatedUser['extra']): void {
    const about = { resource: 'userextras' };
    if (this.#isConstrained) {
      const fault = extraFault(extra);
      if (fault !== undefined) this.#refuse(about, fault);
      const count = [...extra.values()].reduce((sum, values) => sum + values.length, 0);
      if (count >= minForWildcardCheck && this.#isAllowed({ ...about, subresource: '*', name: '*' })) return;
    }
    for (const [subresource, values] of extra) {
      for (const name of values) this.require({ ...about, subresource, name });
    }
  }

  require(part: Part): void {
    requireAccess(this.#authorize, this.#accessTo(part));
  }

  #isAllowed(part: Part): boolean {
    return this.#authorize(this.#accessTo(part)).isAllowed;
  }

  #refuse(part: Part, why: string): never {
    throw forbiddenAccess(this.#accessTo(part), why);
  }

  #accessTo(part: Part): ResourceAccess {
    const verb = this.#isConstrained ? `impersonate:${this.#mode}` : 'impersonate';
    const nothing = { subresource: '', namespace: '', name: '' };
    return { isResource: true, user: this.#requestor, verb, ...ownGroup, ...nothing, ...part };
  }
}

/** Constrained impersonation accepts only valid keys and non-empty values. */
function extraFault(extra: ImpersonatedUser['extra']): string | undefined {
  for (const [key, values] of extra) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const [problem] = validateDomainPrefixedPath('extra.key', key);
    if (problem) return `impersonating an invalid key in extra is not allowed: ${fieldErrorText(problem)}`;
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

export function requireAccess(authorize: Authorizer, access: Access): void {
  const { isAllowed, reason } = authorize(access);
  if (!isAllowed) throw forbiddenAccess(access, reason);
}
