/** Which fields an endpoint may write. The others are reset by it, so a manager that goes through it never owns them. */
import { difference, recursiveDifference, setOfPaths, type FieldSet } from './field-set.ts';
import { fieldPath } from './path-element.ts';

export type FieldFilter = (set: FieldSet) => FieldSet;

/** Everything but these fields and what is below them: `[['status']]`. */
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

/** Without the fields that say which object it is and that the server keeps: they are nobody's. */
export function withoutMetaFields(set: FieldSet): FieldSet {
  return difference(set, unowned);
}
