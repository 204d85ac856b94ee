/** Runs the published conformance cases of CEL, from text to value. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { disagreement, type ConformanceCase } from './conformance-case.testing.ts';
import { leftOut } from './left-out.testing.ts';

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: unknown }[];
}

interface Section {
  /** The file and its section. */
  readonly path: readonly string[];
  readonly cases: readonly ConformanceCase[];
}

const sections = sectionsOf(tests, []);

for (const { path, cases } of sections) {
  describe(`expressions of ${path.join('/')}`, () => {
    for (const given of cases) {
      const reason = reasonToLeaveOut(path, given.name);
      if (reason === undefined) {
        test(`${given.name}: ${given.expr.slice(0, 80)}`, () => assert.equal(disagreement(given), undefined));
      } else {
        test(`${given.name} is left out: ${reason}`, () => assert.notEqual(disagreement(given), undefined));
      }
    }
  });
}

test('every skipped case exists', () => {
  for (const { cases } of leftOut) {
    for (const [place, { names }] of Object.entries(cases)) {
      const known = sections.filter(({ path }) => path.join('/') === place || path[0] === place);
      assert.notEqual(known.length, 0, place);
      const knownNames = new Set(known.flatMap((section) => section.cases.map(({ name }) => name)));
      for (const name of names) assert.ok(knownNames.has(name), `${place}: ${name}`);
    }
  }
});

function reasonToLeaveOut(path: readonly string[], name: string): string | undefined {
  const [file = ''] = path;
  const section = path.join('/');
  return leftOut.find(({ cases }) => (cases[file] ?? cases[section])?.includes(name))?.reason;
}

function sectionsOf(suite: Suite, path: readonly string[]): readonly Section[] {
  const cases = (suite.tests ?? []).map(({ original }) => original as ConformanceCase);
  const inner = (suite.suites ?? []).flatMap((child) => sectionsOf(child, [...path, child.name]));
  return cases.length === 0 ? inner : [{ path, cases }, ...inner];
}
