import {
  apiErrors,
  errorMessage,
  labelSelectorFrom,
  type GroupVersionKind,
  type KubeObject,
  type LabelSelectorObject,
} from '@flotilla/kube';
import type { LabelSelector } from '@flotilla/kube';
import type { Resource } from '../../resources/resource.ts';
import type { Attributes } from '../admission.ts';
import { includesObject, namesTarget, type AdmissionRule, type RuleTarget } from './rules.ts';
import { isNamespaces, kindOf, namespaceOf } from './requested-object.ts';

/** The fields of webhooks, policies and bindings that say which requests they apply to. */
export interface MatchFields {
  /** Absent: every request. Empty: none. */
  readonly rules?: readonly AdmissionRule[] | undefined;
  readonly excludedRules?: readonly AdmissionRule[] | undefined;
  readonly namespaceSelector?: LabelSelectorObject | undefined;
  readonly objectSelector?: LabelSelectorObject | undefined;
  /** `Exact`, or `Equivalent`: rules may name other versions of the requested resource. */
  readonly matchPolicy?: string | undefined;
}

/** The resource in the version that a rule names. */
export interface MatchedResource {
  readonly resource: Resource;
  /** The kind of the objects in that version. */
  readonly kind: GroupVersionKind;
}

/** Compiled `MatchFields`. */
export class MatchCriteria {
  readonly #rules: readonly AdmissionRule[] | undefined;
  readonly #excluded: readonly AdmissionRule[];
  readonly #namespaces: Selector;
  readonly #objects: Selector;
  readonly #hasEquivalents: boolean;
  /** Whether the rules look at the target of a request only, not at its object. */
  readonly #isByTarget: boolean;
  /** What the rules matched last. Most requests to a server are of few kinds. */
  #last: { readonly target: RuleTarget; readonly resource: Resource; readonly matched: MatchedResource } | undefined;

  constructor({ rules, excludedRules = [], namespaceSelector, objectSelector, matchPolicy }: MatchFields) {
    this.#rules = rules;
    this.#excluded = excludedRules;
    this.#namespaces = selectorOf(namespaceSelector);
    this.#objects = selectorOf(objectSelector);
    this.#hasEquivalents = matchPolicy === 'Equivalent';
    this.#isByTarget = (rules ?? []).every(({ scope = '*', resourceNames = [] }) => {
      return scope === '*' && resourceNames.length === 0;
    });
  }

  /** False if no request to this target can match, whatever its object. */
  mayMatch({ operation, resource, subresource }: Pick<Attributes, 'operation' | 'resource' | 'subresource'>): boolean {
    if (this.#rules === undefined) return true;
    const candidates = this.#hasEquivalents ? [resource, ...equivalentsOf(resource, subresource)] : [resource];
    return this.#rules.some((rule) =>
      candidates.some((candidate) => namesTarget(rule, targetOf(operation, candidate, subresource))),
    );
  }

  /** Undefined if the request does not match. Throws if it matches except for a namespace that does not exist. */
  match(attributes: Attributes): MatchedResource | undefined {
    const inNamespace = namespaceMatches(this.#namespaces, attributes);
    if (inNamespace === false) return undefined;
    const isSelected = objectMatches(this.#objects, attributes);
    if (isSelected === false) return undefined;
    if (this.#excluded.length > 0 && this.#find(this.#excluded, attributes)) return undefined;
    const matched = this.#byRules(attributes);
    if (!matched) return undefined;
    if (inNamespace !== true) throw inNamespace;
    if (isSelected !== true) throw isSelected;
    return matched;
  }

  #byRules(attributes: Attributes): MatchedResource | undefined {
    const { operation, resource, subresource } = attributes;
    const last = this.#last;
    if (last?.resource === resource && last.target.operation === operation && last.target.subresource === subresource) {
      return last.matched;
    }
    const matched = this.#rules === undefined ? asRequested(attributes) : this.#find(this.#rules, attributes);
    if (matched && this.#isByTarget) {
      this.#last = { target: targetOf(operation, resource, subresource), resource, matched };
    }
    return matched;
  }

  /** A rule that names the requested version wins over an earlier one that names another. */
  #find(rules: readonly AdmissionRule[], attributes: Attributes): MatchedResource | undefined {
    const { operation, resource, subresource, name } = attributes;
    if (rules.length === 0) return undefined;
    const object = { namespace: namespaceOf(attributes), name };
    const applies = (rule: AdmissionRule, target: RuleTarget): boolean =>
      namesTarget(rule, target) && includesObject(rule, target, object);
    const requested = targetOf(operation, resource, subresource);
    if (rules.some((rule) => applies(rule, requested))) return asRequested(attributes);
    if (!this.#hasEquivalents) return undefined;
    const others = equivalentsOf(resource, subresource);
    for (const rule of rules) {
      for (const other of others) {
        if (applies(rule, targetOf(operation, other, subresource))) {
          return { resource: other, kind: kindOf(other, subresource) };
        }
      }
    }
    return undefined;
  }
}

function asRequested({ resource, subresource }: Attributes): MatchedResource {
  return { resource, kind: kindOf(resource, subresource) };
}

function targetOf(operation: RuleTarget['operation'], resource: Resource, subresource: string): RuleTarget {
  const { group, version, plural } = resource;
  return { operation, group, version, plural, subresource };
}

function equivalentsOf(resource: Resource, subresource: string): readonly Resource[] {
  const all = resource.equivalents?.() ?? [];
  if (subresource === '') return all;
  return all.filter(({ subresources }) => subresources.some(({ name }) => name === subresource));
}

/** A stored selector may be invalid by today's rules: requests that depend on it fail. */
type Selector = LabelSelector | Error;

function selectorOf(selector: LabelSelectorObject | undefined): Selector {
  try {
    return labelSelectorFrom(selector ?? {});
  } catch (error) {
    return apiErrors.internalError(errorMessage(error));
  }
}

/** An error counts only if the request matches otherwise. */
function namespaceMatches(selector: Selector, attributes: Attributes): boolean | Error {
  const { resource, server, operation, subresource, object } = attributes;
  const namespace = namespaceOf(attributes);
  if (namespace === '' && !isNamespaces(resource)) return true;
  if (selector instanceof Error) return selector;
  if (selector.isEmpty) return true;
  const isWritten = operation === 'CREATE' || operation === 'UPDATE';
  if (isNamespaces(resource) && subresource === '' && isWritten) return selector.matches(object?.metadata.labels);
  const entry = server.store.newest({ collection: 'namespaces', name: namespace });
  return entry
    ? selector.matches(entry.header.labels)
    : apiErrors.notFound({ resource: 'namespaces', group: '' }, namespace);
}

function objectMatches(selector: Selector, { object, oldObject }: Attributes): boolean | Error {
  if (selector instanceof Error) return selector;
  return selector.isEmpty || hasLabels(selector, object) || hasLabels(selector, oldObject);
}

/** Options of a connection have no metadata. */
function hasLabels(selector: LabelSelector, object: Partial<KubeObject> | undefined): boolean {
  return object?.metadata !== undefined && selector.matches(object.metadata.labels);
}
