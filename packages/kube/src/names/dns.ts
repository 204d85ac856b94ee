/** Kubernetes' checks of DNS names. Each function returns error messages, none if the name is valid. */
import { dashCode, dotCode, isLower, isLowerOrDigit, underscoreCode } from './characters.ts';
import { atMostBytes, atMostCharacters, noProblems, regexMessage } from './messages.ts';
import { byteLength } from '../go/format.ts';

const maxLabelLength = 63;
export const maxSubdomainLength = 253;

const labelRegex = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainRegex = `${labelRegex}(\\.${labelRegex})*`;
const underscoreLabelRegex = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';

const notALabel = regexMessage(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  labelRegex,
  'my-name',
  '123-abc',
);

const notASubdomain = regexMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomainRegex,
  'example.com',
);

const notAnUnderscoreSubdomain = regexMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  `${underscoreLabelRegex}(\\.${underscoreLabelRegex})*`,
  'example.com',
);

const notA1035Label = regexMessage(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  'my-name',
  'abc-123',
);

const notAWildcard = regexMessage(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  `\\*\\.${subdomainRegex}`,
  '*.example.com',
);

export function dns1123LabelProblems(value: string): readonly string[] {
  if (isLabel(value, 0, value.length)) return tooLong(value, maxLabelLength);
  const problem = isSubdomain(value) ? 'must not contain dots' : notALabel;
  return [...tooLong(value, maxLabelLength), problem];
}

export function dns1123SubdomainProblems(value: string): readonly string[] {
  return problems(value, maxSubdomainLength, isSubdomain(value), notASubdomain);
}

/** The same rule where Kubernetes says "bytes": prefixes of label keys, and declarative validation. */
export function dns1123SubdomainByteProblems(value: string): readonly string[] {
  return problems(value, maxSubdomainLength, isSubdomain(value), notASubdomain, atMostBytes);
}

export function dns1123SubdomainWithUnderscoreProblems(value: string): readonly string[] {
  const isValid = isDotted(value, isUnderscoreLabel);
  return problems(value, maxSubdomainLength, isValid, notAnUnderscoreSubdomain);
}

export function dns1035LabelProblems(value: string): readonly string[] {
  const isValid = isLower(value.charCodeAt(0)) && isLabel(value, 0, value.length);
  return problems(value, maxLabelLength, isValid, notA1035Label);
}

export function wildcardSubdomainProblems(value: string): readonly string[] {
  const isValid = value.startsWith('*.') && isSubdomain(value.slice(2));
  return problems(value, maxSubdomainLength, isValid, notAWildcard);
}

type Length = (length: number) => string;

function problems(
  value: string,
  maxLength: number,
  isValid: boolean,
  otherwise: string,
  unit?: Length,
): readonly string[] {
  const length = tooLong(value, maxLength, unit);
  return isValid ? length : [...length, otherwise];
}

function tooLong(value: string, maxLength: number, unit: Length = atMostCharacters): readonly string[] {
  // A UTF-16 unit has at most three bytes, so most texts need no counting.
  const isValid = value.length * 3 <= maxLength || byteLength(value) <= maxLength;
  return isValid ? noProblems : [unit(maxLength)];
}

function isSubdomain(value: string): boolean {
  return isDotted(value, isLabel);
}

function isDotted(value: string, isPart: (text: string, from: number, to: number) => boolean): boolean {
  let from = 0;
  for (let at = 0; at <= value.length; at++) {
    if (at < value.length && value.charCodeAt(at) !== dotCode) continue;
    if (!isPart(value, from, at)) return false;
    from = at + 1;
  }
  return true;
}

/** Alphanumeric at both ends, with dashes between. */
function isLabel(text: string, from: number, to: number): boolean {
  if (from >= to || !isLowerOrDigit(text.charCodeAt(from)) || !isLowerOrDigit(text.charCodeAt(to - 1))) return false;
  for (let i = from + 1; i < to - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit !== dashCode && !isLowerOrDigit(unit)) return false;
  }
  return true;
}

function isUnderscoreLabel(text: string, from: number, to: number): boolean {
  const start = text.charCodeAt(from) === underscoreCode ? from + 1 : from;
  if (start >= to || !isLowerOrDigit(text.charCodeAt(start)) || !isLowerOrDigit(text.charCodeAt(to - 1))) return false;
  for (let i = start + 1; i < to - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit !== dashCode && unit !== underscoreCode && !isLowerOrDigit(unit)) return false;
  }
  return true;
}
