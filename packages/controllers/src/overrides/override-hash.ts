/** The hash of an override, in KubeFleet's format. */
import type { Override } from '@flotilla/api';
import { goHash, type GoStruct } from '../family/go-hash.ts';

const labelSelector: GoStruct = {
  fields: [
    { name: 'matchLabels', type: 'map' },
    {
      name: 'matchExpressions',
      type: {
        of: { fields: [{ name: 'key', whenEmpty: '' }, { name: 'operator', whenEmpty: '' }, { name: 'values' }] },
      },
    },
  ],
};

const propertySelector: GoStruct = {
  fields: [
    {
      name: 'matchExpressions',
      whenEmpty: null,
      type: {
        of: {
          fields: [
            { name: 'name', whenEmpty: '' },
            { name: 'operator', whenEmpty: '' },
            { name: 'values', whenEmpty: null },
          ],
        },
      },
    },
  ],
};

const propertySorter: GoStruct = {
  fields: [
    { name: 'name', whenEmpty: '' },
    { name: 'sortOrder', whenEmpty: '' },
  ],
};

const clusterSelector: GoStruct = {
  fields: [
    {
      name: 'clusterSelectorTerms',
      whenEmpty: null,
      type: {
        of: {
          fields: [
            { name: 'labelSelector', type: labelSelector },
            { name: 'propertySelector', type: propertySelector },
            { name: 'propertySorter', type: propertySorter },
          ],
        },
      },
    },
  ],
};

const jsonPatchOverride: GoStruct = {
  fields: [
    { name: 'op', whenEmpty: '' },
    { name: 'path', whenEmpty: '' },
    { name: 'value', whenEmpty: null },
  ],
};

const policy: GoStruct = {
  fields: [
    {
      name: 'overrideRules',
      whenEmpty: null,
      type: {
        of: {
          fields: [
            { name: 'clusterSelector', type: clusterSelector },
            { name: 'overrideType' },
            { name: 'jsonPatchOverrides', type: { of: jsonPatchOverride } },
          ],
        },
      },
    },
  ],
};

const selectedResource = [
  { name: 'group', whenEmpty: '' },
  { name: 'version', whenEmpty: '' },
  { name: 'kind', whenEmpty: '' },
] as const;

/** Of both kinds: each has the selectors of its own. */
const overrideSpec: GoStruct = {
  fields: [
    { name: 'placement', type: { fields: [{ name: 'name', whenEmpty: '' }, { name: 'scope' }] } },
    {
      name: 'clusterResourceSelectors',
      type: {
        of: {
          fields: [
            ...selectedResource,
            { name: 'name' },
            { name: 'labelSelector', type: labelSelector },
            { name: 'selectionScope' },
          ],
        },
      },
    },
    { name: 'resourceSelectors', type: { of: { fields: [...selectedResource, { name: 'name', whenEmpty: '' }] } } },
    { name: 'policy', whenEmpty: null, type: policy },
  ],
};

/** As `overrideHash` of a snapshot has it: Go prints bytes in base64, and these are the bytes of hexadecimal digits. */
export function overrideHash(spec: Override['spec']): string {
  return Buffer.from(goHash(spec, overrideSpec)).toString('base64');
}
