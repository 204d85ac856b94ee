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

test('only who has one of the wanted names is in the way', () => {
  const claims = new NameClaims();
  claims.set('gears.x', gears);
  claims.set('bolts.x', { plural: 'bolts', singular: 'bolt', kind: 'Bolt', listKind: 'BoltList' });
  const goats = definition('goats.x', { plural: 'goats', singular: 'goat', kind: 'Goat', shortNames: ['g'] });
  assert.deepEqual(claims.othersInTheWay(goats), [{ status: { acceptedNames: gears } }]);
});

test('nobody is in their own way, and a word for a kind is none for a resource', () => {
  const claims = new NameClaims();
  claims.set('gears.x', gears);
  assert.deepEqual(claims.othersInTheWay(definition('gears.x', gears)), []);
  const odd = definition('odd.x', { plural: 'odd', kind: 'gears' });
  assert.deepEqual(claims.othersInTheWay(odd), []);
});

test('names that were given up are free', () => {
  const claims = new NameClaims();
  claims.set('gears.x', gears);
  claims.set('gears.x', { ...gears, shortNames: [] });
  const goats = definition('goats.x', { plural: 'goats', kind: 'Goat', shortNames: ['g'] });
  assert.deepEqual(claims.othersInTheWay(goats), []);
  claims.set('gears.x', undefined);
  assert.ok(claims.isEmpty);
});
