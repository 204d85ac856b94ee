import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CustomResourceDefinition, DefinitionNames } from '@flotilla/schema';
import { NameClaims } from './name-claims.ts';

function definition(name: string, names: DefinitionNames): CustomResourceDefinition {
  return { metadata: { name }, spec: { names } } as unknown as CustomResourceDefinition;
}

const gears: DefinitionNames = {
  plural: 'gears',
  singular: 'gear',
  kind: 'Gear',
  listKind: 'GearList',
  shortNames: ['g'],
};

test('only definitions with one of the requested names conflict', () => {
  const claims = new NameClaims();
  claims.set('gears.x', gears);
  claims.set('bolts.x', { plural: 'bolts', singular: 'bolt', kind: 'Bolt', listKind: 'BoltList' });
  const goats = definition('goats.x', { plural: 'goats', singular: 'goat', kind: 'Goat', shortNames: ['g'] });
  assert.deepEqual(claims.conflicting(goats), [{ status: { acceptedNames: gears } }]);
});

test('a definition does not conflict with itself, and kinds do not conflict with resource names', () => {
  const claims = new NameClaims();
  claims.set('gears.x', gears);
  assert.deepEqual(claims.conflicting(definition('gears.x', gears)), []);
  const odd = definition('odd.x', { plural: 'odd', kind: 'gears' });
  assert.deepEqual(claims.conflicting(odd), []);
});

test('released names are free', () => {
  const claims = new NameClaims();
  claims.set('gears.x', gears);
  claims.set('gears.x', { ...gears, shortNames: [] });
  const goats = definition('goats.x', { plural: 'goats', kind: 'Goat', shortNames: ['g'] });
  assert.deepEqual(claims.conflicting(goats), []);
  claims.set('gears.x', undefined);
  assert.ok(claims.isEmpty);
});
