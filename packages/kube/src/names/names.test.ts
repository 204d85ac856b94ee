import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorText } from '../validation/field-error.ts';
import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  dns1123SubdomainWithUnderscoreProblems,
  wildcardSubdomainProblems,
} from './dns.ts';
import { validateDomainPrefixedPath, validateFullyQualifiedDomainName } from './domain.ts';
import {
  cIdentifierProblems,
  configMapKeyProblems,
  environmentVariableProblems,
  httpHeaderNameProblems,
  percentProblems,
  portNameProblems,
  portNumberProblems,
} from './identifier.ts';
import { labelValueProblems, qualifiedNameProblems } from './label.ts';
import { generateName, nameIsDnsLabel, nameIsDnsSubdomain, nameIsPathSegment } from './object-name.ts';

type Problems = (value: string) => readonly string[];

function accepts(problems: Problems, ...values: readonly string[]): void {
  for (const value of values) assert.deepEqual(problems(value), [], value);
}

function refuses(problems: Problems, ...values: readonly string[]): void {
  for (const value of values) assert.notDeepEqual(problems(value), [], value);
}

test('checks DNS labels', () => {
  accepts(dns1123LabelProblems, 'a', '0', 'a-b', '1-2', 'x'.repeat(63));
  refuses(dns1123LabelProblems, '', '-a', 'a-', 'A', 'a_b', 'a b', 'é', 'a\n');
  assert.deepEqual(dns1123LabelProblems('a.b'), ['must not contain dots']);
  assert.deepEqual(dns1123LabelProblems('x'.repeat(64)), ['must be no more than 63 characters']);
  assert.deepEqual(dns1123LabelProblems('-'), [
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ]);
});

test('checks DNS subdomains', () => {
  accepts(dns1123SubdomainProblems, 'a', 'a.b', 'a-b.c-d', '1.2.3.4');
  refuses(dns1123SubdomainProblems, '', '.', 'a.', '.a', 'a..b', 'a-.b', 'A.b', 'a_b');
  assert.deepEqual(dns1123SubdomainProblems('a'.repeat(254)), ['must be no more than 253 characters']);
  accepts(dns1123SubdomainWithUnderscoreProblems, '_a', '_tcp._b', 'a_b');
  refuses(dns1123SubdomainWithUnderscoreProblems, '_', '__a', 'a_', 'a._');
});

test('checks DNS-1035 labels and wildcards', () => {
  accepts(dns1035LabelProblems, 'a', 'a1', 'a-1');
  refuses(dns1035LabelProblems, '', '1a', 'a-', 'a.b');
  accepts(wildcardSubdomainProblems, '*.a', '*.example.com');
  refuses(wildcardSubdomainProblems, '*', '*.', 'a.b', '*.*.a', '**.a');
});

test('checks label keys', () => {
  accepts(qualifiedNameProblems, 'a', 'A_b.C-1', 'example.com/Name', 'x'.repeat(63));
  assert.deepEqual(qualifiedNameProblems('/a'), ['prefix part must be non-empty']);
  assert.deepEqual(qualifiedNameProblems('x'.repeat(64)), ['name part must be no more than 63 bytes']);
  const name =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  assert.deepEqual(qualifiedNameProblems('a/'), ['name part must be non-empty', `name part ${name}`]);
  assert.deepEqual(qualifiedNameProblems('a/b/c'), [
    `a valid label key ${name} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
  ]);
  assert.equal(qualifiedNameProblems('A/b').length, 1);
});

test('checks label values', () => {
  accepts(labelValueProblems, '', 'a', 'A.b_c-d', 'x'.repeat(63));
  refuses(labelValueProblems, '-', 'a b', 'a-', 'é', '/');
  assert.deepEqual(labelValueProblems('x'.repeat(64)), ['must be no more than 63 bytes']);
});

test('checks keys of ConfigMaps and environment variables', () => {
  accepts(configMapKeyProblems, 'a', '.a', 'A_b-c.d');
  assert.deepEqual(configMapKeyProblems('..'), ["must not be '..'"]);
  assert.deepEqual(configMapKeyProblems('.'), ["must not be '.'"]);
  assert.deepEqual(configMapKeyProblems('..a'), ["must not start with '..'"]);
  refuses(configMapKeyProblems, '', 'a/b', 'a b', 'x'.repeat(254));
  accepts(environmentVariableProblems, '1 a', '{}');
  refuses(environmentVariableProblems, '', 'a=b', 'é');
  accepts(cIdentifierProblems, 'a', '_1');
  refuses(cIdentifierProblems, '', '1a', 'a-b');
});

test('checks ports, headers and percents', () => {
  accepts(portNameProblems, 'http', 'a-1');
  assert.deepEqual(portNameProblems('-1--'), [
    'must contain at least one letter (a-z)',
    'must not contain consecutive hyphens',
    'must not begin or end with a hyphen',
  ]);
  assert.deepEqual(portNameProblems(''), [
    'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
    'must contain at least one letter (a-z)',
  ]);
  assert.deepEqual(portNumberProblems(65536), ['must be between 1 and 65535, inclusive']);
  accepts(httpHeaderNameProblems, 'X-A');
  refuses(httpHeaderNameProblems, '', 'a b');
  accepts(percentProblems, '5%');
  refuses(percentProblems, '%', '5', '-5%');
});

test('checks names of objects and prefixes in generateName', () => {
  assert.deepEqual(nameIsDnsLabel('web-', true), []);
  assert.equal(nameIsDnsLabel('web-', false).length, 1);
  assert.equal(nameIsDnsSubdomain('-', true).length, 1);
  assert.deepEqual(nameIsPathSegment('system:Any thing', false), []);
  assert.deepEqual(nameIsPathSegment('a/b%', false), ["may not contain '/'", "may not contain '%'"]);
  assert.deepEqual(nameIsPathSegment('..', false), ["may not be '..'"]);
  assert.deepEqual(nameIsPathSegment('..', true), []);
});

test('generated names keep 58 characters of their base', () => {
  assert.equal(
    generateName('web-', () => 0),
    'web-bbbbb',
  );
  assert.equal(
    generateName('web-', () => 0.999),
    'web-99999',
  );
  assert.equal(generateName('x'.repeat(80), () => 0).length, 63);
});

test('checks names with a domain', () => {
  assert.deepEqual(validateDomainPrefixedPath('f', 'a.io/b?').map(fieldErrorText), [
    `f: Invalid value: "b?": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`,
  ]);
  assert.deepEqual(validateDomainPrefixedPath('f', 'a.io/b/c%20'), []);
  assert.deepEqual(validateDomainPrefixedPath('f', 'ab').map(fieldErrorText), [
    'f: Invalid value: "ab": must be a domain-prefixed path (such as "acme.io/foo")',
  ]);
  assert.deepEqual(validateFullyQualifiedDomainName('f', 'example.com.'), []);
  assert.equal(validateFullyQualifiedDomainName('f', 'com').length, 1);
});
