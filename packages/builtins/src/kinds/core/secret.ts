import {
  configMapKeyProblems,
  forbidden,
  invalid,
  isJsonObject,
  JsonError,
  nameIsDnsSubdomain,
  parseJson,
  pushAll,
  required,
  serviceAccountNameKey,
  serviceAccountTokenType,
  setOwn,
  tooLong,
  type FieldError,
  type JsonValue,
  type KubeObject,
  type ObjectMeta,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { exceedsLimit, maxPayloadBytes, sameStrings } from './payload-size.ts';
import { keyPairProblem } from './tls-key-pair.ts';

interface Secret {
  readonly metadata: ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  type?: string;
}

export const secretKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  nameRule: nameIsDnsSubdomain,
  setDefaults(object) {
    const secret = secretOf(object);
    secret.type ||= 'Opaque';
    mergeStringData(secret);
  },
  prepareForUpdate(object, old) {
    const { type } = secretOf(old);
    if (type !== undefined) secretOf(object).type ||= type;
  },
  validate: (object) => validateSecret(secretOf(object)),
  validateUpdate(object, old) {
    const now = secretOf(object);
    return [...validateImmutable(now, secretOf(old)), ...validateSecret(now)];
  },
  warnings(object) {
    const { type, data } = secretOf(object);
    if (type !== 'kubernetes.io/tls') return [];
    const fault = keyPairProblem(bytesOf(data, 'tls.crt'), bytesOf(data, 'tls.key'));
    return fault === undefined ? [] : [fault];
  },
  fieldLabels: ['type'],
  selectableFields: (object) => ({ type: secretOf(object).type ?? '' }),
  columns: {
    definitions: [
      nameColumn,
      column('Type', 'string', 'The type of the secret.'),
      column('Data', 'string', 'How many keys the secret holds.'),
      ageColumn,
    ],
    cells(object, now) {
      const { type = '', data = {} } = secretOf(object);
      return [object.metadata.name ?? '', type, Object.keys(data).length, age(object, now)];
    },
  },
};

function secretOf(object: KubeObject): Secret {
  return object;
}

/** `stringData` sets `data` without base64; it is never stored. */
function mergeStringData(secret: Secret): void {
  const { stringData } = secret;
  if (stringData === undefined) return;
  const data = { ...secret.data };
  for (const [key, text] of Object.entries(stringData)) {
    setOwn(data, key, Buffer.from(text ?? '').toString('base64'));
  }
  if (Object.keys(data).length > 0) secret.data = data;
  delete secret.stringData;
}

function validateSecret(secret: Secret): FieldError[] {
  const { data } = secret;
  const errors: FieldError[] = [];
  for (const key in data) {
    for (const problem of configMapKeyProblems(key)) errors.push(invalid(`data[${key}]`, key, problem));
  }
  if (exceedsLimit(maxPayloadBytes, undefined, data)) errors.push(tooLong('data', maxPayloadBytes));
  pushAll(errors, validateType(secret));
  return errors;
}

function validateType({ type = '', data, metadata: { annotations = {} } }: Secret): FieldError[] {
  switch (type) {
    case serviceAccountTokenType:
      return annotations[serviceAccountNameKey] ? [] : [required(`metadata.annotations[${serviceAccountNameKey}]`)];
    case 'kubernetes.io/dockercfg':
      return validateJson(data, '.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return validateJson(data, '.dockerconfigjson');
    case 'kubernetes.io/basic-auth':
      return has(data, 'username') || has(data, 'password') ? [] : ['username', 'password'].map(requiredKey);
    case 'kubernetes.io/ssh-auth':
      return bytesOf(data, 'ssh-privatekey').length > 0 ? [] : [requiredKey('ssh-privatekey')];
    case 'kubernetes.io/tls':
      return ['tls.crt', 'tls.key'].filter((key) => !has(data, key)).map(requiredKey);
    default:
      return [];
  }
}

function validateJson(data: Secret['data'], key: string): FieldError[] {
  if (!has(data, key)) return [requiredKey(key)];
  const fault = jsonObjectProblem(bytesOf(data, key).toString());
  return fault === undefined ? [] : [invalid(`data[${key}]`, '<secret contents redacted>', fault)];
}

/** Go's message if the text is not a JSON object. */
function jsonObjectProblem(text: string): string | undefined {
  try {
    const { value } = parseJson(text);
    if (value === null || isJsonObject(value)) return undefined;
    return `json: cannot unmarshal ${goKindOf(value)} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
}

function goKindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'number';
}

function validateImmutable(now: Secret, old: Secret): FieldError[] {
  const errors: FieldError[] = [];
  if (now.type !== old.type) errors.push(invalid('type', now.type, 'field is immutable'));
  if (old.immutable !== true) return errors;
  const detail = 'field is immutable when `immutable` is set';
  if (now.immutable !== true) errors.push(forbidden('immutable', detail));
  if (!sameStrings(now.data, old.data)) errors.push(forbidden('data', detail));
  return errors;
}

function requiredKey(key: string): FieldError {
  return required(`data[${key}]`);
}

function has(data: Secret['data'], key: string): boolean {
  return data !== undefined && Object.hasOwn(data, key);
}

function bytesOf(data: Secret['data'], key: string): Buffer {
  return Buffer.from((has(data, key) ? data?.[key] : undefined) ?? '', 'base64');
}
