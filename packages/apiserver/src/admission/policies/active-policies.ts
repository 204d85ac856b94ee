import { compareBytes, type KubeObject } from '@flotilla/kube';
import type { MatchCriteria } from '../matching/match-criteria.ts';
import { MatchIndex } from '../matching/match-index.ts';
import { isUnderPolicies } from './exempt-resources.ts';
import { FollowedCollection } from '../matching/followed-collection.ts';
import { criteriaOf, specOf, type BindingSpec, type PolicySpec } from './policy-fields.ts';
import type { Attributes } from '../admission.ts';
import type { Store } from '../../store/store.ts';

export interface Binding {
  readonly name: string;
  readonly spec: BindingSpec;
  /** Undefined if it applies to all requests that the policy matches. */
  readonly criteria: MatchCriteria | undefined;
}

/** A policy as admission uses it, compiled when it is first needed. */
export interface Policy {
  readonly name: string;
  readonly spec: PolicySpec;
  readonly criteria: MatchCriteria;
}

/** A policy with at least one binding. */
export interface ActivePolicy<P extends Policy> {
  readonly policy: P;
  readonly bindings: readonly Binding[];
  readonly criteria: MatchCriteria;
}

const none: readonly never[] = [];

/** The policies of one kind that are in effect: those with a binding, by name. */
export class ActivePolicies<P extends Policy> {
  readonly #policies: FollowedCollection<P>;
  readonly #bindings: FollowedCollection<Binding>;
  #seenPolicies = -1;
  #seenBindings = -1;
  #index = new MatchIndex<ActivePolicy<P>>([]);

  constructor(store: Store, kind: string, parse: (object: KubeObject) => P) {
    const group = 'admissionregistration.k8s.io';
    this.#policies = new FollowedCollection(store, `${kind}policies.${group}`, parse);
    this.#bindings = new FollowedCollection(store, `${kind}policybindings.${group}`, bindingOf);
  }

  /** Those whose rules may match the request. */
  candidates(attributes: Attributes): readonly ActivePolicy<P>[] {
    const index = this.#current();
    return index.isEmpty || !isUnderPolicies(attributes.resource) ? none : index.candidates(attributes);
  }

  #current(): MatchIndex<ActivePolicy<P>> {
    const bindings = this.#bindings.refresh();
    const policies = this.#policies.refresh();
    if (policies !== this.#seenPolicies || bindings !== this.#seenBindings) {
      this.#seenPolicies = policies;
      this.#seenBindings = bindings;
      this.#index = new MatchIndex(this.#active());
    }
    return this.#index;
  }

  #active(): readonly ActivePolicy<P>[] {
    const bindings = Map.groupBy(inOrder(this.#bindings.items), ({ spec }) => spec.policyName ?? '');
    return inOrder(this.#policies.items).flatMap((policy) => {
      const own = bindings.get(policy.name);
      return own ? [{ policy, bindings: own, criteria: policy.criteria }] : [];
    });
  }
}

function inOrder<T extends { readonly name: string }>(items: ReadonlyMap<string, T>): T[] {
  return [...items.values()].sort((a, b) => compareBytes(a.name, b.name));
}

function bindingOf(object: KubeObject): Binding {
  const spec = specOf(object) as BindingSpec;
  const criteria = spec.matchResources && criteriaOf(spec.matchResources);
  return { name: object.metadata.name ?? '', spec, criteria };
}
