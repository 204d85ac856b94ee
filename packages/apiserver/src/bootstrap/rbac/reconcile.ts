/**
 * Adds what the bootstrap policy expects to a stored role or binding, and keeps what users added. Pure: returns the wanted
 * object, or undefined if nothing changes.
 */
import type { PolicyRule, Subject } from '@flotilla/builtins';
import { jsonEquals, type JsonObject, type KubeObject, type LabelSelectorObject } from '@flotilla/kube';
import { bindingOf, rulesOf } from '../../access/rbac/binding.ts';
import { uncoveredBy } from '../../access/rbac/covers.ts';

const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate';

/** Users protect a role with this annotation. */
function isProtected({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[autoUpdate] === 'false';
}

export function reconciledRole(stored: KubeObject, expected: KubeObject): KubeObject | undefined {
  if (isProtected(stored)) return undefined;
  const missing = uncoveredBy(rulesOf(stored), rulesOf(expected));
  const { aggregationRule: _old, ...others } = stored;
  const selectors = reconciledSelectors(selectorsOf(stored), selectorsOf(expected));
  return changed(stored, {
    ...others,
    metadata: reconciledMetadata(stored, expected),
    ...(missing.length > 0 && { rules: [...rulesOf(stored), ...missing] as (PolicyRule & JsonObject)[] }),
    ...(selectors && { aggregationRule: { clusterRoleSelectors: [...selectors] } }),
  });
}

export function reconciledBinding(stored: KubeObject, expected: KubeObject): KubeObject | 'recreate' | undefined {
  if (isProtected(stored)) return undefined;
  const before = bindingOf(stored);
  const wanted = bindingOf(expected);
  // The role of a binding is immutable.
  if (!isSame(before.role, wanted.role)) return 'recreate';
  const missing = wanted.subjects.filter((subject) => !before.subjects.some((known) => isSame(known, subject)));
  return changed(stored, {
    ...stored,
    metadata: reconciledMetadata(stored, expected),
    ...(missing.length > 0 && { subjects: [...before.subjects, ...missing] as (Subject & JsonObject)[] }),
  });
}

function changed(stored: KubeObject, wanted: KubeObject): KubeObject | undefined {
  return jsonEquals(stored, wanted) ? undefined : wanted;
}

/** Values of users win. */
function reconciledMetadata({ metadata }: KubeObject, expected: KubeObject): KubeObject['metadata'] {
  const labels = { ...expected.metadata.labels, ...metadata.labels };
  const annotations = { ...expected.metadata.annotations, ...metadata.annotations };
  return { ...metadata, labels, annotations };
}

function selectorsOf(role: KubeObject): readonly LabelSelectorObject[] | undefined {
  const { aggregationRule } = role as { aggregationRule?: { clusterRoleSelectors?: readonly LabelSelectorObject[] } };
  return aggregationRule && (aggregationRule.clusterRoleSelectors ?? []);
}

/** Removes all selectors of a role that must not be aggregated. */
function reconciledSelectors(
  stored: readonly LabelSelectorObject[] = [],
  expected: readonly LabelSelectorObject[] | undefined,
): readonly LabelSelectorObject[] | undefined {
  if (!expected) return undefined;
  return [...stored, ...expected.filter((selector) => !stored.some((known) => jsonEquals(known, selector)))];
}

/** For subjects and roleRefs. */
function isSame(left: Subject, right: Subject): boolean {
  const textOf = ({ kind, apiGroup, name, namespace }: Subject): string =>
    JSON.stringify([kind ?? '', apiGroup ?? '', name ?? '', namespace ?? '']);
  return textOf(left) === textOf(right);
}
