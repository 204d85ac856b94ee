import type { KindBehavior } from '@flotilla/builtins';
import type { KubeObject } from '@flotilla/kube';
import {
  definitionWarnings,
  dropEmptyKeywords,
  prepareForCreate,
  prepareForStatusUpdate,
  prepareForUpdate,
  setDefinitionDefaults,
  validateDefinition,
  validateDefinitionStatusUpdate,
  validateDefinitionUpdate,
  type CustomResourceDefinition,
} from '@flotilla/schema';
import { readMetadata } from './object-meta.ts';

export const definitionGroupKind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };

export const definitionCollection = 'customresourcedefinitions.apiextensions.k8s.io';

/** Safe, because decoding has checked the types. */
export function definitionOf(object: KubeObject): CustomResourceDefinition {
  return object as unknown as CustomResourceDefinition;
}

export const definitionKind: KindBehavior = {
  ...definitionGroupKind,
  checksMetadata: true,
  requiresResourceVersion: true,
  setDefaults: (object) => setDefinitionDefaults(definitionOf(object)),
  prepareForCreate: (object) => prepareForCreate(definitionOf(object)),
  prepareForUpdate: (object, old) => prepareForUpdate(definitionOf(object), definitionOf(old)),
  validate: (object) => validateDefinition(definitionOf(object), { readMetadata }),
  canonicalize: (object) => dropEmptyKeywords(definitionOf(object)),
  validateUpdate: (object, old) => {
    const errors = validateDefinitionUpdate(definitionOf(object), definitionOf(old), { readMetadata });
    // Not before validation, which counts them.
    dropEmptyKeywords(definitionOf(object));
    return errors;
  },
  warnings: (object, old) => definitionWarnings(definitionOf(object), old && definitionOf(old)),
  resetFields: [['status']],
  subresources: {
    status: {
      prepareForUpdate: (object, old) => prepareForStatusUpdate(definitionOf(object), definitionOf(old)),
      validateUpdate: (object, old) => validateDefinitionStatusUpdate(definitionOf(object), definitionOf(old)),
      resetFields: [['spec']],
    },
  },
};
