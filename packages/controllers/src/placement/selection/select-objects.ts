/** Evaluates the selectors of a placement. Pure: reads the hub through `HubObjects`. */
import type { ResourceSelector } from '@flotilla/api';
import type { DiscoveredKind } from '@flotilla/client';
import {
  apiVersionOf,
  namespaces,
  quote,
  type Kind,
  type KubeObject,
  type LabelSelector,
  type ObjectKey,
} from '@flotilla/kube';
import type { Outlined } from '@flotilla/runtime';
import type { Steps } from '@flotilla/timing';
import { compareKinds, compareNames } from './resource-order.ts';
import { isObjectSelectable, isSelectable, type SelectableRules } from './selectable-object.ts';
import {
  isOfNamespaces,
  labelsOf,
  namespaceForSelectors,
  ownLabels,
  SelectorProblem,
  takesWholeNamespaces,
  type FindKind,
  type SelectingPlacement,
  type SelectionRules,
} from './selecting-placement.ts';

/** The objects of the hub. */
export interface HubObjects {
  readonly findKind: FindKind;
  /** The kinds whose objects are placed with their namespace. */
  readonly kindsInNamespaces: readonly Kind[];
  readonly get: (kind: Kind, key: ObjectKey) => Readonly<KubeObject> | undefined;
  /** Without a namespace, all objects of the kind. */
  readonly list: (kind: Kind, namespace?: string) => Iterable<Readonly<KubeObject>>;
  /** The same objects without their content, which costs much less. */
  readonly outlines: (kind: Kind, namespace?: string) => Iterable<Outlined>;
  readonly hasService: (key: ObjectKey) => boolean;
  /** Called before the objects of a whole namespace are listed, so that the caller misses no change of them. */
  readonly takesNamespace?: (namespace: string) => void;
}

export interface SelectedKind {
  readonly kind: Kind;
  /** In order. */
  readonly keys: readonly ObjectKey[];
}

export interface SelectedObjects {
  /** In order. */
  readonly kinds: readonly SelectedKind[];
  /** The namespaces whose objects are all selected. */
  readonly wholeNamespaces: readonly string[];
}

/** Throws a SelectorProblem. Yields after each object that it looked at. */
export function* selectObjects(
  placement: SelectingPlacement,
  hub: HubObjects,
  rules: SelectionRules,
): Steps<SelectedObjects> {
  const evaluation = new Evaluation(placement, hub, rules);
  yield* evaluation.run();
  return evaluation.result();
}

class Evaluation {
  readonly #placement: SelectingPlacement;
  readonly #hub: HubObjects;
  readonly #rules: SelectionRules;
  readonly #selectable: SelectableRules;
  readonly #kinds = new Map<string, { readonly kind: Kind; readonly keys: ObjectKey[] }>();
  readonly #seen = new Set<string>();
  readonly #wholeNamespaces: string[] = [];

  constructor(placement: SelectingPlacement, hub: HubObjects, rules: SelectionRules) {
    this.#placement = placement;
    this.#hub = hub;
    this.#rules = rules;
    this.#selectable = { runsWorkloads: rules.runsWorkloads, hasService: hub.hasService };
  }

  *run(): Steps<void> {
    const { key, selectors } = this.#placement;
    const namespace = key.namespace ?? this.#namespaceForSelectors();
    for (const selector of selectors) {
      if (!this.#rules.apis.includes(selector)) continue;
      if (!isOfNamespaces(selector)) yield* this.#addObjects(selector, namespace);
      else if (key.namespace === undefined) yield* this.#addNamespaces(selector);
      else throw new SelectorProblem(refusal(key, 'cluster-scoped resource Namespace', 'resourcePlacement'));
    }
  }

  result(): SelectedObjects {
    const kinds = [...this.#kinds.values()].sort((a, b) => compareKinds(a.kind, b.kind));
    for (const { keys } of kinds) keys.sort(compareNames);
    return { kinds, wholeNamespaces: this.#wholeNamespaces };
  }

  #namespaceForSelectors(): string | undefined {
    const selector = namespaceForSelectors(this.#placement);
    if (selector === undefined) return undefined;
    const name = selector.name ?? '';
    const found = this.#hub.get(namespaces, { name });
    if (found !== undefined && this.#isSelectable(namespaces, found) && this.#rules.namespaces.includes(name))
      return name;
    throw new SelectorProblem(
      `invalid clusterResourcePlacement ${this.#placement.key.name}: NamespaceWithResourceSelectors mode requires exactly one namespace, but no namespaces were selected`,
    );
  }

  /** By name a reserved namespace is an error; by label, or all of them, it is left out. */
  *#addNamespaces(selector: ResourceSelector): Steps<void> {
    const labels = labelsOf(selector);
    const isWhole = takesWholeNamespaces(selector);
    for (const namespace of this.#candidates(namespaces, undefined, selector)) {
      yield;
      const { name = '' } = namespace.metadata;
      if (labels !== undefined && (!matches(labels, namespace) || !this.#isPlaceable(name))) continue;
      if (!this.#isSelectable(namespaces, namespace)) continue;
      this.#add(namespaces, namespace.metadata);
      if (isWhole) yield* this.#addContents(name);
    }
  }

  *#addContents(namespace: string): Steps<void> {
    this.#wholeNamespaces.push(namespace);
    this.#hub.takesNamespace?.(namespace);
    for (const kind of this.#hub.kindsInNamespaces) yield* this.#addAll(kind, namespace);
  }

  *#addObjects(selector: ResourceSelector, namespace: string | undefined): Steps<void> {
    const kind = this.#kindOf(selector, namespace);
    const scope = kind.namespaced ? namespace : undefined;
    const labels = labelsOf(selector);
    if (labels?.isEmpty === true) return yield* this.#addAll(kind, scope);
    for (const object of this.#candidates(kind, scope, selector)) {
      yield;
      if (matches(labels, object) && this.#isSelectable(kind, object)) this.#add(kind, object.metadata);
    }
  }

  /** Objects may be large, so it reads only those whose content decides. */
  *#addAll(kind: Kind, namespace: string | undefined): Steps<void> {
    const read = (key: ObjectKey) => this.#hub.get(kind, key);
    for (const outlined of this.#hub.outlines(kind, namespace)) {
      yield;
      if (isSelectable(kind, outlined, this.#selectable, read)) this.#add(kind, outlined.key);
    }
  }

  /** Refuses kinds of the wrong scope, and those that no cluster could watch. */
  #kindOf(selector: ResourceSelector, namespace: string | undefined): DiscoveredKind {
    const { key } = this.#placement;
    const kind = this.#hub.findKind(selector);
    if (kind === undefined) {
      const where = keyText({ namespace, name: key.name });
      const cause = `no matches for kind ${quote(selector.kind)} in version ${quote(apiVersionOf(selector))}`;
      throw new SelectorProblem(`invalid placement ${where}, failed to get GVR of the selector: ${cause}`);
    }
    const resource = `${kind.group}/${kind.version}, Resource=${kind.plural}`;
    if (kind.namespaced && namespace === undefined) {
      throw new SelectorProblem(refusal(key, `namespace-scoped resource ${resource}`, 'clusterResourcePlacement'));
    }
    if (!kind.namespaced && key.namespace !== undefined) {
      throw new SelectorProblem(refusal(key, `cluster-scoped resource ${resource}`, 'resourcePlacement'));
    }
    if (!isWatchable(kind)) {
      throw new SelectorProblem(`invalid placement ${keyText(key)}: cannot list and watch resource ${resource}`);
    }
    return kind;
  }

  #candidates(kind: Kind, namespace: string | undefined, { name }: ResourceSelector): Iterable<Readonly<KubeObject>> {
    if (name === undefined || name === '') return this.#hub.list(kind, namespace);
    if (kind === namespaces && !this.#isPlaceable(name)) {
      // The misspelled word is KubeFleet's.
      throw new SelectorProblem(
        `invalid clusterRresourcePlacement ${this.#placement.key.name}: namespace ${name} is not allowed to propagate`,
      );
    }
    const found = this.#hub.get(kind, { namespace, name });
    return found === undefined ? [] : [found];
  }

  #isPlaceable(namespace: string): boolean {
    return this.#rules.namespaces.includes(namespace);
  }

  #isSelectable(kind: Kind, object: Readonly<KubeObject>): boolean {
    return isObjectSelectable(kind, object, this.#selectable);
  }

  /** Whatever the version: an object in two versions would be applied twice. */
  #add(kind: Kind, { namespace, name = '' }: Partial<ObjectKey>): void {
    const identity = `${kind.group}/${kind.kind}/${namespace ?? ''}/${name}`;
    if (this.#seen.has(identity)) {
      throw new SelectorProblem(
        `found duplicate resource {Group:${kind.group} Version:${kind.version} Kind:${kind.kind} Name:${name} Namespace:${namespace ?? ''} Envelope:<nil>}`,
      );
    }
    this.#seen.add(identity);
    const text = `${apiVersionOf(kind)}/${kind.kind}`;
    const group = this.#kinds.get(text) ?? { kind, keys: [] };
    group.keys.push(namespace === undefined ? { name } : { namespace, name });
    this.#kinds.set(text, group);
  }
}

export function isWatchable({ verbs }: DiscoveredKind): boolean {
  return verbs.includes('list') && verbs.includes('watch');
}

function matches(labels: LabelSelector | undefined, object: Readonly<KubeObject>): boolean {
  return labels === undefined || labels.matches(ownLabels(object));
}

function refusal(key: ObjectKey, what: string, where: string): string {
  return `invalid placement ${keyText(key)}: cannot select ${what} in a ${where}`;
}

/** As Go prints it, with a slash even if there is no namespace. */
function keyText({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`;
}
