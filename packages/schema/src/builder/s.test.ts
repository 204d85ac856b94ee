import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defineKind } from './define-kind.ts';
import { s } from './s.ts';
import type { Infer } from './typed-schema.ts';

const berth = s.object('A place to lie.', {
  name: s.string('How it is called.', { maxLength: 63, pattern: '^[a-z]+$' }),
  depth: s.withDefault(s.integer('In metres.', { minimum: 1 }), 4),
  note: s.optional(s.string('For the pilot.')),
});

const harbourSpec = s.object(
  'What a harbour offers.',
  {
    berths: s.listByKey('name', berth, 'Where ships lie.', { maxItems: 20 }),
    size: s.oneOf(['small', 'large'], 'Which ships it takes.'),
    share: s.intOrString('How much of it is free.'),
    tags: s.optional(s.set(s.string('One word.'), 'Words to find it by.')),
    limits: s.optional(s.map(s.number('Tonnes.'), 'By kind of ship.', { atomic: true })),
    chart: s.optional(s.anyFields('Whatever the pilot drew.')),
    closed: s.nullable(s.boolean('Whether it takes ships.')),
  },
  { rules: [{ rule: "self.size == 'large' || size(self.berths) < 5", message: 'small harbours have few berths' }] },
);

describe('the builder', () => {
  test('writes the schema of a definition', () => {
    assert.deepEqual(berth.json, {
      type: 'object',
      description: 'A place to lie.',
      required: ['name'],
      properties: {
        name: { type: 'string', description: 'How it is called.', maxLength: 63, pattern: '^[a-z]+$' },
        depth: { type: 'integer', description: 'In metres.', minimum: 1, default: 4 },
        note: { type: 'string', description: 'For the pilot.' },
      },
    });
  });

  test('marks sets, lists by key and atomic maps', () => {
    const { berths, tags, limits } = harbourSpec.json.properties ?? {};
    assert.equal(berths?.['x-kubernetes-list-type'], 'map');
    assert.deepEqual(berths?.['x-kubernetes-list-map-keys'], ['name']);
    assert.equal(tags?.['x-kubernetes-list-type'], 'set');
    assert.equal(limits?.['x-kubernetes-map-type'], 'atomic');
  });

  test('requires fields that are neither optional nor have a default', () => {
    assert.deepEqual(harbourSpec.json.required, ['berths', 'size', 'share']);
  });

  test('may require a field with a default, as another system does', () => {
    const { json } = s.object('A light.', {
      colour: s.requiredWithDefault(s.oneOf(['red', 'green'], 'Its side.'), 'red'),
    });
    assert.deepEqual(json.required, ['colour']);
    assert.equal(json.properties?.['colour']?.default, 'red');
  });

  test('accepts any value where nothing is known', () => {
    assert.deepEqual(s.anything('Cargo.').json, {
      description: 'Cargo.',
      'x-kubernetes-preserve-unknown-fields': true,
    });
  });

  test('infers the type that controllers see', () => {
    type Berth = Infer<typeof berth>;
    const seen: Berth = { name: 'north', depth: 4 };
    // @ts-expect-error -- a defaulted field is required in the type
    const blind: Berth = { name: 'north' };
    assert.notDeepEqual(seen, blind);
    const spec: Infer<typeof harbourSpec> = { berths: [seen], size: 'small', share: '10%', closed: null };
    // @ts-expect-error -- not in the enum
    assert.notEqual(spec.size, 'huge' satisfies Infer<typeof harbourSpec>['size']);
  });
});

describe('a declared kind', () => {
  const definition = defineKind({
    group: 'sea.example.com',
    kind: 'Harbour',
    plural: 'harbours',
    shortNames: ['hb'],
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1beta1',
        description: 'An old harbour.',
        fields: { spec: harbourSpec },
        storage: false,
        deprecated: true,
      },
      { name: 'v1', description: 'A harbour.', fields: { spec: harbourSpec }, subresources: { status: {} } },
    ],
  });

  test('is named after its plural and group', () => {
    assert.equal(definition.metadata.name, 'harbours.sea.example.com');
    assert.equal(definition.spec.names.listKind, 'HarbourList');
    assert.equal(definition.spec.names.singular, 'harbour');
  });

  test('stores the first version that does not refuse', () => {
    assert.deepEqual(
      definition.spec.versions.map(({ name, served, storage }) => [name, served, storage]),
      [
        ['v1beta1', true, false],
        ['v1', true, true],
      ],
    );
  });

  test('has a schema with the fields of every object', () => {
    const schema = definition.spec.versions[1]?.schema?.openAPIV3Schema;
    assert.deepEqual(Object.keys(schema?.properties ?? {}), ['apiVersion', 'kind', 'metadata', 'spec']);
    assert.deepEqual(schema?.required, ['spec']);
  });
});
