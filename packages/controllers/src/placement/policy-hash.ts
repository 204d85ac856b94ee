/** The hash of a policy as KubeFleet computes it: of Go's JSON, without the number of clusters. */
import type { PlacementPolicy } from '@flotilla/api';
import { goHash, type GoField, type GoStruct } from '../family/go-hash.ts';

const labelSelector = struct(
  { name: 'matchLabels', type: 'map' },
  {
    name: 'matchExpressions',
    type: { of: struct({ name: 'key', whenEmpty: '' }, { name: 'operator', whenEmpty: '' }, { name: 'values' }) },
  },
);

const propertySelector = struct({
  name: 'matchExpressions',
  whenEmpty: null,
  type: {
    of: struct(
      { name: 'name', whenEmpty: '' },
      { name: 'operator', whenEmpty: '' },
      { name: 'values', whenEmpty: null },
    ),
  },
});

const propertySorter = struct({ name: 'name', whenEmpty: '' }, { name: 'sortOrder', whenEmpty: '' });

const term = struct(
  { name: 'labelSelector', type: labelSelector },
  { name: 'propertySelector', type: propertySelector },
  { name: 'propertySorter', type: propertySorter },
);

const required = struct({ name: 'clusterSelectorTerms', whenEmpty: null, type: { of: term } });

const preferred = struct({ name: 'weight', whenEmpty: 0 }, { name: 'preference', whenEmpty: {}, type: term });

const clusterAffinity = struct(
  { name: 'requiredDuringSchedulingIgnoredDuringExecution', type: required },
  { name: 'preferredDuringSchedulingIgnoredDuringExecution', type: { of: preferred } },
);

const spreadConstraint = struct(
  { name: 'maxSkew' },
  { name: 'topologyKey', whenEmpty: '' },
  { name: 'whenUnsatisfiable' },
);

const toleration = struct({ name: 'key' }, { name: 'operator' }, { name: 'value' }, { name: 'effect' });

const policyStruct = struct(
  { name: 'placementType' },
  { name: 'clusterNames' },
  { name: 'affinity', type: struct({ name: 'clusterAffinity', type: clusterAffinity }) },
  { name: 'topologySpreadConstraints', type: { of: spreadConstraint } },
  { name: 'tolerations', type: { of: toleration } },
);

function struct(...fields: readonly GoField[]): GoStruct {
  return { fields };
}

/** As `spec.policyHash` has it: the hexadecimal digits in base64. An absent policy has a hash, too. */
export function policyHashOf(policy: PlacementPolicy | undefined): string {
  return Buffer.from(goHash(policy ?? null, policyStruct)).toString('base64');
}
