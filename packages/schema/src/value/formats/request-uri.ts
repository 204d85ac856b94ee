import { parseIp } from '@flotilla/kube';

/** No control characters of ASCII. */
const PRINTABLE = /^[ -~\u0080-\u{10ffff}]+$/u;
const SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;
const BAD_ESCAPE = /%(?![0-9a-fA-F]{2})/;
const USER = /^[a-zA-Z0-9\-._:~!$&'()*+,;=%@]*$/;
const PORT = /^(?::\d*)?$/;
/** Bytes beyond ASCII may stand for themselves in a host, and only they may be escaped. */
const HOST = /^(?:[a-zA-Z0-9\-_.~!$&'()*+,;=:[\]<>"]|[^\0-\x7f]|%25|%[89a-fA-F][0-9a-fA-F])*$/;
const ZONE = /^%25(?:[a-zA-Z0-9\-_.~!$&'()*+,;=:[\]<>"]|[^\0-\x7f]|%25|%20|%[0-9a-fA-F]{2})*$/;

/** Whether Go's `url.ParseRequestURI` takes the text: an absolute URI or an absolute path. */
export function isRequestUri(text: string): boolean {
  if (!PRINTABLE.test(text)) return false;
  if (text === '*') return true;
  if (text.startsWith(':')) return false;
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const [rest = ''] = text.slice(scheme.length).split('?', 1);
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return !BAD_ESCAPE.test(rest);
  const end = rest.indexOf('/', 2);
  const authority = rest.slice(2, end === -1 ? undefined : end);
  return isAuthority(authority) && (end === -1 || !BAD_ESCAPE.test(rest.slice(end)));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  return isHost(authority.slice(at + 1)) && USER.test(user) && !BAD_ESCAPE.test(user);
}

function isHost(host: string): boolean {
  if (host.includes('[')) return isBracketed(host);
  const colon = host.lastIndexOf(':');
  return (colon === -1 || PORT.test(host.slice(colon))) && !BAD_ESCAPE.test(host) && HOST.test(host);
}

/** An IPv6 address, perhaps with a zone: `[fe80::1%25eth0]:443`. */
function isBracketed(host: string): boolean {
  const close = host.lastIndexOf(']');
  if (!host.startsWith('[') || close === -1 || !PORT.test(host.slice(close + 1))) return false;
  const inside = host.slice(1, close);
  const zone = inside.indexOf('%25');
  const address = parseIp(zone === -1 ? inside : inside.slice(0, zone));
  const isV6 = address !== undefined && !address.isWrittenAsV4 && !address.hasLeadingZeros;
  return isV6 && (zone === -1 || (zone < inside.length - 3 && ZONE.test(inside.slice(zone))));
}
