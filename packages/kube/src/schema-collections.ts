/**
 * Keywords of JSONSchemaProps (`apiextensions.k8s.io/v1`) that hold a list or a map. Kubernetes' validation distinguishes an
 * empty one from an absent one; its encoding omits both.
 */
export const schemaCollectionKeywords = [
  'enum',
  'required',
  'allOf',
  'anyOf',
  'oneOf',
  'properties',
  'patternProperties',
  'dependencies',
  'definitions',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-validations',
] as const;
