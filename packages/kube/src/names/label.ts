/** Keys and values of labels; keys of annotations, finalizers and the like follow the same rule. */
import { DASH, DOT, isAlphanumeric, UNDERSCORE } from './characters.ts';
import { dns1123SubdomainByteProblems } from './dns.ts';
import { atMostBytes, MUST_BE_NON_EMPTY, NO_PROBLEMS, regexSentence } from './sentence.ts';
import { byteLength } from '../go-format.ts';

const MAX_LENGTH = 63;

const NAME_REGEX = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const NOT_A_NAME = regexSentence(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  NAME_REGEX,
  'MyName',
  'my.name',
  '123-abc',
);

const NOT_A_VALUE = regexSentence(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  `(${NAME_REGEX})?`,
  'MyValue',
  'my_value',
  '12345',
);

const NOT_A_KEY = `a valid label key ${NOT_A_NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;

/** `name` or `example.com/name`: what Kubernetes calls a qualified name. */
export function qualifiedNameProblems(key: string): readonly string[] {
  const slash = key.indexOf('/');
  if (slash === -1) return nameProblems(key);
  if (key.indexOf('/', slash + 1) !== -1) return [NOT_A_KEY];
  const prefix = prefixProblems(key.slice(0, slash));
  const name = nameProblems(key.slice(slash + 1));
  return prefix.length === 0 ? name : [...prefix, ...name];
}

export function labelValueProblems(value: string): readonly string[] {
  const isFine = value === '' || isName(value);
  if (isFine && value.length <= MAX_LENGTH) return NO_PROBLEMS;
  const length = byteLength(value) > MAX_LENGTH ? [atMostBytes(MAX_LENGTH)] : [];
  return isFine ? length : [...length, NOT_A_VALUE];
}

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === '') return [`prefix part ${MUST_BE_NON_EMPTY}`];
  return dns1123SubdomainByteProblems(prefix).map((problem) => `prefix part ${problem}`);
}

function nameProblems(name: string): readonly string[] {
  if (name.length <= MAX_LENGTH && isName(name)) return NO_PROBLEMS;
  const problems: string[] = [];
  if (name === '') problems.push(`name part ${MUST_BE_NON_EMPTY}`);
  else if (byteLength(name) > MAX_LENGTH) problems.push(`name part ${atMostBytes(MAX_LENGTH)}`);
  if (!isName(name)) problems.push(`name part ${NOT_A_NAME}`);
  return problems;
}

function isName(name: string): boolean {
  const last = name.length - 1;
  if (last < 0 || !isAlphanumeric(name.charCodeAt(0)) || !isAlphanumeric(name.charCodeAt(last))) return false;
  for (let i = 1; i < last; i++) {
    const unit = name.charCodeAt(i);
    if (!isAlphanumeric(unit) && unit !== DASH && unit !== UNDERSCORE && unit !== DOT) return false;
  }
  return true;
}
