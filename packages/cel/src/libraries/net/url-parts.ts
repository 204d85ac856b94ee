/** URLs as Go's `net/url` parses them for requests: absolute, or with an absolute path. */
import { quote } from '@flotilla/kube';
import { parseAddress } from './ip-text.ts';

export interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  /** Decoded. */
  readonly path: string;
  /** As written. */
  readonly rawPath: string;
  readonly rawQuery: string;
}

/** Go's error for an invalid URL; undefined if it is valid. */
export function urlProblem(text: string): string | undefined {
  const parsed = parse(text, true);
  return typeof parsed === 'string' ? `parse ${quote(text)}: ${parsed}` : undefined;
}

/** Parses a URL that may have a fragment, or start with a host. */
export function parseUrl(text: string): UrlParts | { readonly error: string } {
  const problem = urlProblem(text);
  if (problem !== undefined) return { error: problem };
  const [beforeFragment, fragment] = cut(text, '#');
  const parsed = parse(beforeFragment, false);
  if (typeof parsed === 'string') return { error: `parse ${quote(beforeFragment)}: ${parsed}` };
  const decoded = unescape(fragment);
  return 'problem' in decoded ? { error: `parse ${quote(text)}: ${decoded.problem}` } : parsed;
}

/** Host and port. The name has no brackets around IPv6. */
export function splitHost(host: string): { name: string; port: string } {
  const [, before = host, port = ''] = /^(.*):(\d*)$/s.exec(host) ?? [];
  const isBracketed = before.startsWith('[') && before.endsWith(']');
  return { name: isBracketed ? before.slice(1, -1) : before, port };
}

/** The encoded path. */
export function escapedPath({ path, rawPath }: UrlParts): string {
  if (path === '*') return '*';
  return validPathPattern.test(rawPath) ? rawPath : escapePath(path);
}

/** All values of each name, in order. Omits what cannot be decoded. */
export function queryValues({ rawQuery }: UrlParts): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const pair of rawQuery.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = unescapeQuery(equals < 0 ? pair : pair.slice(0, equals));
    const value = unescapeQuery(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

// eslint-disable-next-line no-control-regex
const controlPattern = /[\u0000-\u001f\u007f]/;
const schemePattern = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;
const validPathPattern = /^[\w.~!$&'()*+,;=:@[\]%/-]*$/;
const notInHostPattern = /[^\w.~!$&'()*+,;=:[\]<>"\u0080-\u{10ffff}%-]/u;
const userInfoPattern = /^[\w.~:!$&'()*+,;=%@-]*$/;

/** Returns an error message if the text is invalid. In a request, `//` without a scheme starts a path. */
function parse(text: string, isRequest: boolean): UrlParts | string {
  if (controlPattern.test(text)) return 'net/url: invalid control character in URL';
  if (text === '') return 'empty url';
  if (text === '*') return { scheme: '', host: '', path: '*', rawPath: '', rawQuery: '' };
  if (text.startsWith(':')) return 'missing protocol scheme';
  const prefix = schemePattern.exec(text)?.[0] ?? '';
  const scheme = prefix.slice(0, -1).toLowerCase();
  const [beforeQuery, rawQuery] = cut(text.slice(prefix.length), '?');
  if (!beforeQuery.startsWith('/')) {
    return scheme === '' ? 'invalid URI for request' : { scheme, host: '', path: '', rawPath: '', rawQuery };
  }
  const mayHaveHost = scheme !== '' || (!isRequest && !beforeQuery.startsWith('///'));
  if (!mayHaveHost || !beforeQuery.startsWith('//')) return withPath({ scheme, host: '', rawQuery }, beforeQuery);
  const slash = beforeQuery.indexOf('/', 2);
  const authority = slash < 0 ? beforeQuery.slice(2) : beforeQuery.slice(2, slash);
  const host = parseAuthority(scheme, authority);
  if ('problem' in host) return host.problem;
  return withPath({ scheme, host: host.value, rawQuery }, slash < 0 ? '' : beforeQuery.slice(slash));
}

type Parsed = { readonly value: string } | { readonly problem: string };

function withPath(parts: Omit<UrlParts, 'path' | 'rawPath'>, rawPath: string): UrlParts | string {
  const path = unescape(rawPath);
  return 'problem' in path ? path.problem : { ...parts, path: path.value, rawPath };
}

function parseAuthority(scheme: string, authority: string): Parsed {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if ('problem' in host || at < 0) return host;
  const user = authority.slice(0, at);
  if (!userInfoPattern.test(user)) return { problem: 'net/url: invalid userinfo' };
  const decoded = unescape(user);
  return 'problem' in decoded ? decoded : host;
}

function parseHost(scheme: string, host: string): Parsed {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return { problem: 'invalid IP-literal' };
  if (bracket === 0) return parseBracketedHost(host);
  const first = host.indexOf(':');
  const isStrict = scheme === 'http' || scheme === 'https';
  const colon = isStrict ? first : host.lastIndexOf(':');
  if (colon >= 0 && !/^:\d*$/.test(host.slice(colon))) {
    return { problem: `invalid port ${quote(host.slice(colon))} after host` };
  }
  return unescapeHost(host);
}

function parseBracketedHost(host: string): Parsed {
  const close = host.lastIndexOf(']');
  if (close < 0) return { problem: "missing ']' in host" };
  const port = host.slice(close + 1);
  if (!/^(?::\d*)?$/.test(port)) return { problem: `invalid port ${quote(port)} after host` };
  const name = unescapeHost(host.slice(1, close));
  if ('problem' in name) return name;
  const address = parseAddress(name.value);
  if ('problem' in address) return { problem: `invalid host: ${address.problem}` };
  return address.bytes.length === 4 ? { problem: 'invalid IP-literal' } : { value: `[${name.value}]${port}` };
}

/** A host may escape only bytes beyond ASCII, and the percent sign. */
function unescapeHost(host: string): Parsed {
  const wrong = notInHostPattern.exec(host)?.[0];
  if (wrong !== undefined) return { problem: `invalid character ${quote(wrong)} in host name` };
  const escape = /%(?!25)[0-7][0-9a-fA-F]/.exec(host)?.[0];
  return escape === undefined ? unescape(host) : { problem: `invalid URL escape ${quote(escape)}` };
}

function unescape(text: string): Parsed {
  const broken = /%(?![0-9a-fA-F]{2})/.exec(text);
  if (broken !== null) return { problem: `invalid URL escape ${quote(text.slice(broken.index, broken.index + 3))}` };
  return { value: decode(text) };
}

function unescapeQuery(text: string): string | undefined {
  const value = unescape(text.replaceAll('+', ' '));
  return 'problem' in value ? undefined : value.value;
}

/** Escaped bytes that are not UTF-8 become replacement characters. */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  return text.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}

function escapePath(path: string): string {
  const escaped = encodeURIComponent(path.toWellFormed()).replaceAll(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return escaped.replaceAll(/%(?:24|26|2B|2C|2F|3A|3B|3D|40)/g, decodeURIComponent);
}

function cut(text: string, separator: string): [before: string, after: string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
