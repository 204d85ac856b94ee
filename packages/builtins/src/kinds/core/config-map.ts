import {
  forbidden,
  invalid,
  configMapKeyProblems,
  nameIsDnsSubdomain,
  tooLong,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { exceedsLimit, maxPayloadBytes, sameStrings, type StringMap } from './payload-size.ts';

interface ConfigMap {
  readonly immutable?: boolean;
  readonly data?: StringMap;
  readonly binaryData?: StringMap;
}

export const configMapKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  nameRule: nameIsDnsSubdomain,
  validate: (object) => validateConfigMap(configMapOf(object)),
  validateUpdate(object, old) {
    const now = configMapOf(object);
    return [...validateImmutable(now, configMapOf(old)), ...validateConfigMap(now)];
  },
  columns: {
    definitions: [nameColumn, column('Data', 'string', 'How many keys the map holds.'), ageColumn],
    cells(object, now) {
      const { data = {}, binaryData = {} } = configMapOf(object);
      const keys = Object.keys(data).length + Object.keys(binaryData).length;
      return [object.metadata.name ?? '', keys, age(object, now)];
    },
  },
};

function configMapOf(object: KubeObject): ConfigMap {
  return object as KubeObject & ConfigMap;
}

function validateConfigMap({ data, binaryData }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in data) {
    for (const message of configMapKeyProblems(key)) errors.push(invalid(`data[${key}]`, key, message));
    if (binaryData !== undefined && Object.hasOwn(binaryData, key)) {
      errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
  }
  for (const key in binaryData) {
    for (const message of configMapKeyProblems(key)) errors.push(invalid(`binaryData[${key}]`, key, message));
  }
  if (exceedsLimit(maxPayloadBytes, data, binaryData)) errors.push(tooLong('[]', maxPayloadBytes));
  return errors;
}

function validateImmutable(now: ConfigMap, old: ConfigMap): FieldError[] {
  if (old.immutable !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  const errors: FieldError[] = [];
  if (now.immutable !== true) errors.push(forbidden('immutable', detail));
  if (!sameStrings(now.data, old.data)) errors.push(forbidden('data', detail));
  if (!sameStrings(now.binaryData, old.binaryData)) errors.push(forbidden('binaryData', detail));
  return errors;
}
