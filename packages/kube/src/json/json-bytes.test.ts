import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { stringifyJson } from './stringify-json.ts';
import type { JsonValue } from './value.ts';
import { elementsOf, endOfValue, memberOf, membersOf } from './json-bytes.ts';

const json = fc.json({ maxDepth: 4 });
const parsed = (bytes: Buffer): unknown => JSON.parse(bytes.toString());

test('members and elements of any text are those that parsing finds', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), fc.array(json), (object, list) => {
      const values = Object.entries(object).map(([key, value]) => [key, JSON.parse(value) as JsonValue] as const);
      const text = `x${stringifyJson(Object.fromEntries(values))},y`;
      const bytes = Buffer.from(text);
      const { members, end: objectEnd } = membersOf(bytes, 1);
      assert.equal(objectEnd, bytes.length - 2);
      const found = members.map(({ key, start, end }) => [JSON.parse(key), parsed(bytes.subarray(start, end))]);
      assert.deepEqual(found, Object.entries(parsed(bytes.subarray(1, -2)) as object));
      for (const { key, start } of members) assert.equal(memberOf(bytes, 1, JSON.parse(key) as string), start);
      assert.equal(endOfValue(bytes, 1), bytes.length - 2);

      const listBytes = Buffer.from(JSON.stringify(list.map((value) => JSON.parse(value) as unknown)));
      const elements = [...elementsOf(listBytes, 0)].map((start) =>
        parsed(listBytes.subarray(start, endOfValue(listBytes, start))),
      );
      assert.deepEqual(elements, parsed(listBytes));
    }),
  );
});

test('finds no missing member', () => {
  assert.equal(memberOf(Buffer.from('{"a":{"b":1},"c":"b"}'), 0, 'b'), undefined);
  assert.equal(memberOf(Buffer.from('{}'), 0, 'b'), undefined);
  assert.deepEqual([...elementsOf(Buffer.from('[]'), 0)], []);
});
