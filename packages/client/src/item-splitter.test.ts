import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ItemSplitter } from './item-splitter.ts';

const items = [{ a: 1 }, { b: '}],{["\\', items: [{ c: [] }] }, {}, { é: { d: [[], {}] } }];

const lists: Record<string, string> = {
  'with metadata first': JSON.stringify({ kind: 'PodList', metadata: { resourceVersion: '7', items: [1] }, items }),
  'with metadata last, as sorted keys have it': JSON.stringify({ apiVersion: 'v1', items, metadata: { x: ['items'] } }),
  'with spaces': JSON.stringify({ extra: [[{ a: 1 }]], items, metadata: {} }, undefined, 2),
};

for (const [name, text] of Object.entries(lists)) {
  test(`a list ${name} is split into its items, however it is chunked`, () => {
    const bytes = Buffer.from(text);
    const { items: _items, ...rest } = JSON.parse(text) as Record<string, unknown>;
    for (let cut = 0; cut <= bytes.length; cut++) {
      const splitter = new ItemSplitter();
      const found = [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((piece) => splitter.push(piece));
      assert.deepEqual(found.map(parse), items);
      assert.deepEqual(parse(splitter.frame()), { ...rest, items: [] });
    }
  });
}

test('a list that arrives byte by byte is split the same way', () => {
  const splitter = new ItemSplitter();
  const found = [...Buffer.from(lists['with spaces'] ?? '')].flatMap((byte) => splitter.push(Uint8Array.of(byte)));
  assert.deepEqual(found.map(parse), items);
});

test('a list without items has none', () => {
  for (const text of ['{"kind":"PodList","items":[]}', '{"items":null}', '{}']) {
    const splitter = new ItemSplitter();
    assert.deepEqual(splitter.push(Buffer.from(text)), []);
    assert.deepEqual(parse(splitter.frame()), JSON.parse(text));
  }
});

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString());
}
