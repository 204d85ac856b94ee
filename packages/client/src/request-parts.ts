import type { Kind, ObjectKey } from '@flotilla/kube';
import type { Impersonation } from './client.ts';

/** Path of all objects of a kind, or of those in one namespace. */
export function collectionPath({ group, version, plural, namespaced }: Kind, namespace: string | undefined): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${place}/${plural}`;
}

/** Path of one object or subresource. Without a name it would be the path of the collection. */
export function objectPath(kind: Kind, { namespace, name }: ObjectKey, subresource?: string): string {
  if (name === '') throw new TypeError(`a ${kind.kind} needs a name`);
  if (kind.namespaced && !namespace) throw new TypeError(`${kind.kind} ${name} needs a namespace`);
  const path = `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** Accepts full objects from servers that make no tables. */
export const tableAccept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** Omits undefined and empty parameters. */
export function queryText(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  let text = '';
  for (const name in parameters) {
    const value = parameters[name];
    if (value === undefined || value === '') continue;
    text += `${text === '' ? '' : '&'}${name}=${encodeURIComponent(value)}`;
  }
  return text;
}

/** The Impersonate-* headers for a user. */
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

/** Keys of extra fields may contain characters that header names may not. */
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
