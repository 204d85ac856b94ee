import { quote } from './format.ts';
import { parseIp } from '../scalars/ip-address.ts';

/** Go's error of `url.Parse`; undefined if the text is a URL. */
export function goUrlError(text: string): string | undefined {
  const hash = text.indexOf('#');
  const url = hash === -1 ? text : text.slice(0, hash);
  const problem = controlPattern.test(url) ? 'net/url: invalid control character in URL' : problemIn(url);
  if (problem !== undefined) return `parse ${quote(url)}: ${problem}`;
  const inFragment = hash === -1 ? undefined : escapeProblem(text.slice(hash + 1));
  return inFragment && `parse ${quote(text)}: ${inFragment}`;
}

// eslint-disable-next-line no-control-regex
const controlPattern = /[\u0000-\u001f\u007f]/;
const schemePattern = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const badEscapePattern = /%(?![0-9A-Fa-f]{2}).{0,2}/s;
/** Host names may only escape bytes beyond ASCII, and the percent sign. */
const badHostEscapePattern = /%(?!25|[89A-Fa-f][0-9A-Fa-f]).{0,2}/s;
const notInHostPattern = /[^\w.~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}-]/u;
const userInfoPattern = /^[\w.~:!$&'()*+,;=%@-]*$/;

function problemIn(url: string): string | undefined {
  if (url.startsWith(':')) return 'missing protocol scheme';
  const scheme = schemePattern.exec(url)?.[0] ?? '';
  const [rest = ''] = url.slice(scheme.length).split('?', 1);
  if (!rest.startsWith('/')) {
    if (scheme !== '') return undefined;
    const [segment = ''] = rest.split('/', 1);
    return segment.includes(':') ? 'first path segment in URL cannot contain colon' : escapeProblem(rest);
  }
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) return escapeProblem(rest);
  const [authority = ''] = rest.slice(2).split('/', 1);
  return authorityProblem(authority) ?? escapeProblem(rest.slice(2 + authority.length));
}

function authorityProblem(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  const inHost = hostProblem(authority.slice(at + 1));
  return inHost ?? (userInfoPattern.test(user) ? escapeProblem(user) : 'net/url: invalid userinfo');
}

function hostProblem(host: string): string | undefined {
  const bracket = host.lastIndexOf(']');
  if (host.startsWith('[') && bracket === -1) return "missing ']' in host";
  const colon = host.indexOf(':');
  const port = host.startsWith('[') ? host.slice(bracket + 1) : colon === -1 ? '' : host.slice(colon);
  if (!/^(:\d*)?$/.test(port)) return `invalid port ${quote(port)} after host`;
  const badEscape = badHostEscapePattern.exec(host)?.[0];
  if (badEscape !== undefined) return `invalid URL escape ${quote(badEscape.replace(']', ''))}`;
  const invalidCharacter = notInHostPattern.exec(host)?.[0];
  if (invalidCharacter !== undefined) return `invalid character ${quote(invalidCharacter)} in host name`;
  return host.startsWith('[') ? addressProblem(host.slice(1, bracket)) : undefined;
}

function addressProblem(address: string): string | undefined {
  const [withoutZone = ''] = address.split('%25', 1);
  return parseIp(withoutZone) === undefined
    ? `invalid host: ParseAddr(${quote(address)}): unable to parse IP`
    : undefined;
}

function escapeProblem(text: string): string | undefined {
  const bad = badEscapePattern.exec(text)?.[0];
  return bad && `invalid URL escape ${quote(bad)}`;
}
