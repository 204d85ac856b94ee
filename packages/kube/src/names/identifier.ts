/** Names inside objects: keys of config maps, environment variables, ports, headers. */
import { DASH, DOT, isAlphanumeric, isDigit, isEvery, isLower, isLowerOrDigit, UNDERSCORE } from './characters.ts';
import { MAX_SUBDOMAIN_LENGTH } from './dns.ts';
import { atMostCharacters, MUST_BE_NON_EMPTY, mustBeBetween, NO_PROBLEMS, regexSentence } from './sentence.ts';
import { byteLength } from '../go-format.ts';

const MAX_PORT_NAME_LENGTH = 15;
const MAX_PORT = 65_535;
const MAX_INT32 = 2_147_483_647;

const NOT_A_CONFIG_KEY = regexSentence(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  '[-._a-zA-Z0-9]+',
  'key.name',
  'KEY_NAME',
  'key-name',
);

const NOT_A_C_IDENTIFIER = regexSentence(
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  '[A-Za-z_][A-Za-z0-9_]*',
  'my_name',
  'MY_NAME',
  'MyName',
);

const NOT_PRINTABLE =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

const NOT_A_HEADER = regexSentence(
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  '[-A-Za-z0-9]+',
  'X-Header-Name',
);

const NOT_A_PERCENT = regexSentence(
  "a valid percent string must be a numeric string followed by an ending '%'",
  '[0-9]+%',
  '1%',
  '93%',
);

export function configMapKeyProblems(value: string): readonly string[] {
  const isFine = value !== '' && isEvery(value, isKeyCharacter);
  if (isFine && value.length <= MAX_SUBDOMAIN_LENGTH && !value.startsWith('.')) return NO_PROBLEMS;
  const problems: string[] = [];
  if (byteLength(value) > MAX_SUBDOMAIN_LENGTH) problems.push(atMostCharacters(MAX_SUBDOMAIN_LENGTH));
  if (!isFine) problems.push(NOT_A_CONFIG_KEY);
  return [...problems, ...parentDirectoryProblems(value)];
}

export function cIdentifierProblems(value: string): readonly string[] {
  const isFine = value !== '' && !isDigit(value.charCodeAt(0)) && isEvery(value, isWordCharacter);
  return isFine ? NO_PROBLEMS : [NOT_A_C_IDENTIFIER];
}

export function environmentVariableProblems(value: string): readonly string[] {
  if (value === '') return [`environment variable name ${MUST_BE_NON_EMPTY}`];
  return isEvery(value, isPrintableButEquals) ? NO_PROBLEMS : [NOT_PRINTABLE];
}

export function portNameProblems(port: string): readonly string[] {
  const problems: string[] = [];
  if (byteLength(port) > MAX_PORT_NAME_LENGTH) problems.push(atMostCharacters(MAX_PORT_NAME_LENGTH));
  if (port === '' || !isEvery(port, isPortNameCharacter)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (isEvery(port, (unit) => !isLower(unit))) problems.push('must contain at least one letter (a-z)');
  if (port.includes('--')) problems.push('must not contain consecutive hyphens');
  if (port.startsWith('-') || port.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

export function portNumberProblems(port: number): readonly string[] {
  return rangeProblems(port, 1, MAX_PORT);
}

export function userIdProblems(id: number | bigint): readonly string[] {
  return rangeProblems(id, 0, MAX_INT32);
}

export function groupIdProblems(id: number | bigint): readonly string[] {
  return rangeProblems(id, 0, MAX_INT32);
}

function rangeProblems(value: number | bigint, lowest: number, highest: number): readonly string[] {
  return value >= lowest && value <= highest ? NO_PROBLEMS : [mustBeBetween(lowest, highest)];
}

export function httpHeaderNameProblems(value: string): readonly string[] {
  const isFine = value !== '' && isEvery(value, (unit) => isAlphanumeric(unit) || unit === DASH);
  return isFine ? NO_PROBLEMS : [NOT_A_HEADER];
}

export function percentProblems(value: string): readonly string[] {
  const isFine = value.length > 1 && value.endsWith('%') && isEvery(value.slice(0, -1), isDigit);
  return isFine ? NO_PROBLEMS : [NOT_A_PERCENT];
}

function parentDirectoryProblems(value: string): readonly string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : NO_PROBLEMS;
}

function isKeyCharacter(unit: number): boolean {
  return isAlphanumeric(unit) || unit === DASH || unit === UNDERSCORE || unit === DOT;
}

function isWordCharacter(unit: number): boolean {
  return isAlphanumeric(unit) || unit === UNDERSCORE;
}

function isPortNameCharacter(unit: number): boolean {
  return isLowerOrDigit(unit) || unit === DASH;
}

function isPrintableButEquals(unit: number): boolean {
  return unit >= 0x20 && unit <= 0x7e && unit !== 0x3d;
}
