/** Every parser, patch and kind, each with a suitable generator of inputs. */
import {
  allKinds,
  decodeProtobuf,
  decodeTyped,
  emptyObject,
  encodeProtobuf,
  mergeTypeOf,
  patchSchemaOf,
  ProtobufError,
  typeOfKind,
  type KindBehavior,
  type StructType,
} from '@flotilla/builtins';
import {
  ApiError,
  apiVersionOf,
  applyConfiguration,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  canonicalMicroTime,
  canonicalQuantity,
  canonicalTime,
  decodeJsonPatch,
  decodeMergePatch,
  decodeStrategicMergePatch,
  formatGoDuration,
  goJson,
  goPrint,
  JsonError,
  labelValueProblems,
  managerName,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  parseCidr,
  parseFieldSelector,
  parseGoDuration,
  parseIp,
  parseJson,
  parseLabelSelector,
  parseQuantity,
  parseYaml,
  PatchError,
  printYaml,
  qualifiedNameProblems,
  quote,
  SelectorError,
  stringifyJson,
  updateManagedFields,
  validateObjectMeta,
  YamlError,
  yamlText,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type ManagedKind,
} from '@flotilla/kube';
import { TimeError } from '../../packages/kube/src/go/time.ts';
import { nameIsDns1035Label } from '../../packages/kube/src/names/object-name.ts';
import { QuantityError } from '../../packages/kube/src/scalars/quantity.ts';
import { mutatedBytes, textOf, type Chance } from './chance.ts';
import { randomJson, randomObject, randomOfType } from './random-values.ts';
import type { Target } from './fuzz.ts';

const now = new Date('2026-01-02T03:04:05Z');

function mayThrow(...classes: readonly (abstract new (...args: never) => Error)[]): Target['isExpected'] {
  return (error) => classes.some((expected) => error instanceof expected);
}

/** A target that parses a language with these tokens. */
function reader(
  name: string,
  words: readonly string[],
  read: (text: string) => unknown,
  isExpected: Target['isExpected'] = mayThrow(),
): Target {
  return {
    name,
    isExpected,
    feed: (chance, note) => {
      const text = textOf(chance, words);
      note(text);
      read(text);
    },
  };
}

const jsonWords = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"a"',
  '"',
  'true',
  'null',
  '1',
  '-',
  '.5',
  'e9',
  '\\u00',
  '{"a":',
  '[1,',
];
const yamlWords = [
  'a: ',
  '- ',
  '\n',
  '  ',
  '&a ',
  '*a',
  '{',
  '}',
  '[',
  ']',
  ',',
  '|',
  '>',
  '"',
  "'",
  '#',
  '!!str ',
  '---\n',
  '? ',
  '<<: ',
  '%',
  '\t',
  '0x1f',
  '~',
  '.inf',
  '2020-01-01',
];
const selectorWords = [
  'a',
  'b/c',
  ' ',
  'in',
  'notin',
  '(',
  ')',
  ',',
  '=',
  '==',
  '!=',
  '!',
  '<',
  '>',
  'exists',
  '5',
  '\\',
];
const nameWords = ['a', 'B', '1', '-', '.', '_', '/', 'example.com', 'x'.repeat(63)];

const readers: readonly Target[] = [
  reader(
    'JSON',
    jsonWords,
    (text) => {
      const { value } = parseJson(text);
      const printed = stringifyJson(value);
      if (stringifyJson(parseJson(printed).value) !== printed)
        throw new Error('the printed text parses to another value');
    },
    mayThrow(JsonError),
  ),
  reader('YAML', yamlWords, (text) => printYaml(parseYaml(text).value), mayThrow(YamlError, JsonError)),
  reader(
    'YAML bytes',
    yamlWords,
    (text) => parseYaml(yamlText(Buffer.from(text, 'latin1'))),
    mayThrow(YamlError, JsonError),
  ),
  reader(
    'quantities',
    ['1', '0', '.', '-', '+', 'm', 'Ki', 'Gi', 'k', 'E', 'e', '9'.repeat(20)],
    (text) => {
      canonicalQuantity(text);
      parseQuantity(text).toString();
    },
    mayThrow(QuantityError),
  ),
  reader(
    'durations',
    ['1', 'h', 'm', 's', 'ms', 'µs', '.', '-', '9'.repeat(20)],
    (text) => formatGoDuration(parseGoDuration(text)),
    (error) => error instanceof Error && error.message.startsWith('time: '),
  ),
  reader(
    'times',
    ['2020', '-', '01', 'T', ':', '00', 'Z', '.5', '+01:00', '9999'],
    (text) => {
      canonicalTime(text);
      canonicalMicroTime(text);
    },
    mayThrow(TimeError),
  ),
  reader(
    'label selectors',
    selectorWords,
    (text) => parseLabelSelector(text).matches({ a: 'b' }),
    mayThrow(SelectorError),
  ),
  reader(
    'field selectors',
    selectorWords,
    (text) => parseFieldSelector(text).matches(() => 'a'),
    mayThrow(SelectorError),
  ),
  reader('names', nameWords, (text) => {
    qualifiedNameProblems(text);
    labelValueProblems(text);
    for (const rule of [nameIsDnsSubdomain, nameIsDns1035Label, nameIsPathSegment]) rule(text, false);
    managerName('', text);
  }),
  reader('addresses', ['10', '.', ':', '/', '8', 'ffff', '::', '0', '%eth0', '255'], (text) => {
    parseIp(text);
    parseCidr(text);
  }),
  reader('Go quoting', ['a', '"', '\\', '\n', '\u0080', '<', '&'], (text) => {
    quote(text);
    goPrint([text, { [text]: text }]);
    goJson({ [text]: text });
  }),
];

/** Kinds in the field table. */
const kinds: readonly { readonly behavior: KindBehavior; readonly type: StructType }[] = allKinds.flatMap(
  (behavior) => {
    const type = typeOfKind(behavior);
    return type ? [{ behavior, type }] : [];
  },
);

interface Subject {
  readonly behavior: KindBehavior;
  readonly type: StructType;
}

function randomOf(chance: Chance, { behavior, type }: Subject): KubeObject {
  const value = randomOfType(chance, type) as JsonObject;
  const { object } = decodeTyped(type, typeof value === 'object' ? value : {});
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  const { kind } = behavior;
  return { kind, apiVersion: apiVersionOf(behavior), metadata: (metadata ?? {}) as KubeObject['metadata'], ...rest };
}

const patches: readonly Target[] = [
  {
    name: 'JSON patches',
    isExpected: mayThrow(PatchError),
    feed: (chance, note) => {
      const document = randomObject(chance, () => randomJson(chance));
      const patch = chance.list(8, () => randomOperation(chance));
      note({ document, patch });
      applyJsonPatch(document, decodeJsonPatch(patch, chance.oneIn(2)));
    },
  },
  {
    name: 'merge patches',
    isExpected: mayThrow(PatchError),
    feed: (chance, note) => {
      const document = randomJson(chance);
      const patch = randomJson(chance);
      note({ document, patch });
      applyMergePatch(document, decodeMergePatch(patch, chance.oneIn(2)));
    },
  },
  {
    name: 'strategic patches',
    isExpected: mayThrow(PatchError),
    feed: (chance, note) => {
      const subject = chance.of(kinds);
      const document = randomOf(chance, subject);
      const patch = withDirectives(chance, randomOfType(chance, subject.type));
      note({ kind: subject.behavior.kind, document, patch });
      applyStrategicMergePatch(document, decodeStrategicMergePatch(patch), patchSchemaOf(subject.type));
    },
  },
];

function randomOperation(chance: Chance): JsonValue {
  if (chance.oneIn(15)) return randomJson(chance, 1);
  const path = (): string => textOf(chance, ['/a', '/b', '/metadata', '/0', '/-', '/name', '/labels']);
  return {
    op: chance.of(['add', 'remove', 'replace', 'move', 'copy', 'test', 'frob']),
    path: path(),
    ...(chance.oneIn(2) && { from: path() }),
    ...(!chance.oneIn(4) && { value: randomJson(chance, 2) }),
  };
}

/** Inserts directives of strategic merge patch. */
function withDirectives(chance: Chance, value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const elements = value.map((element) => withDirectives(chance, element));
    return chance.oneIn(6) ? [...elements, { $patch: chance.of(['replace', 'delete', 'merge', 'x']) }] : elements;
  }
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    Object.defineProperty(result, key, {
      value: member === undefined ? null : withDirectives(chance, member),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    if (chance.oneIn(12)) result[`$setElementOrder/${key}`] = randomJson(chance, 2);
    if (chance.oneIn(12)) result[`$deleteFromPrimitiveList/${key}`] = randomJson(chance, 2);
  }
  if (chance.oneIn(12)) result['$patch'] = chance.of(['replace', 'delete', 'merge', 5]);
  if (chance.oneIn(12)) result['$retainKeys'] = randomJson(chance, 1);
  return result;
}

function managedKind({ behavior, type }: Subject): ManagedKind {
  const apiVersion = apiVersionOf(behavior);
  return {
    apiVersion,
    kind: behavior.kind,
    blank: { kind: behavior.kind, apiVersion, ...emptyObject(type) },
    typeOf: (asked) => (asked === apiVersion ? mergeTypeOf(type) : undefined),
  };
}

const fieldKeys = [
  'f:metadata',
  'f:spec',
  'f:data',
  'f:a',
  '.',
  'k:{"name":"a"}',
  'k:{"containerPort":80,"protocol":"TCP"}',
  'v:"a"',
  'i:0',
  'q:x',
];

function randomFields(chance: Chance, depth: number): JsonObject {
  return randomObject(chance, () => (depth > 0 ? randomFields(chance, depth - 1) : {}), fieldKeys);
}

function withManagedFields(chance: Chance, object: KubeObject): KubeObject {
  const managedFields = chance.list(3, () => ({
    manager: chance.of(['a', 'b', '']),
    operation: chance.of(['Apply', 'Update', 'Update', 'X']),
    apiVersion: chance.oneIn(8) ? 'v0' : object.apiVersion,
    time: '2020-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: randomFields(chance, 4),
  })) as unknown as NonNullable<KubeObject['metadata']['managedFields']>;
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

const ownership: readonly Target[] = [
  {
    name: 'managed fields',
    isExpected: mayThrow(),
    feed: (chance, note) => {
      const subject = chance.of(kinds);
      const live = chance.oneIn(3) ? undefined : withManagedFields(chance, randomOf(chance, subject));
      const object = withManagedFields(chance, randomOf(chance, subject));
      note({ live, object });
      updateManagedFields({ kind: managedKind(subject), live, object, manager: 'c', now });
    },
  },
  {
    name: 'server-side apply',
    isExpected: mayThrow(ApiError),
    feed: (chance, note) => {
      const subject = chance.of(kinds);
      const live = chance.oneIn(3) ? undefined : withManagedFields(chance, randomOf(chance, subject));
      const config = chance.oneIn(3)
        ? (randomObject(chance, () => randomJson(chance)) as KubeObject)
        : randomOf(chance, subject);
      note({ live, config });
      applyConfiguration({ kind: managedKind(subject), live, config, manager: 'c', force: chance.oneIn(2), now });
    },
  },
];

/** All that a server does with an object of a kind, from decoding to the response. */
function live({ behavior }: Subject, object: KubeObject, old: KubeObject): void {
  const context = { now, user: 'fuzz', groups: [] };
  behavior.setDefaults?.(object);
  behavior.setDefaults?.(old);
  behavior.prepareForCreate?.(old, context);
  behavior.prepareForUpdate?.(object, old, context);
  validateObjectMeta(object.metadata, { isNamespaced: true, nameRule: behavior.nameRule ?? nameIsDnsSubdomain });
  behavior.validate?.(object, context);
  behavior.validateUpdate?.(object, old, context);
  behavior.warnings?.(object, old);
  behavior.selectableFields?.(object);
  behavior.columns?.cells(object, now);
  for (const subresource of Object.values(behavior.subresources ?? {})) {
    subresource.prepareForUpdate(object, old, context);
    subresource.validateUpdate?.(object, old, context);
  }
}

const objects: readonly Target[] = [
  {
    name: 'kinds',
    isExpected: mayThrow(),
    feed: (chance, note) => {
      const subject = chance.of(kinds);
      const object = randomOf(chance, subject);
      const old = randomOf(chance, subject);
      note({ object: structuredClone(object), old: structuredClone(old) });
      live(subject, object, old);
    },
  },
  {
    name: 'protobuf',
    isExpected: mayThrow(ProtobufError),
    feed: (chance, note) => {
      const subject = chance.of(kinds);
      const object = randomOf(chance, subject);
      note(object);
      const bytes = encodeProtobuf(object);
      const damaged = mutatedBytes(chance, bytes);
      note(Buffer.from(damaged).toString('hex'));
      const decoded = decodeProtobuf(damaged, subject.type);
      const { object: read } = decodeTyped(subject.type, decoded.object);
      stringifyJson(read);
    },
  },
];

export const pureTargets: readonly Target[] = [...readers, ...patches, ...ownership, ...objects];
