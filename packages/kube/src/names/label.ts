/** Keys and values of labels. Keys of annotations and finalizers follow the same rule. */
import { dashCode, dotCode, isAlphanumeric, underscoreCode } from './characters.ts';
import { dns1123SubdomainByteProblems } from './dns.ts';
import { atMostBytes, mustBeNonEmpty, noProblems, regexMessage } from './messages.ts';
import { byteLength } from '../go/format.ts';

const maxLength = 63;

const nameRegex = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const notAName = regexMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  nameRegex,
  'MyName',
  'my.name',
  '123-abc',
);

const notAValue = regexMessage(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  `(${nameRegex})?`,
  'MyValue',
  'my_value',
  '12345',
);

const notAKey = `a valid label key ${notAName} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;

/** `name` or `example.com/name`: a qualified name in Kubernetes. */
export function qualifiedNameProblems(key: string): readonly string[] {
  const slash = key.indexOf('/');
  if (slash === -1) return nameProblems(key);
  if (key.indexOf('/', slash + 1) !== -1) return [notAKey];
  const prefix = prefixProblems(key.slice(0, slash));
  const name = nameProblems(key.slice(slash + 1));
  return prefix.length === 0 ? name : [...prefix, ...name];
}

export function labelValueProblems(value: string): readonly string[] {
  const isValid = value === '' || isName(value);
  if (isValid && value.length <= maxLength) return noProblems;
  const length = byteLength(value) > maxLength ? [atMostBytes(maxLength)] : [];
  return isValid ? length : [...length, notAValue];
}

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === '') return [`prefix part ${mustBeNonEmpty}`];
  return dns1123SubdomainByteProblems(prefix).map((problem) => `prefix part ${problem}`);
}

function nameProblems(name: string): readonly string[] {
  if (name.length <= maxLength && isName(name)) return noProblems;
  const problems: string[] = [];
  if (name === '') problems.push(`name part ${mustBeNonEmpty}`);
  else if (byteLength(name) > maxLength) problems.push(`name part ${atMostBytes(maxLength)}`);
  if (!isName(name)) problems.push(`name part ${notAName}`);
  return problems;
}

function isName(name: string): boolean {
  const last = name.length - 1;
  if (last < 0 || !isAlphanumeric(name.charCodeAt(0)) || !isAlphanumeric(name.charCodeAt(last))) return false;
  for (let i = 1; i < last; i++) {
    const unit = name.charCodeAt(i);
    if (!isAlphanumeric(unit) && unit !== dashCode && unit !== underscoreCode && unit !== dotCode) return false;
  }
  return true;
}
