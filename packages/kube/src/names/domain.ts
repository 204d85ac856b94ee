/**
 * Names that start with a domain. These rules return field errors, because an error may concern a part of the value.
 */
import { invalid, required, type FieldError } from '../validation/field-error.ts';
import { isAlphanumeric, isEvery } from './characters.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems } from './dns.ts';
import { regexMessage } from './messages.ts';

const pathPunctuation = "/-._~%!$&'()*+,;=:";

const invalidPath = regexMessage('Invalid path', "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+");

/** At least three segments, such as `x.example.com`. */
export function validateFullyQualifiedName(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)];
  const problems = dns1123SubdomainProblems(name);
  if (problems.length > 0) return [invalid(field, name, problems.join(','))];
  const isValid = name.split('.').length >= 3;
  return isValid ? [] : [invalid(field, name, 'should be a domain with at least three segments separated by dots')];
}

export function validateFullyQualifiedDomainName(field: string, value: string): FieldError[] {
  if (value === '') return [required(field)];
  const name = value.endsWith('.') ? value.slice(0, -1) : value;
  const problems = dns1123SubdomainProblems(name);
  if (problems.length > 0) return [invalid(field, name, problems.join(','))];
  const labels = name.split('.');
  if (labels.length < 2) {
    return [invalid(field, name, 'should be a domain with at least two segments separated by dots')];
  }
  const wrong = labels.find((label) => dns1123LabelProblems(label).length > 0);
  return wrong === undefined ? [] : [invalid(field, wrong, dns1123LabelProblems(wrong).join(','))];
}

/** `acme.io/foo`, with any path after the domain. */
export function validateDomainPrefixedPath(field: string, value: string): FieldError[] {
  if (value === '') return [required(field)];
  const slash = value.indexOf('/');
  const host = value.slice(0, Math.max(slash, 0));
  const path = value.slice(slash + 1);
  if (host === '' || path === '') {
    return [invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = dns1123SubdomainProblems(host).map((problem) => invalid(field, host, problem));
  if (!isEvery(path, isPathCharacter)) errors.push(invalid(field, path, invalidPath));
  return errors;
}

function isPathCharacter(unit: number): boolean {
  return isAlphanumeric(unit) || pathPunctuation.includes(String.fromCharCode(unit));
}
