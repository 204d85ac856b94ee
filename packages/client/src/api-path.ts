import type { Kind, ObjectKey } from '@flotilla/kube';

/** Where a kind's objects are: all of them, or those of one namespace. */
export function collectionPath({ group, version, plural, namespaced }: Kind, namespace: string | undefined): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${place}/${plural}`;
}

/** Where one object is, or a part of it. A name that is missing would turn the path into its collection's. */
export function objectPath(kind: Kind, { namespace, name }: ObjectKey, subresource?: string): string {
  if (name === '') throw new TypeError(`a ${kind.kind} without a name has no path`);
  if (kind.namespaced && !namespace) throw new TypeError(`${kind.kind} ${name} needs a namespace`);
  const path = `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** A query without what was left out. */
export function queryText(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  let text = '';
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === '') continue;
    text += `${text === '' ? '' : '&'}${name}=${encodeURIComponent(value)}`;
  }
  return text;
}
