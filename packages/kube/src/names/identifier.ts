/** Names inside objects: keys of ConfigMaps, environment variables, ports, headers. */
import {
  dashCode,
  dotCode,
  isAlphanumeric,
  isDigit,
  isEvery,
  isLower,
  isLowerOrDigit,
  underscoreCode,
} from './characters.ts';
import { maxSubdomainLength } from './dns.ts';
import { atMostCharacters, mustBeNonEmpty, mustBeBetween, noProblems, regexMessage } from './messages.ts';
import { byteLength } from '../go/format.ts';

const maxPortNameLength = 15;
const maxPort = 65_535;
const maxInt32 = 2_147_483_647;

const notAConfigKey = regexMessage(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  '[-._a-zA-Z0-9]+',
  'key.name',
  'KEY_NAME',
  'key-name',
);

const notACIdentifier = regexMessage(
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  '[A-Za-z_][A-Za-z0-9_]*',
  'my_name',
  'MY_NAME',
  'MyName',
);

const notPrintable = "a valid environment variable name must consist only of printable ASCII characters other than '='";

const notAHeader = regexMessage(
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  '[-A-Za-z0-9]+',
  'X-Header-Name',
);

const notAPercent = regexMessage(
  "a valid percent string must be a numeric string followed by an ending '%'",
  '[0-9]+%',
  '1%',
  '93%',
);

export function configMapKeyProblems(value: string): readonly string[] {
  const isValid = value !== '' && isEvery(value, isKeyCharacter);
  if (isValid && value.length <= maxSubdomainLength && !value.startsWith('.')) return noProblems;
  const problems: string[] = [];
  if (byteLength(value) > maxSubdomainLength) problems.push(atMostCharacters(maxSubdomainLength));
  if (!isValid) problems.push(notAConfigKey);
  return [...problems, ...parentDirectoryProblems(value)];
}

export function cIdentifierProblems(value: string): readonly string[] {
  const isValid = value !== '' && !isDigit(value.charCodeAt(0)) && isEvery(value, isWordCharacter);
  return isValid ? noProblems : [notACIdentifier];
}

export function environmentVariableProblems(value: string): readonly string[] {
  if (value === '') return [`environment variable name ${mustBeNonEmpty}`];
  return isEvery(value, isPrintableButEquals) ? noProblems : [notPrintable];
}

export function portNameProblems(port: string): readonly string[] {
  const problems: string[] = [];
  if (byteLength(port) > maxPortNameLength) problems.push(atMostCharacters(maxPortNameLength));
  if (port === '' || !isEvery(port, isPortNameCharacter)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (isEvery(port, (unit) => !isLower(unit))) problems.push('must contain at least one letter (a-z)');
  if (port.includes('--')) problems.push('must not contain consecutive hyphens');
  if (port.startsWith('-') || port.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

export function portNumberProblems(port: number): readonly string[] {
  return rangeProblems(port, 1, maxPort);
}

export function userIdProblems(id: number | bigint): readonly string[] {
  return rangeProblems(id, 0, maxInt32);
}

export function groupIdProblems(id: number | bigint): readonly string[] {
  return rangeProblems(id, 0, maxInt32);
}

function rangeProblems(value: number | bigint, lowest: number, highest: number): readonly string[] {
  return value >= lowest && value <= highest ? noProblems : [mustBeBetween(lowest, highest)];
}

export function httpHeaderNameProblems(value: string): readonly string[] {
  const isValid = value !== '' && isEvery(value, (unit) => isAlphanumeric(unit) || unit === dashCode);
  return isValid ? noProblems : [notAHeader];
}

export function percentProblems(value: string): readonly string[] {
  const isValid = value.length > 1 && value.endsWith('%') && isEvery(value.slice(0, -1), isDigit);
  return isValid ? noProblems : [notAPercent];
}

function parentDirectoryProblems(value: string): readonly string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : noProblems;
}

function isKeyCharacter(unit: number): boolean {
  return isAlphanumeric(unit) || unit === dashCode || unit === underscoreCode || unit === dotCode;
}

function isWordCharacter(unit: number): boolean {
  return isAlphanumeric(unit) || unit === underscoreCode;
}

function isPortNameCharacter(unit: number): boolean {
  return isLowerOrDigit(unit) || unit === dashCode;
}

function isPrintableButEquals(unit: number): boolean {
  return unit >= 0x20 && unit <= 0x7e && unit !== 0x3d;
}
