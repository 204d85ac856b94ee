import type { PolicyRule } from '@flotilla/builtins';
import { aggregate, isMaster, type User } from '@flotilla/kube';
import type { Store } from '../../store/store.ts';
import type { Access, Decision } from '../authorizer.ts';
import { describeGrant, missingRole, type RoleRef } from './binding.ts';
import { uncovered, type Uncovered } from './covers.ts';
import type { Grant } from './policy.ts';
import { StoredPolicy } from './stored-policy.ts';

const freely: Decision = { isAllowed: true, reason: '' };

/** Kubernetes' role-based access control over the roles and bindings of a store. */
export class Rbac {
  readonly #stored: StoredPolicy;

  constructor(store: Store) {
    this.#stored = new StoredPolicy(store);
  }

  authorize(access: Access): Decision {
    const { user } = access;
    if (isMaster(user)) return freely;
    const policy = this.#stored.current();
    const namespace = access.isResource ? access.namespace : '';
    const grant = policy.find(user, namespace, access);
    return grant ? new Allowed(grant) : refused(policy.missingRoles(user, namespace));
  }

  /** Another one whenever a role or a binding has changed. */
  get generation(): number {
    return this.#stored.generation;
  }

  /** All rules that the user has, in the cluster and in the namespace. */
  rulesOf(user: User, namespace: string): readonly PolicyRule[] {
    return this.#stored.current().rulesOf(user, namespace);
  }

  /** Roles that could have given the user more, if they were there. */
  missingRoles(user: User, namespace: string): readonly RoleRef[] {
    return this.#stored.current().missingRoles(user, namespace);
  }

  /** Undefined when there is no such role. */
  rulesOfRole(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#stored.current().rulesOfRole(role, namespace);
  }

  /** What of the rules the user does not have already. */
  notHeld(user: User, namespace: string, rules: readonly PolicyRule[]): Uncovered {
    const policy = this.#stored.current();
    return uncovered(rules, (question) => policy.find(user, namespace, question) !== undefined);
  }
}

/** The sentence is for reviews, which are rare; requests are only let through. */
class Allowed implements Decision {
  readonly isAllowed = true;
  readonly #grant: Grant;

  constructor(grant: Grant) {
    this.#grant = grant;
  }

  get reason(): string {
    return `RBAC: allowed by ${describeGrant(this.#grant.binding, this.#grant.subject)}`;
  }
}

const plainly: Decision = { isAllowed: false, reason: '' };

/** Roles that a binding names but that are not there might have allowed it. */
function refused(missing: readonly RoleRef[]): Decision {
  return missing.length === 0 ? plainly : { isAllowed: false, reason: `RBAC: ${aggregate(missing.map(missingRole))}` };
}
