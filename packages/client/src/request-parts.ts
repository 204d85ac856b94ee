import type { Kind, ObjectKey } from '@flotilla/kube';
import type { Impersonation } from './client.ts';

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

/** The headers that ask a server to see somebody else in whoever sends them. */
export function impersonationHeaders({ user, uid, groups = [], extra = {} }: Impersonation): ImpersonationHeaders {
  return {
    'impersonate-user': user,
    ...(uid !== undefined && uid !== '' && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': groups }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${escapedKey(key)}`, values]),
    ),
  };
}

type ImpersonationHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Keys of extra fields may hold what no header's name may. */
function escapedKey(key: string): string {
  const bytes = [...Buffer.from(key)];
  return bytes
    .map((byte) => {
      const character = String.fromCharCode(byte);
      const isLegal = /^[!#$&'*+\-.^_`|~0-9a-zA-Z]$/.test(character);
      return isLegal ? character.toLowerCase() : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}
