import type { ObjectKey } from '@flotilla/kube';
import type { ReadonlyObject } from './object-source.ts';

export function keyOf({ metadata: { namespace, name = '' } }: ReadonlyObject): ObjectKey {
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}

/** Inverse of `keyText`: names have no slashes. */
export function keyFromText(text: string): ObjectKey {
  const slash = text.indexOf('/');
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** By namespace, then by name. */
export function compareKeys(a: Partial<ObjectKey>, b: Partial<ObjectKey>): number {
  return compareTexts(a.namespace ?? '', b.namespace ?? '') || compareTexts(a.name ?? '', b.name ?? '');
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
