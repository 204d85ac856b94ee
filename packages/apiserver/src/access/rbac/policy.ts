import type { PolicyRule, Subject } from '@flotilla/builtins';
import { pushAll, type User } from '@flotilla/kube';
import { holderOf, roleKey, type Binding, type RoleRef } from './binding.ts';
import { RuleIndex, type RuleQuery } from './rule-index.ts';

/** The binding and the subject that allow an access. */
export interface Grant {
  readonly binding: Binding;
  readonly subject: Subject;
}

/** The bindings of one user or group in one namespace, or in the whole cluster. */
interface Holder {
  readonly bindings: Map<Binding, Subject>;
  /** Built on first use; discarded when a binding or its role changes. */
  held: HeldRules | undefined;
}

interface HeldRules {
  readonly index: RuleIndex<Grant>;
  readonly missing: readonly RoleRef[];
}

/** Holders by name, then by namespace; the empty one is the whole cluster. */
type Holders = Map<string, Map<string, Holder>>;

/**
 * Roles and bindings, indexed by user or group and namespace. A change costs as much as the changed object is large. The next
 * query of an affected holder builds the holder's index again.
 */
export class Policy {
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #bindings = new Map<string, Binding>();
  readonly #byRole = new Map<string, Set<Binding>>();
  readonly #users: Holders = new Map();
  readonly #groups: Holders = new Map();

  /** Undefined deletes the role. `key` is that of `roleKey`. */
  setRole(key: string, rules: readonly PolicyRule[] | undefined): void {
    if (rules) this.#roles.set(key, rules);
    else this.#roles.delete(key);
    for (const binding of this.#byRole.get(key) ?? []) {
      for (const [, holder] of this.#holdersOf(binding)) holder.held = undefined;
    }
  }

  /** Undefined deletes the binding. */
  setBinding(key: string, binding: Binding | undefined): void {
    const old = this.#bindings.get(key);
    if (old) this.#unbind(old);
    this.#bindings.delete(key);
    if (!binding) return;
    this.#bindings.set(key, binding);
    this.#bind(binding);
  }

  rulesOfRole(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(roleKey(role, namespace));
  }

  /** Whether a binding names the group. */
  binds(group: string): boolean {
    return this.#groups.has(group);
  }

  /** The grant for an access, in the whole cluster or in the namespace. */
  find(user: User, namespace: string, query: RuleQuery): Grant | undefined {
    return this.#findIn('', user, query) ?? (namespace === '' ? undefined : this.#findIn(namespace, user, query));
  }

  rulesOf(user: User, namespace: string): readonly PolicyRule[] {
    return this.#bindingsOf(user, namespace).flatMap((binding) => this.#roles.get(keyOfRole(binding)) ?? []);
  }

  /** Roles that bindings of the user name but that do not exist. */
  missingRoles({ name, groups }: User, namespace: string): readonly RoleRef[] {
    const missing: RoleRef[] = [];
    for (const scope of namespace === '' ? [''] : ['', namespace]) {
      pushAll(missing, this.#held(this.#users.get(name)?.get(scope))?.missing ?? []);
      for (const group of groups) pushAll(missing, this.#held(this.#groups.get(group)?.get(scope))?.missing ?? []);
    }
    return missing;
  }

  #findIn(namespace: string, { name, groups }: User, query: RuleQuery): Grant | undefined {
    const own = this.#held(this.#users.get(name)?.get(namespace))?.index.find(query);
    if (own) return own;
    for (const group of groups) {
      const found = this.#held(this.#groups.get(group)?.get(namespace))?.index.find(query);
      if (found) return found;
    }
    return undefined;
  }

  #held(holder: Holder | undefined): HeldRules | undefined {
    if (!holder) return undefined;
    return (holder.held ??= this.#gather(holder));
  }

  #gather({ bindings }: Holder): HeldRules {
    const index = new RuleIndex<Grant>();
    const missing: RoleRef[] = [];
    for (const [binding, subject] of bindings) {
      const rules = this.#roles.get(keyOfRole(binding));
      if (!rules) missing.push(binding.role);
      const grant = { binding, subject };
      for (const rule of rules ?? []) index.add(rule, grant);
    }
    return { index, missing };
  }

  /** ClusterRoleBindings first. Each binding once, even if it matches the user and several groups. */
  #bindingsOf({ name, groups }: User, namespace: string): Binding[] {
    const found = new Set<Binding>();
    for (const scope of namespace === '' ? [''] : ['', namespace]) {
      const holders = [this.#users.get(name), ...groups.map((group) => this.#groups.get(group))];
      const bindings = holders.flatMap((holder) => [...(holder?.get(scope)?.bindings.keys() ?? [])]);
      for (const binding of bindings.sort(byName)) found.add(binding);
    }
    return [...found];
  }

  #bind(binding: Binding): void {
    const key = keyOfRole(binding);
    const siblings = this.#byRole.get(key);
    if (siblings) siblings.add(binding);
    else this.#byRole.set(key, new Set([binding]));
    for (const [subject, holder] of this.#holdersOf(binding, 'make')) {
      if (!holder.bindings.has(binding)) holder.bindings.set(binding, subject);
      holder.held = undefined;
    }
  }

  #unbind(binding: Binding): void {
    const key = keyOfRole(binding);
    const siblings = this.#byRole.get(key);
    if (siblings?.delete(binding) && siblings.size === 0) this.#byRole.delete(key);
    for (const [subject, holder] of this.#holdersOf(binding)) {
      holder.bindings.delete(binding);
      holder.held = undefined;
      if (holder.bindings.size === 0) this.#removeHolder(subject, binding.namespace);
    }
  }

  *#holdersOf(binding: Binding, missing?: 'make'): Generator<[Subject, Holder]> {
    const { namespace, subjects } = binding;
    for (const subject of subjects) {
      const found = holderOf(subject, namespace);
      if (!found) continue;
      const all = found.kind === 'user' ? this.#users : this.#groups;
      let scopes = all.get(found.name);
      if (!scopes && missing) all.set(found.name, (scopes = new Map()));
      let holder = scopes?.get(namespace);
      if (!holder && missing) scopes?.set(namespace, (holder = { bindings: new Map(), held: undefined }));
      if (holder) yield [subject, holder];
    }
  }

  #removeHolder(subject: Subject, namespace: string): void {
    const found = holderOf(subject, namespace);
    if (!found) return;
    const all = found.kind === 'user' ? this.#users : this.#groups;
    const scopes = all.get(found.name);
    if (scopes?.delete(namespace) && scopes.size === 0) all.delete(found.name);
  }
}

function keyOfRole({ role, namespace }: Binding): string {
  return roleKey(role, namespace);
}

function byName(a: Binding, b: Binding): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
