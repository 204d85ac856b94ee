/** The fields that an endpoint writes. It resets all others, so its managers never own them. */
import { difference, recursiveDifference, setOfPaths, type FieldSet } from './field-set.ts';
import { fieldPath } from './path-element.ts';

export type FieldFilter = (set: FieldSet) => FieldSet;

/** All but these fields and what is below them: `[['status']]`. */
export function exceptFields(paths: readonly (readonly string[])[]): FieldFilter {
  const excluded = setOfPaths(paths.map((path) => fieldPath(...path)));
  return (set) => recursiveDifference(set, excluded);
}

const unowned = setOfPaths([
  fieldPath('apiVersion'),
  fieldPath('kind'),
  fieldPath('metadata'),
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => fieldPath('metadata', name)),
]);

/** Removes fields without owners: those that identify the object, and those that the server maintains. */
export function withoutMetaFields(set: FieldSet): FieldSet {
  return difference(set, unowned);
}
