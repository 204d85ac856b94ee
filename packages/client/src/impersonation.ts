import type { Impersonation } from './client.ts';

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
