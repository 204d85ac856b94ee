import { apiErrors, quote, type ApiRequest } from '@flotilla/kube';
import { percentDecoded } from '../../request/percent-encoding.ts';

/** The user that the Impersonate-* headers of a request name. */
export interface ImpersonatedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const prefix = 'impersonate-';
const extraPrefix = 'impersonate-extra-';

/** Returns undefined for a request without impersonation. */
export function impersonatedUser(request: Pick<ApiRequest, 'headers' | 'headerLists'>): ImpersonatedUser | undefined {
  if (!asksForImpersonation(request.headers)) return undefined;
  const valuesOf = (name: string): readonly string[] => {
    const single = request.headers[name];
    return request.headerLists?.[name] ?? (single === undefined ? [] : [single]);
  };
  const target: ImpersonatedUser = {
    name: valuesOf('impersonate-user')[0] ?? '',
    uid: valuesOf('impersonate-uid')[0] ?? '',
    groups: valuesOf('impersonate-group'),
    extra: extraOf(request.headers, valuesOf),
  };
  if (target.name !== '') return target;
  const isEmpty = target.uid === '' && target.groups.length === 0 && target.extra.size === 0;
  if (isEmpty) return undefined;
  throw apiErrors.badRequest(`requested ${goText(target)} without impersonating a user name`);
}

function asksForImpersonation(headers: ApiRequest['headers']): boolean {
  for (const name in headers) if (name.startsWith(prefix)) return true;
  return false;
}

/** Keys may be percent-encoded: they may have characters that header names may not. */
function extraOf(
  headers: ApiRequest['headers'],
  valuesOf: (name: string) => readonly string[],
): Map<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  const names = Object.keys(headers).filter((name) => name.startsWith(extraPrefix));
  for (const name of names.sort()) {
    const encoded = name.slice(extraPrefix.length);
    const key = percentDecoded(encoded) ?? encoded;
    extra.set(key, [...(extra.get(key) ?? []), ...valuesOf(name)]);
  }
  return extra;
}

/** The values of the Impersonate-* headers as lists, because a value may contain the comma that joins values. */
export function impersonationLists(
  headers: ApiRequest['headers'],
  rawHeaders: readonly string[],
): Readonly<Record<string, readonly string[]>> | undefined {
  if (!asksForImpersonation(headers)) return undefined;
  const lists = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!name.startsWith(prefix)) continue;
    const values = lists.get(name);
    if (values) values.push(rawHeaders[at + 1] ?? '');
    else lists.set(name, [rawHeaders[at + 1] ?? '']);
  }
  return Object.fromEntries(lists);
}

/** In the format of Go's `%#v`, which is part of the message. */
function goText({ name, uid, groups, extra }: ImpersonatedUser): string {
  const fields = [...extra]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => `${quote(key)}:${goListText(values)}`);
  const shownExtra = extra.size === 0 ? 'map[string][]string(nil)' : `map[string][]string{${fields.join(', ')}}`;
  return `&user.DefaultInfo{Name:${quote(name)}, UID:${quote(uid)}, Groups:${goListText(groups)}, Extra:${shownExtra}}`;
}

function goListText(values: readonly string[]): string {
  return values.length === 0 ? '[]string(nil)' : `[]string{${values.map(quote).join(', ')}}`;
}
