import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOfAnswer } from './checked-properties.ts';

const observationTime = '2026-01-01T00:00:00Z';

function names<T>(count: number, value: T): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, value]));
}

test('an answer above a limit of the hub is invalid, and the problem names the field', () => {
  const property = { value: 'v', observationTime };
  const cases: [object, string | undefined][] = [
    [{ properties: names(1000, property) }, undefined],
    [{ properties: names(1001, property) }, 'properties has 1001 entries, but the hub keeps only 1000'],
    [{ properties: { ['x'.repeat(317)]: property } }, 'a name in properties is longer than 316 characters'],
    [
      { properties: { a: { value: 'x'.repeat(1025), observationTime } } },
      'properties["a"] has a value of more than 1024 characters',
    ],
    [
      { properties: { 'k8s.io/cluster-certificate-authority-data': { value: 'x'.repeat(20_000), observationTime } } },
      undefined,
    ],
    [{ properties: {}, resources: { capacity: names(65, '1') } }, 'capacity has 65 entries, but the hub keeps only 64'],
    [{ properties: {}, namespaces: names(1001, 'w') }, 'namespaces has 1001 entries, but the hub keeps only 1000'],
  ];
  for (const [answer, problem] of cases) assert.equal(problemOfAnswer(answer), problem);
});
