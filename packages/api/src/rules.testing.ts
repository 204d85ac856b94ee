/** For tests: what a kind refuses, with its messages, and what it accepts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { ServedKind, type Attempt } from './served-kind.testing.ts';

export interface RuleCase {
  /** A sentence that the rule makes true. */
  readonly title: string;
  readonly refused: Attempt;
  /** The message; several if one violation breaks several rules. */
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
