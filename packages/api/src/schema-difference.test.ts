import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { s } from '@flotilla/schema';
import { differentSchema } from './schema-difference.ts';

const rules = [{ rule: 'self.name != oldSelf.name' }];
const berth = s.object('A place to lie.', { name: s.string('Its name.'), depth: s.integer('In metres.') }, { rules });
const harbour = s.object('Where ships lie.', {
  berths: s.list(berth, 'All of them.'),
  pilots: s.optional(s.map(s.object('One pilot.', { phone: s.string('Number.') }), 'By name.')),
}).json;

function berthIn(schema: typeof harbour) {
  const { items } = schema.properties?.['berths'] ?? {};
  assert.ok(items && !Array.isArray(items));
  return items as typeof harbour;
}

describe('the difference between two versions of a schema', () => {
  test('removes fields, and no longer requires them', () => {
    const other = berthIn(differentSchema(harbour, { lacks: ['berths[].depth'] }));
    assert.deepEqual(Object.keys(other.properties ?? {}), ['name']);
    assert.deepEqual(other.required, ['name']);
  });

  test('leaves no empty list of required fields', () => {
    const other = differentSchema(harbour, { lacks: ['pilots{}.phone'] });
    const pilot = other.properties?.['pilots']?.additionalProperties;
    assert.deepEqual(pilot, { type: 'object', description: 'One pilot.', properties: {} });
  });

  test('replaces a field, required or not', () => {
    const optional = berthIn(
      differentSchema(harbour, { differs: { 'berths[].depth': s.optional(s.number('Feet.')) } }),
    );
    assert.deepEqual(optional.properties?.['depth'], { type: 'number', description: 'Feet.' });
    assert.deepEqual(optional.required, ['name']);
    const required = differentSchema(harbour, { differs: { pilots: s.string('Who knows the way.') } });
    assert.deepEqual(required.required, ['berths', 'pilots']);
  });

  test('replaces or removes rules at any path', () => {
    assert.equal(
      berthIn(differentSchema(harbour, { rules: { 'berths[]': [] } }))['x-kubernetes-validations'],
      undefined,
    );
    assert.deepEqual(differentSchema(harbour, { rules: { '': rules } })['x-kubernetes-validations'], rules);
  });

  test('does not change the original schema', () => {
    const before = structuredClone(harbour);
    differentSchema(harbour, { lacks: ['berths[].depth'], rules: { '': rules } });
    assert.deepEqual(harbour, before);
  });

  test('refuses a path that does not exist', () => {
    const wrong = {
      'berths[].colour': /no colour in "A place to lie\."/,
      'quays.name': /no quays in "Where ships lie\."/,
      'pilots[].phone': /no \[\] in "By name\."/,
    };
    for (const [path, message] of Object.entries(wrong)) {
      assert.throws(() => differentSchema(harbour, { lacks: [path] }), message);
    }
  });
});
