import { quote } from '@flotilla/kube';

export interface SemanticVersion {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly (bigint | string)[];
}

/** Returns an error message if the text is invalid. */
export function parseVersion(text: string): SemanticVersion | string {
  if (text === '') return 'Version string empty';
  const parts = splitIntoThree(text);
  if (parts.length !== 3) return 'No Major.Minor.Patch elements found';
  const [majorText = '', minorText = '', rest = ''] = parts;
  const major = parseNumber(majorText, 'major', 'Major');
  if (typeof major === 'string') return major;
  const minor = parseNumber(minorText, 'minor', 'Minor');
  if (typeof minor === 'string') return minor;
  const [beforeBuild, build] = cut(rest, '+');
  const [patchText, prereleaseText] = cut(beforeBuild, '-');
  const patch = parseNumber(patchText, 'patch', 'Patch');
  if (typeof patch === 'string') return patch;
  const prerelease: (bigint | string)[] = [];
  for (const part of prereleaseText?.split('.') ?? []) {
    const parsed = parsePrerelease(part);
    if ('problem' in parsed) return parsed.problem;
    prerelease.push(parsed.value);
  }
  return buildProblem(build) ?? { major, minor, patch, prerelease };
}

/** Accepts a leading `v`, leading zeros and missing numbers. */
export function parseLenientVersion(text: string): SemanticVersion | string {
  const parts = splitIntoThree(text.startsWith('v') ? text.slice(1) : text).map(withoutLeadingZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    return 'short version cannot contain PreRelease/Build meta data';
  }
  while (parts.length < 3) parts.push('0');
  return parseVersion(parts.join('.'));
}

export function compareVersions(a: SemanticVersion, b: SemanticVersion): number {
  const numbers = compareValues(a.major, b.major) || compareValues(a.minor, b.minor) || compareValues(a.patch, b.patch);
  if (numbers !== 0) return numbers;
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length);
  }
  for (const [index, part] of a.prerelease.entries()) {
    const other = b.prerelease[index];
    if (other === undefined) return 1;
    const order = comparePrerelease(part, other);
    if (order !== 0) return order;
  }
  return a.prerelease.length < b.prerelease.length ? -1 : 0;
}

/** Numbers come before words. */
function comparePrerelease(a: bigint | string, b: bigint | string): number {
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
  return compareValues(a, b);
}

function compareValues(a: bigint | string, b: bigint | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function splitIntoThree(text: string): string[] {
  const parts = text.split('.');
  return parts.length <= 3 ? parts : [...parts.slice(0, 2), parts.slice(2).join('.')];
}

function cut(text: string, separator: string): [before: string, after: string | undefined] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function withoutLeadingZeros(part: string): string {
  if (part.length < 2) return part;
  const rest = part.replace(/^0+/, '');
  return /^\d/.test(rest) ? rest : `0${rest}`;
}

function parseNumber(text: string, name: string, capitalized: string): bigint | string {
  if (!/^\d*$/.test(text)) return `Invalid character(s) found in ${name} number ${quote(text)}`;
  if (hasLeadingZero(text)) return `${capitalized} number must not contain leading zeroes ${quote(text)}`;
  return parseUint(text);
}

const maxUint = 2n ** 64n - 1n;

function parseUint(text: string): bigint | string {
  const problem = (reason: string) => `strconv.ParseUint: parsing ${quote(text)}: ${reason}`;
  if (text === '') return problem('invalid syntax');
  const value = text.length > 20 ? maxUint + 1n : BigInt(text);
  return value > maxUint ? problem('value out of range') : value;
}

function parsePrerelease(text: string): { value: bigint | string } | { problem: string } {
  if (text === '') return { problem: 'Prerelease is empty' };
  if (!/^\d+$/.test(text)) {
    if (/^[0-9A-Za-z-]+$/.test(text)) return { value: text };
    return { problem: `Invalid character(s) found in prerelease ${quote(text)}` };
  }
  if (hasLeadingZero(text)) {
    return { problem: `Numeric PreRelease version must not contain leading zeroes ${quote(text)}` };
  }
  const value = parseUint(text);
  return typeof value === 'string' ? { problem: value } : { value };
}

function buildProblem(build: string | undefined): string | undefined {
  for (const part of build?.split('.') ?? []) {
    if (part === '') return 'Build meta data is empty';
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in build meta data ${quote(part)}`;
  }
  return undefined;
}

function hasLeadingZero(text: string): boolean {
  return text.length > 1 && text.startsWith('0');
}
