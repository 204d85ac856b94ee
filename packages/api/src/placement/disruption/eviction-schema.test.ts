import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { testRules } from '../../rules.testing.ts';
import { clusterResourcePlacementEvictionDefinition } from './disruption-schema.ts';

const eviction = (spec: JsonObject = {}) => ({ spec: { placementName: 'app', clusterName: 'oslo', ...spec } });

testRules(
  clusterResourcePlacementEvictionDefinition,
  ['v1alpha1', 'v1beta1'],
  [
    {
      title: 'keeps its placement',
      refused: { from: eviction(), to: eviction({ placementName: 'other' }) },
      says: 'spec.placementName: Invalid value: "other": The PlacementName field is immutable',
      accepted: { from: eviction(), to: eviction() },
    },
    {
      title: 'keeps its cluster',
      refused: { from: eviction(), to: eviction({ clusterName: 'rome' }) },
      says: 'spec.clusterName: Invalid value: "rome": The ClusterName field is immutable',
      accepted: { create: eviction({ clusterName: 'rome' }) },
    },
  ],
);

test('kubectl shows the result of an eviction in v1beta1', () => {
  const columns = clusterResourcePlacementEvictionDefinition.spec.versions.map((version) => [
    version.name,
    version.additionalPrinterColumns?.map(({ name, jsonPath }) => [name, jsonPath]),
  ]);
  assert.deepEqual(columns, [
    ['v1alpha1', undefined],
    [
      'v1beta1',
      [
        ['Valid', '.status.conditions[?(@.type=="Valid")].status'],
        ['Executed', '.status.conditions[?(@.type=="Executed")].status'],
      ],
    ],
  ]);
});
