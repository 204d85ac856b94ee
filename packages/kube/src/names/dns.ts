/** DNS names as Kubernetes checks them. Every function returns the sentences for what is wrong, none when all is well. */
import { DASH, DOT, isLower, isLowerOrDigit, UNDERSCORE } from './characters.ts';
import { atMostBytes, atMostCharacters, NO_PROBLEMS, regexSentence } from './sentence.ts';
import { byteLength } from '../go-format.ts';

const MAX_LABEL_LENGTH = 63;
export const MAX_SUBDOMAIN_LENGTH = 253;

const LABEL_REGEX = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_REGEX = `${LABEL_REGEX}(\\.${LABEL_REGEX})*`;
const UNDERSCORE_LABEL_REGEX = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';

const NOT_A_LABEL = regexSentence(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL_REGEX,
  'my-name',
  '123-abc',
);

const NOT_A_SUBDOMAIN = regexSentence(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN_REGEX,
  'example.com',
);

const NOT_AN_UNDERSCORE_SUBDOMAIN = regexSentence(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  `${UNDERSCORE_LABEL_REGEX}(\\.${UNDERSCORE_LABEL_REGEX})*`,
  'example.com',
);

const NOT_A_1035_LABEL = regexSentence(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  'my-name',
  'abc-123',
);

const NOT_A_WILDCARD = regexSentence(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  `\\*\\.${SUBDOMAIN_REGEX}`,
  '*.example.com',
);

export function dns1123LabelProblems(value: string): readonly string[] {
  if (isLabel(value, 0, value.length)) return tooLong(value, MAX_LABEL_LENGTH);
  const problem = isSubdomain(value) ? 'must not contain dots' : NOT_A_LABEL;
  return [...tooLong(value, MAX_LABEL_LENGTH), problem];
}

export function dns1123SubdomainProblems(value: string): readonly string[] {
  return problems(value, MAX_SUBDOMAIN_LENGTH, isSubdomain(value), NOT_A_SUBDOMAIN);
}

/** The same rule where Kubernetes says “bytes”: prefixes of label keys, and its declarative rules. */
export function dns1123SubdomainByteProblems(value: string): readonly string[] {
  return problems(value, MAX_SUBDOMAIN_LENGTH, isSubdomain(value), NOT_A_SUBDOMAIN, atMostBytes);
}

export function dns1123SubdomainWithUnderscoreProblems(value: string): readonly string[] {
  const isFine = isDotted(value, isUnderscoreLabel);
  return problems(value, MAX_SUBDOMAIN_LENGTH, isFine, NOT_AN_UNDERSCORE_SUBDOMAIN);
}

export function dns1035LabelProblems(value: string): readonly string[] {
  const isFine = isLower(value.charCodeAt(0)) && isLabel(value, 0, value.length);
  return problems(value, MAX_LABEL_LENGTH, isFine, NOT_A_1035_LABEL);
}

export function wildcardSubdomainProblems(value: string): readonly string[] {
  const isFine = value.startsWith('*.') && isSubdomain(value.slice(2));
  return problems(value, MAX_SUBDOMAIN_LENGTH, isFine, NOT_A_WILDCARD);
}

type Length = (length: number) => string;

function problems(
  value: string,
  maxLength: number,
  isFine: boolean,
  otherwise: string,
  unit?: Length,
): readonly string[] {
  const length = tooLong(value, maxLength, unit);
  return isFine ? length : [...length, otherwise];
}

function tooLong(value: string, maxLength: number, unit: Length = atMostCharacters): readonly string[] {
  // No unit takes more than three bytes, so most texts need no counting.
  const isFine = value.length * 3 <= maxLength || byteLength(value) <= maxLength;
  return isFine ? NO_PROBLEMS : [unit(maxLength)];
}

function isSubdomain(value: string): boolean {
  return isDotted(value, isLabel);
}

function isDotted(value: string, isPart: (text: string, from: number, to: number) => boolean): boolean {
  let from = 0;
  for (let at = 0; at <= value.length; at++) {
    if (at < value.length && value.charCodeAt(at) !== DOT) continue;
    if (!isPart(value, from, at)) return false;
    from = at + 1;
  }
  return true;
}

/** Alphanumeric at both ends, dashes allowed between. */
function isLabel(text: string, from: number, to: number): boolean {
  if (from >= to || !isLowerOrDigit(text.charCodeAt(from)) || !isLowerOrDigit(text.charCodeAt(to - 1))) return false;
  for (let i = from + 1; i < to - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit !== DASH && !isLowerOrDigit(unit)) return false;
  }
  return true;
}

function isUnderscoreLabel(text: string, from: number, to: number): boolean {
  const start = text.charCodeAt(from) === UNDERSCORE ? from + 1 : from;
  if (start >= to || !isLowerOrDigit(text.charCodeAt(start)) || !isLowerOrDigit(text.charCodeAt(to - 1))) return false;
  for (let i = start + 1; i < to - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit !== DASH && unit !== UNDERSCORE && !isLowerOrDigit(unit)) return false;
  }
  return true;
}
