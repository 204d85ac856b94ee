import type { Field, StructType } from '../table/struct-type.ts';

/**
 * Lists and maps of which Kubernetes' own checks tell an empty one from none, by struct and field. The store knows no such difference, so
 * their kinds refuse an empty one or turn it into none.
 */
const fields: ReadonlySet<string> = new Set([
  // No policies at all means the default ones; an empty list is an error.
  'autoscaling/v2 HPAScalingRules.policies',
  // Errors print these as they were given.
  'batch/v1 PodFailurePolicyOnExitCodesRequirement.values',
  'resource.k8s.io/v1 DeviceClaim.requests',
  'v1 PodSpec.containers',
  ...[
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
  ].map((keyword) => `apiextensions.k8s.io/v1 JSONSchemaProps.${keyword}`),
]);

export function isKeptEmpty({ apiVersion, name }: StructType, field: Field): boolean {
  return fields.has(`${apiVersion} ${name}.${field.name}`);
}
