import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { loadRules, loadTopic, topicNames } from './recorded-rows.testing.ts';

const rules = loadRules();
const rows = topicNames().flatMap((name) => loadTopic(name).rows);

suite('the recorded rows', () => {
  test('show every rule', () => {
    const shown = new Set(rows.map(({ rule }) => rule));
    const unseen = rules.map(({ id }) => id).filter((id) => !shown.has(id));
    assert.deepEqual(unseen, []);
  });

  test('show no rule that nobody wrote down', () => {
    const known = new Set(rules.map(({ id }) => id));
    const unknown = rows.map(({ rule }) => rule).filter((rule) => !known.has(rule));
    assert.deepEqual(unknown, []);
  });

  test('show both sides of every limit, which differ', () => {
    for (const { id } of rules.filter(({ isLimit }) => isLimit)) {
      const sideOf = (side: string): unknown => rows.find((row) => row.rule === id && row.side === side)?.answers;
      assert.ok(sideOf('under') && sideOf('over'), `${id} has not both sides`);
      assert.ok(!isDeepStrictEqual(sideOf('under'), sideOf('over')), `the sides of ${id} are alike`);
    }
  });

  test('have an answer to every step', () => {
    const open = rows.filter(({ steps, answers }) => answers?.length !== steps.length).map(({ says }) => says);
    assert.deepEqual(open, []);
  });

  test('say of one step whether it is taken or refused', () => {
    const wrong = rows.filter(({ says, steps, answers }) => {
      const isTaken = (answers?.[0]?.code ?? 0) < 300;
      return steps.length === 1 && ((says.startsWith('takes') && !isTaken) || (says.startsWith('refuses') && isTaken));
    });
    assert.deepEqual(
      wrong.map(({ says }) => says),
      [],
    );
  });

  test('are more than 450', () => assert.ok(rows.length > 450, `there are ${rows.length}`));
});
