import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { elementsOf, endOfValue, memberOf, membersOf } from './json-text.ts';

const json = fc.json({ maxDepth: 4 });

test('members and elements of any text are those that parsing finds', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), fc.array(json), (object, list) => {
      const values = Object.entries(object).map(([key, value]) => [key, JSON.parse(value) as unknown] as const);
      const text = `x${JSON.stringify(Object.fromEntries(values))},y`;
      const members = [...membersOf(text, 1)];
      const found = members.map(({ key, start, end }) => [JSON.parse(key), JSON.parse(text.slice(start, end))]);
      assert.deepEqual(found, Object.entries(JSON.parse(text.slice(1, -2)) as object));
      for (const { key, start } of members) assert.equal(memberOf(text, 1, JSON.parse(key) as string), start);
      assert.equal(endOfValue(text, 1), text.length - 2);

      const listText = JSON.stringify(list.map((value) => JSON.parse(value) as unknown));
      const elements = [...elementsOf(listText, 0)].map((start) => listText.slice(start, endOfValue(listText, start)));
      assert.deepEqual(
        elements.map((element) => JSON.parse(element) as unknown),
        JSON.parse(listText),
      );
    }),
  );
});

test('a member that is not there is not found', () => {
  assert.equal(memberOf('{"a":{"b":1},"c":"b"}', 0, 'b'), undefined);
  assert.equal(memberOf('{}', 0, 'b'), undefined);
  assert.deepEqual([...elementsOf('[]', 0)], []);
});
