import {
  goJson,
  invalid,
  isJsonObject,
  nameIsDnsSubdomain,
  required,
  type FieldError,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import type { Int64 } from '../core-pods/pod-fields.ts';
import { checkNotNegative } from '../core-pods/pod-validation/checks.ts';

interface ControllerRevisionFields extends KubeObject {
  data?: JsonValue;
  revision?: Int64;
}

export const controllerRevisionKind: KindBehavior = {
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  validate(object) {
    const { data, revision } = object as ControllerRevisionFields;
    const errors: FieldError[] = [];
    checkNotNegative(errors, 'revision', revision);
    if (data === undefined || data === null) errors.push(required('data', 'data is mandatory'));
    else if (!isJsonObject(data)) errors.push(required('data', 'data must be a valid JSON object'));
    return errors;
  },
  validateUpdate(object, old) {
    const { data, revision } = object as ControllerRevisionFields;
    const errors: FieldError[] = [];
    checkNotNegative(errors, 'revision', revision);
    if (textOf(data) !== textOf((old as ControllerRevisionFields).data)) {
      errors.push(invalid('data', isJsonObject(data) ? data : {}, 'field is immutable'));
    }
    return errors;
  },
  nameRule: nameIsDnsSubdomain,
  columns: {
    definitions: [
      nameColumn,
      column('Controller', 'string', 'The controller of the revision.'),
      column('Revision', 'string', 'The number of the revision.'),
      ageColumn,
    ],
    cells(object, now) {
      const { metadata, revision = 0 } = object as ControllerRevisionFields;
      return [metadata.name ?? '', controllerOf(object), revision, age(object, now)];
    },
  },
};

/** Go compares the bytes. This compares a canonical form of them, so escapes and spaces do not count. */
function textOf(data: JsonValue | undefined): string {
  return goJson(data ?? null, { sortKeys: false });
}

/** `statefulset.apps/web` */
function controllerOf({ metadata }: KubeObject): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const slash = owner.apiVersion.indexOf('/');
  const kind = owner.kind.toLowerCase();
  return slash === -1 ? `${kind}/${owner.name}` : `${kind}.${owner.apiVersion.slice(0, slash)}/${owner.name}`;
}
