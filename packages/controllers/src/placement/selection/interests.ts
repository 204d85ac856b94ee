/** Which objects of the hub concern a placement. */
import type { ResourceSelector } from '@flotilla/api';
import { namespaces, type Kind, type LabelSelector } from '@flotilla/kube';
import { dependsOnServices } from './selectable-object.ts';
import {
  isOfNamespaces,
  labelsOf,
  namespaceForSelectors,
  SelectorProblem,
  takesWholeNamespaces,
  type FindKind,
  type SelectingPlacement,
  type SelectionRules,
} from './selecting-placement.ts';

/** Objects of one kind in one namespace, by name or by labels. */
export interface Interest {
  readonly kind: Kind;
  /** Undefined for cluster-scoped objects. */
  readonly namespace: string | undefined;
  readonly name?: string;
  readonly labels?: LabelSelector | undefined;
}

export const services: Kind = { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true };

/** The objects that selectors name. Those in whole namespaces are known only when the namespaces are. */
export function interestsOf(placement: SelectingPlacement, findKind: FindKind, rules: SelectionRules): Interest[] {
  const { key, selectors } = placement;
  const namespace = key.namespace ?? namespaceForSelectors(placement)?.name;
  return selectors
    .filter((selector) => rules.apis.includes(selector))
    .flatMap((selector): Interest[] => {
      if (isOfNamespaces(selector))
        return key.namespace === undefined ? interestIn(namespaces, undefined, selector) : [];
      const kind = findKind(selector);
      if (kind === undefined) return [];
      if (!kind.namespaced) return key.namespace === undefined ? interestIn(kind, undefined, selector) : [];
      if (namespace === undefined) return [];
      const interest = interestIn(kind, namespace, selector);
      return dependsOnServices(kind)
        ? [...interest, ...interestIn(services, namespace, { ...selector, labelSelector: {} })]
        : interest;
    });
}

export function hasWholeNamespaces({ key, selectors }: SelectingPlacement): boolean {
  return key.namespace === undefined && selectors.some(takesWholeNamespaces);
}

/** Nothing for a label selector that cannot be read: only a change of the placement helps. */
function interestIn(kind: Kind, namespace: string | undefined, selector: ResourceSelector): Interest[] {
  const { name } = selector;
  if (name !== undefined && name !== '') return [{ kind, namespace, name }];
  try {
    return [{ kind, namespace, labels: labelsOf(selector) }];
  } catch (error) {
    if (error instanceof SelectorProblem) return [];
    throw error;
  }
}
