import type { PolicyRule } from '@flotilla/builtins';
import { aggregate, isMaster, mastersGroup, type User } from '@flotilla/kube';
import type { Store } from '../../store/store.ts';
import type { Access, Decision } from '../authorizer.ts';
import { describeGrant, missingRole, type RoleRef } from './binding.ts';
import { uncovered, type Uncovered } from './covers.ts';
import type { Grant } from './policy.ts';
import { StoredPolicy } from './stored-policy.ts';

const allowed: Decision = { isAllowed: true, reason: '' };

/** Role-based access control with the roles and bindings of a store. */
export class Rbac {
  readonly #stored: StoredPolicy;
  /** How often a rule has allowed something. */
  allowedCount = 0;

  constructor(store: Store) {
    this.#stored = new StoredPolicy(store);
  }

  authorize(access: Access): Decision {
    const { user } = access;
    if (isMaster(user)) return allowed;
    const policy = this.#stored.current();
    const namespace = access.isResource ? access.namespace : '';
    const grant = policy.find(user, namespace, access);
    if (grant) {
      this.allowedCount++;
      return new AllowedByGrant(grant);
    }
    return denial(policy.missingRoles(user, namespace));
  }

  /** Differs after every change of a role or a binding. */
  get generation(): number {
    return this.#stored.generation;
  }

  /** The groups that may give a user something, in their order. All other functions return the same without the rest. */
  effectiveGroups(groups: readonly string[]): string[] {
    const policy = this.#stored.current();
    return groups.filter((group) => group === mastersGroup || policy.binds(group));
  }

  /** All rules that the user has, in the cluster and in the namespace. */
  rulesOf(user: User, namespace: string): readonly PolicyRule[] {
    return this.#stored.current().rulesOf(user, namespace);
  }

  /** Roles that bindings of the user name but that do not exist. */
  missingRoles(user: User, namespace: string): readonly RoleRef[] {
    return this.#stored.current().missingRoles(user, namespace);
  }

  /** Returns undefined if the role does not exist. */
  rulesOfRole(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#stored.current().rulesOfRole(role, namespace);
  }

  /** The parts of the rules that the user does not hold. */
  notHeld(user: User, namespace: string, rules: readonly PolicyRule[]): Uncovered {
    const policy = this.#stored.current();
    return uncovered(rules, (query) => policy.find(user, namespace, query) !== undefined);
  }
}

/** Builds the reason on demand: only access reviews, which are rare, read it. */
class AllowedByGrant implements Decision {
  readonly isAllowed = true;
  readonly #grant: Grant;

  constructor(grant: Grant) {
    this.#grant = grant;
  }

  get reason(): string {
    return `RBAC: allowed by ${describeGrant(this.#grant.binding, this.#grant.subject)}`;
  }
}

const denied: Decision = { isAllowed: false, reason: '' };

/** The reason lists missing roles, which might have allowed the access. */
function denial(missing: readonly RoleRef[]): Decision {
  return missing.length === 0 ? denied : { isAllowed: false, reason: `RBAC: ${aggregate(missing.map(missingRole))}` };
}
