/** What of a placement decides what it selects. */
import type { ResourceSelector } from '@flotilla/api';
import type { DiscoveredKind } from '@flotilla/client';
import {
  isJsonObject,
  labelSelectorFrom,
  LabelSelector,
  namespaces,
  SelectorError,
  type GroupVersionKind,
  type KubeObject,
  type ObjectKey,
} from '@flotilla/kube';
import type { PlaceableApis } from './placeable-apis.ts';
import type { PlaceableNamespaces } from './placeable-namespaces.ts';

export interface SelectingPlacement {
  /** Without a namespace it is a ClusterResourcePlacement. */
  readonly key: ObjectKey;
  readonly selectors: readonly ResourceSelector[];
}

/** What the hub's administrator allows. */
export interface SelectionRules {
  readonly apis: PlaceableApis;
  readonly namespaces: PlaceableNamespaces;
  readonly runsWorkloads: boolean;
}

/** Finds the kind that a selector names; undefined if the hub does not serve it. */
export type FindKind = (gvk: GroupVersionKind) => DiscoveredKind | undefined;

/** The selectors are wrong, and only a user can correct that. The message is KubeFleet's where it has one. */
export class SelectorProblem extends Error {
  override readonly name = 'SelectorProblem';
}

export function isOfNamespaces({ group, version, kind }: ResourceSelector): boolean {
  return group === namespaces.group && version === namespaces.version && kind === namespaces.kind;
}

/** Whether it selects the objects in the namespaces, too. */
export function takesWholeNamespaces(selector: ResourceSelector): boolean {
  const { selectionScope } = selector;
  return (
    isOfNamespaces(selector) &&
    selectionScope !== 'NamespaceOnly' &&
    selectionScope !== 'NamespaceWithResourceSelectors'
  );
}

/** The selector of the namespace in which the other selectors of a ClusterResourcePlacement look for namespaced objects. */
export function namespaceForSelectors({ key, selectors }: SelectingPlacement): ResourceSelector | undefined {
  if (key.namespace !== undefined) return undefined;
  return selectors.find(
    (selector) => isOfNamespaces(selector) && selector.selectionScope === 'NamespaceWithResourceSelectors',
  );
}

/** Undefined for a selector by name. An absent label selector selects everything. */
export function labelsOf({ name, labelSelector }: ResourceSelector): LabelSelector | undefined {
  if (name !== undefined && name !== '') return undefined;
  if (labelSelector === undefined || labelSelector === null) return LabelSelector.everything;
  try {
    return labelSelectorFrom(labelSelector);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new SelectorProblem(`cannot convert the label selector to a selector: ${error.message}`);
  }
}

/** The labels of an object of any kind, which may have something else in their place. */
export function ownLabels({ metadata: { labels } }: Readonly<KubeObject>): Readonly<Record<string, string>> {
  return isJsonObject(labels) ? labels : {};
}
