import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptNames } from './accepted-names.ts';
import type { CustomResourceDefinition, DefinitionNames } from './custom-resource-definition.ts';
import { aDefinition, established } from './sample-definition.testing.ts';

const fleet: DefinitionNames = {
  plural: 'fleets',
  singular: 'fleet',
  kind: 'Fleet',
  listKind: 'FleetList',
  shortNames: ['fl', 'f'],
};

function taken(acceptedNames: DefinitionNames): CustomResourceDefinition {
  return { ...aDefinition({ names: acceptedNames }), status: { acceptedNames } };
}

test('accepts free names, and the definition waits to be served', () => {
  const names = { ...fleet, categories: ['all'] };
  const decision = acceptNames(aDefinition({ names }), [taken({ plural: 'ships', kind: 'Ship' })]);
  assert.deepEqual(decision.acceptedNames, names);
  assert.deepEqual(decision.namesAccepted, {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  });
  assert.deepEqual(decision.established, {
    type: 'Established',
    status: 'False',
    reason: 'Installing',
    message: 'the initial names have been accepted',
  });
});

test('accepts each free name, even if another one conflicts', () => {
  const definition = aDefinition({ names: { ...fleet, singular: 'ship', shortNames: ['fl', 's', 'ship'] } });
  const decision = acceptNames(definition, [
    taken({ plural: 'ships', singular: 'ship', kind: 'Ship', shortNames: ['s'] }),
  ]);
  assert.deepEqual(decision.acceptedNames, { plural: 'fleets', kind: 'Fleet', listKind: 'FleetList' });
  assert.deepEqual(decision.namesAccepted, {
    type: 'NamesAccepted',
    status: 'False',
    reason: 'ShortNamesConflict',
    message: '["s" is already in use, "ship" is already in use]',
  });
  assert.equal(decision.established.reason, 'NotAccepted');
});

test('kinds conflict only with kinds', () => {
  const other = taken({ plural: 'others', kind: 'FleetList', listKind: 'fleets' });
  const { namesAccepted } = acceptNames(aDefinition({ names: fleet }), [other]);
  assert.equal(namesAccepted.reason, 'ListKindConflict');
  assert.equal(namesAccepted.message, '"FleetList" is already in use');
});

test('its own names are no conflict, and names that it no longer requests are released', () => {
  const definition = { ...aDefinition({ names: { ...fleet, shortNames: ['f'] } }), status: { acceptedNames: fleet } };
  const { acceptedNames, namesAccepted } = acceptNames(definition, []);
  assert.deepEqual(acceptedNames.shortNames, ['f']);
  assert.equal(namesAccepted.status, 'True');
});

test('an established definition stays established, whatever its names', () => {
  const definition = established(aDefinition({ names: fleet }));
  const { established: still, namesAccepted } = acceptNames(definition, [taken(fleet)]);
  assert.equal(namesAccepted.status, 'False');
  assert.equal(still.status, 'True');
});
