import type { PolicyRule, Subject } from '@flotilla/builtins';
import type { User } from '@flotilla/kube';
import { holderOf, roleKey, type Binding, type RoleRef } from './binding.ts';
import { RuleIndex, type Question } from './rule-index.ts';

/** What let somebody do something. */
export interface Grant {
  readonly binding: Binding;
  readonly subject: Subject;
}

/** All rules that somebody has somewhere, and the roles that could have given more. */
export interface HeldRules {
  readonly rules: readonly PolicyRule[];
  readonly missing: readonly RoleRef[];
}

/** What one user or group was given in one namespace, or in the whole cluster. */
interface Holder {
  readonly bindings: Map<Binding, Subject>;
  /** Made when it is first asked for; gone when a binding or its role changes. */
  index: RuleIndex<Grant> | undefined;
}

/** Holders by name, then by namespace; the empty one is the whole cluster. */
type Holders = Map<string, Map<string, Holder>>;

/**
 * Roles and who has them, found by who asks and where. A change costs as much as the changed object is large; the next
 * question of those it concerns pays for the rest.
 */
export class Policy {
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #bindings = new Map<string, Binding>();
  readonly #byRole = new Map<string, Set<Binding>>();
  readonly #users: Holders = new Map();
  readonly #groups: Holders = new Map();

  /** Undefined: the role is gone. Keys as `roleKey` makes them. */
  setRole(key: string, rules: readonly PolicyRule[] | undefined): void {
    if (rules) this.#roles.set(key, rules);
    else this.#roles.delete(key);
    for (const binding of this.#byRole.get(key) ?? []) {
      for (const [, holder] of this.#holdersOf(binding)) holder.index = undefined;
    }
  }

  /** Undefined: the binding is gone. */
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

  /** Somebody's right to do something, given for the whole cluster or for the namespace. */
  find(user: User, namespace: string, question: Question): Grant | undefined {
    return this.#findIn('', user, question) ?? (namespace === '' ? undefined : this.#findIn(namespace, user, question));
  }

  rulesOf(user: User, namespace: string): HeldRules {
    const bindings = this.#bindingsOf(user, namespace);
    const missing = bindings.filter((binding) => !this.#roles.has(keyOfRole(binding)));
    return {
      rules: bindings.flatMap((binding) => this.#roles.get(keyOfRole(binding)) ?? []),
      missing: missing.map(({ role }) => role),
    };
  }

  #findIn(namespace: string, { name, groups }: User, question: Question): Grant | undefined {
    const own = this.#indexOf(this.#users.get(name)?.get(namespace))?.find(question);
    if (own) return own;
    for (const group of groups) {
      const found = this.#indexOf(this.#groups.get(group)?.get(namespace))?.find(question);
      if (found) return found;
    }
    return undefined;
  }

  #indexOf(holder: Holder | undefined): RuleIndex<Grant> | undefined {
    if (!holder) return undefined;
    return (holder.index ??= this.#newIndex(holder));
  }

  #newIndex({ bindings }: Holder): RuleIndex<Grant> {
    const index = new RuleIndex<Grant>();
    for (const [binding, subject] of bindings) {
      const grant = { binding, subject };
      for (const rule of this.#roles.get(keyOfRole(binding)) ?? []) index.add(rule, grant);
    }
    return index;
  }

  /** Those of the cluster first; each once, whoever of the user's names it is for. */
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
      holder.index = undefined;
    }
  }

  #unbind(binding: Binding): void {
    const key = keyOfRole(binding);
    const siblings = this.#byRole.get(key);
    if (siblings?.delete(binding) && siblings.size === 0) this.#byRole.delete(key);
    for (const [subject, holder] of this.#holdersOf(binding)) {
      holder.bindings.delete(binding);
      holder.index = undefined;
      if (holder.bindings.size === 0) this.#forget(subject, binding.namespace);
    }
  }

  *#holdersOf(binding: Binding, missing?: 'make'): Generator<[Subject, Holder]> {
    const { namespace, subjects } = binding;
    for (const subject of subjects) {
      const who = holderOf(subject, namespace);
      if (!who) continue;
      const all = who.kind === 'user' ? this.#users : this.#groups;
      let scopes = all.get(who.name);
      if (!scopes && missing) all.set(who.name, (scopes = new Map()));
      let holder = scopes?.get(namespace);
      if (!holder && missing) scopes?.set(namespace, (holder = { bindings: new Map(), index: undefined }));
      if (holder) yield [subject, holder];
    }
  }

  #forget(subject: Subject, namespace: string): void {
    const who = holderOf(subject, namespace);
    if (!who) return;
    const all = who.kind === 'user' ? this.#users : this.#groups;
    const scopes = all.get(who.name);
    if (scopes?.delete(namespace) && scopes.size === 0) all.delete(who.name);
  }
}

function keyOfRole({ role, namespace }: Binding): string {
  return roleKey(role, namespace);
}

function byName(a: Binding, b: Binding): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
