/** The string formats that Kubernetes checks. It ignores all others. */
import { urlProblem } from '@flotilla/cel';
import { byteLength, parseCidr, parseIp } from '@flotilla/kube';
import { isCreditCard, isIsbn10, isIsbn13 } from './check-digits.ts';
import { isDate, isDateTime } from './date-time.ts';
import { parseLooseDuration } from './duration.ts';
import { isMailAddress } from './mail-address.ts';

export type StringFormat = (text: string) => boolean;

/** Undefined for unknown formats. Dashes in names are ignored. */
export function stringFormat(name: string): StringFormat | undefined {
  return stringFormats.get(name.replaceAll('-', ''));
}

const colorPart = '[\\t\\n\\f\\r ]*(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])[\\t\\n\\f\\r ]*';
const dnsLabel = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const labelPattern = new RegExp(`^${dnsLabel}$`);
const subdomainPattern = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);
const rgbPattern = new RegExp(`^rgb\\(${colorPart},${colorPart},${colorPart}\\)$`);
const macPattern =
  /^(?:(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}(?:(?:[0-9a-f]{2}\1){2}|(?:[0-9a-f]{2}\1){14})?[0-9a-f]{2}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?:\.[0-9a-f]{4}|(?:\.[0-9a-f]{4}){7})?)$/i;
const hostNamePattern =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;

const stringFormats: ReadonlyMap<string, StringFormat> = new Map([
  ['bsonobjectid', matching(/^[0-9a-fA-F]{24}$/)],
  ['uri', (text) => urlProblem(text) === undefined],
  ['email', isMailAddress],
  ['hostname', isHostName],
  ['ipv4', (text) => text.includes('.') && parseIp(text) !== undefined],
  ['ipv6', (text) => text.includes(':') && parseIp(text)?.hasLeadingZeros === false],
  ['cidr', (text) => parseCidr(text) !== undefined],
  ['mac', matching(macPattern)],
  ['uuid', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$/.test(text)],
  ['hexcolor', matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', matching(rgbPattern)],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', (text) => parseLooseDuration(text) !== undefined],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && labelPattern.test(text)],
  ['k8slongname', (text) => text.length <= 253 && subdomainPattern.test(text)],
]);

function matching(pattern: RegExp): StringFormat {
  return (text) => pattern.test(text);
}

/** Lengths are in bytes, though all Unicode letters are allowed. */
function isHostName(text: string): boolean {
  if (byteLength(text) > 255 || !hostNamePattern.test(text)) return false;
  return text.split('.').every((label) => byteLength(label) <= 63);
}

/** Padded, standard alphabet, not empty. */
function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
