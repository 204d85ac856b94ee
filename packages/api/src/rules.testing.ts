/** What a kind refuses, with the words it has for it, and beside it what it lets pass: for tests. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { ServedKind, type Attempt } from './served-kind.testing.ts';

export interface RuleCase {
  /** A sentence that the rule makes true. */
  readonly title: string;
  readonly refused: Attempt;
  /** Its words; several where one slip breaks several rules. */
  readonly says: string | readonly string[];
  readonly accepted: Attempt;
}

export function testRules(
  definition: CustomResourceDefinition,
  versions: readonly string[],
  cases: readonly RuleCase[],
): void {
  for (const version of versions) {
    describe(`${definition.spec.names.kind} ${version}`, () => {
      const kind = new ServedKind(definition, version);
      for (const { title, refused, says, accepted } of cases) {
        test(title, () => {
          assert.deepEqual(kind.refusals(refused), [says].flat());
          assert.deepEqual(kind.refusals(accepted), []);
        });
      }
    });
  }
}
