import {
  byteLength,
  cIdentifierProblems,
  dns1123SubdomainProblems,
  duplicate,
  invalid,
  required,
  tooLong,
  tooMany,
  type FieldError,
} from '@flotilla/kube';
import { invalids, repeatsIn } from '../field-checks.ts';
import { validateDriverName } from '../storage/driver-name.ts';

const maxPoolNameBytes = 253;
const maxIdentifierBytes = 32;

/** Subdomains, separated by slashes. */
export function validatePoolName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const errors = byteLength(name) > maxPoolNameBytes ? [tooLong(field, maxPoolNameBytes)] : [];
  return [...errors, ...name.split('/').flatMap((part) => invalids(field, part, dns1123SubdomainProblems(part)))];
}

/** `model`, or `driver.example.com/model`. */
export function validateQualifiedIdentifier(name: string, field: string): FieldError[] {
  const [domain = '', identifier, ...rest] = name.split('/');
  if (identifier === undefined) return validateIdentifier(domain, field);
  if (rest.length > 0) return [];
  return [
    ...(domain === '' ? [invalid(field, '', 'the domain must not be empty')] : validateDriverName(domain, field)),
    ...(identifier === '' ? [invalid(field, '', 'the name must not be empty')] : validateIdentifier(identifier, field)),
  ];
}

export function validateFullyQualifiedIdentifier(name: string, field: string): FieldError[] {
  const errors = validateQualifiedIdentifier(name, field);
  if (name.includes('/')) return errors;
  return [...errors, invalid(field, name, 'a fully qualified name must be a domain and a name separated by a slash')];
}

function validateIdentifier(identifier: string, field: string): FieldError[] {
  const errors = byteLength(identifier) > maxIdentifierBytes ? [tooLong(field, maxIdentifierBytes)] : [];
  return [...errors, ...invalids(field, identifier, cIdentifierProblems(identifier))];
}

type ItemCheck<Item> = (item: Item, path: string) => FieldError[];

/** Lists of this group are bounded. Items of a list that is too long are not validated. */
export function validateItems<Item>(
  items: readonly Item[],
  max: number,
  check: ItemCheck<Item>,
  path: string,
): FieldError[] {
  if (items.length > max) return [tooMany(path, items.length, max)];
  return items.flatMap((item, index) => check(item, `${path}[${index}]`));
}

/** Duplicates are reported after everything else about the list. */
export function validateSet<Item>(
  items: readonly Item[],
  max: number,
  check: ItemCheck<Item>,
  keyOf: (item: Item) => string,
  path: string,
): FieldError[] {
  const errors = validateItems(items, max, check, path);
  if (items.length > max) return errors;
  const keys = items.map(keyOf);
  const repeats = repeatsIn(keys);
  keys.forEach((key, index) => {
    if (repeats.has(index)) errors.push(duplicate(`${path}[${index}]`, key));
  });
  return errors;
}
