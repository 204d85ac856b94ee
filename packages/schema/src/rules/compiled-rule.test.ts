import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeName } from '@flotilla/cel';
import { declarationOf } from './cel-type.ts';
import { selfType } from './compiled-rule.ts';

test('types of parts are named relative to the node of the rule', () => {
  const item = { type: 'object', properties: { size: { type: 'integer' } } };
  const root = declarationOf(
    { type: 'object', properties: { spec: { type: 'object', properties: { all: { type: 'array', items: item } } } } },
    true,
  );
  const spec = root?.fields?.get('spec')?.type;
  assert.ok(spec);
  const self = selfType(spec);
  assert.equal(typeName(self), 'selfType0');
  assert.ok(self.kind === 'object');
  const all = self.field('all');
  assert.ok(all);
  assert.equal(typeName(all), 'list(selfType0.all.@idx)');
  assert.equal(self.field('none'), undefined);
});
