import { difference, setOfPaths, type FieldSet } from './field-set.ts';
import { fieldPath } from './path-element.ts';

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
