import { apiErrors, quote, type ApiRequest } from '@flotilla/kube';
import { percentDecoded } from '../../request/percent-encoding.ts';

/** Somebody else, as the headers of a request name him. */
export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const prefix = 'impersonate-';
const extraPrefix = 'impersonate-extra-';

/** Undefined for a request that its sender makes in his own name. */
export function wantedUser(request: Pick<ApiRequest, 'headers' | 'headerLists'>): WantedUser | undefined {
  if (!asksForImpersonation(request.headers)) return undefined;
  const valuesOf = (name: string): readonly string[] => {
    const single = request.headers[name];
    return request.headerLists?.[name] ?? (single === undefined ? [] : [single]);
  };
  const wanted: WantedUser = {
    name: valuesOf('impersonate-user')[0] ?? '',
    uid: valuesOf('impersonate-uid')[0] ?? '',
    groups: valuesOf('impersonate-group'),
    extra: extraOf(request.headers, valuesOf),
  };
  if (wanted.name !== '') return wanted;
  const wantsNothing = wanted.uid === '' && wanted.groups.length === 0 && wanted.extra.size === 0;
  if (wantsNothing) return undefined;
  throw apiErrors.badRequest(`requested ${inGo(wanted)} without impersonating a user name`);
}

function asksForImpersonation(headers: ApiRequest['headers']): boolean {
  for (const name in headers) if (name.startsWith(prefix)) return true;
  return false;
}

/** Keys may be percent-encoded, because they may hold what the name of a header may not. */
function extraOf(
  headers: ApiRequest['headers'],
  valuesOf: (name: string) => readonly string[],
): Map<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  for (const name of Object.keys(headers).sort()) {
    if (!name.startsWith(extraPrefix)) continue;
    const encoded = name.slice(extraPrefix.length);
    const key = percentDecoded(encoded) ?? encoded;
    extra.set(key, [...(extra.get(key) ?? []), ...valuesOf(name)]);
  }
  return extra;
}

/** The headers that ask for somebody else, value by value: a value may hold the comma that would join it to the next. */
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

/** As Go's `%#v` shows it, which is what clients read. */
function inGo({ name, uid, groups, extra }: WantedUser): string {
  const fields = [...extra]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => `${quote(key)}:${listInGo(values)}`);
  const shownExtra = extra.size === 0 ? 'map[string][]string(nil)' : `map[string][]string{${fields.join(', ')}}`;
  return `&user.DefaultInfo{Name:${quote(name)}, UID:${quote(uid)}, Groups:${listInGo(groups)}, Extra:${shownExtra}}`;
}

function listInGo(values: readonly string[]): string {
  return values.length === 0 ? '[]string(nil)' : `[]string{${values.map(quote).join(', ')}}`;
}
