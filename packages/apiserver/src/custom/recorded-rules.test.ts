import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { loadRules, loadTopic, topicNames } from './recorded-rows.testing.ts';

const rules = loadRules();
const rows = topicNames().flatMap((name) => loadTopic(name).rows);

suite('the recorded rows', () => {
  test('cover every rule', () => {
    const shown = new Set(rows.map(({ rule }) => rule));
    const unseen = rules.map(({ id }) => id).filter((id) => !shown.has(id));
    assert.deepEqual(unseen, []);
  });

  test('cover no unknown rule', () => {
    const known = new Set(rules.map(({ id }) => id));
    const unknown = rows.map(({ rule }) => rule).filter((rule) => !known.has(rule));
    assert.deepEqual(unknown, []);
  });

  test('have different answers on both sides of every limit', () => {
    for (const { id } of rules.filter(({ isLimit }) => isLimit)) {
      const sideOf = (side: string): unknown => rows.find((row) => row.rule === id && row.side === side)?.answers;
      assert.ok(sideOf('under') && sideOf('over'), `${id} lacks a side`);
      assert.ok(!isDeepStrictEqual(sideOf('under'), sideOf('over')), `the sides of ${id} are alike`);
    }
  });

  test('have an answer to every step', () => {
    const open = rows.filter(({ steps, answers }) => answers?.length !== steps.length).map(({ says }) => says);
    assert.deepEqual(open, []);
  });

  test('claim correctly whether a single step is accepted or refused', () => {
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
