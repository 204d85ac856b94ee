/** Objects that are one wide map, or one long text, in every format and by every verb. */
import { encodeProtobuf } from '@flotilla/builtins';
import { apply, dryRun, get, json, keyed, patch, post, put, remove, text, times, types } from './heavy-request.ts';
import type { HeavyRequest } from './heavy-request.ts';

const path = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const name = 'heavy';
const target = `${path}/${name}`;

type Fields = Record<string, unknown>;

function configMap(fields: Fields, metadata: Fields = {}): Fields & { apiVersion: string; kind: string } {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, ...fields };
}

/** With the managed fields of each key, an object of 1.3 MB, just below the limit of the store. */
const keys = 40_000;
const fullMap = (): Fields => configMap({ data: keyed(keys, () => 'v') });
const stored = { prepare: [post(path, fullMap)], cleanup: [remove(target)] };
const small = { prepare: [post(path, () => configMap({ data: { k: 'v' } }))], cleanup: [remove(target)] };
const applied = { prepare: [apply(target, fullMap)], cleanup: [remove(target)] };

const megabytes = (count: number): number => count * 1_000_000;

function yamlMap(lines: readonly string[]): () => Uint8Array {
  return () => Buffer.from(`apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n${lines.join('')}`);
}

export const configMapRequests: readonly HeavyRequest[] = [
  { name: 'create a ConfigMap of 40,000 keys', ...post(path, fullMap), status: 201, cleanup: [remove(target)] },
  {
    name: 'create a ConfigMap of 150,000 keys in a dry run',
    ...post(path + dryRun, () => configMap({ data: keyed(150_000, () => 'v') })),
    status: 201,
  },
  {
    name: 'apply a ConfigMap of 60,000 keys in a dry run',
    ...apply(target, () => configMap({ data: keyed(60_000, () => 'v') }), 'one', '&dryRun=All'),
    status: 201,
  },
  {
    name: 'create a ConfigMap of one text of 2.9 MB in a dry run',
    ...post(path + dryRun, () => configMap({ data: { k: 'x'.repeat(megabytes(2.9)) } })),
    status: 422,
  },
  {
    name: 'create a ConfigMap of 1 MB of line breaks and quotes',
    ...post(path, () => configMap({ data: { k: '"\n'.repeat(500_000) } })),
    status: 201,
    cleanup: [remove(target)],
  },
  {
    name: 'create a ConfigMap of 1 MB of binary data in a dry run',
    ...post(path + dryRun, () => configMap({ binaryData: { k: Buffer.alloc(megabytes(1)).toString('base64') } })),
    status: 201,
  },
  {
    name: 'create a ConfigMap of 100,000 invalid keys',
    ...post(path, () => configMap({ data: keyed(100_000, () => 'v', 'not a key ') })),
    status: 422,
  },
  {
    name: 'create a ConfigMap with 150,000 unknown fields, strictly',
    ...post(`${path}?fieldValidation=Strict`, () => configMap(keyed(150_000, () => 1, 'unknown'))),
    status: 400,
  },
  {
    name: 'create a ConfigMap with 150,000 unknown fields, with warnings',
    ...post(`${path}?fieldValidation=Warn&dryRun=All`, () => configMap(keyed(150_000, () => 1, 'unknown'))),
    status: 201,
  },
  {
    name: 'create a ConfigMap with 100,000 fields that stand twice, strictly',
    method: 'POST',
    path: `${path}?fieldValidation=Strict`,
    contentType: types.json,
    body: () =>
      Buffer.from(
        `{"kind":"ConfigMap","metadata":{"name":"heavy"},"data":{${times(100_000, (i) => `"k${i}":"","k${i}":""`).join()}}}`,
      ),
    status: 400,
  },
  {
    name: 'create a ConfigMap of 150,000 keys from YAML',
    method: 'POST',
    path: path + dryRun,
    contentType: types.yaml,
    body: yamlMap(times(150_000, (index) => `  key-${index}: v\n`)),
    status: 201,
  },
  {
    name: 'create a ConfigMap of 60,000 quoted texts from YAML',
    method: 'POST',
    path: path + dryRun,
    contentType: types.yaml,
    body: yamlMap(times(60_000, (index) => `  "key-${index}": "a \\"text\\" of\\n${index}"\n`)),
    status: 201,
  },
  {
    name: 'create a ConfigMap of 30,000 block texts from YAML',
    method: 'POST',
    path: path + dryRun,
    contentType: types.yaml,
    body: yamlMap(times(30_000, (index) => `  key-${index}: |\n    line one\n    line two\n    line ${index}\n`)),
    status: 201,
  },
  {
    name: 'create a ConfigMap of one block text of 60,000 lines from YAML',
    method: 'POST',
    path: path + dryRun,
    contentType: types.yaml,
    body: yamlMap(['  k: |\n', ...times(60_000, (index) => `    line ${index}\n`)]),
    status: 201,
  },
  {
    name: 'create a ConfigMap of 100,000 keys from YAML in flow style',
    method: 'POST',
    path: path + dryRun,
    contentType: types.yaml,
    body: () =>
      Buffer.from(
        `{kind: ConfigMap, metadata: {name: heavy}, data: {${times(100_000, (i) => `k${i}: v${i}`).join()}}}`,
      ),
    status: 201,
  },
  {
    name: 'create a ConfigMap of 100,000 aliases from YAML',
    method: 'POST',
    path: path + dryRun,
    contentType: types.yaml,
    body: yamlMap(['  k: &v some text\n', ...times(100_000, (index) => `  key-${index}: *v\n`)]),
    status: 201,
  },
  {
    name: 'create a ConfigMap after 100,000 lines of comments in YAML',
    method: 'POST',
    path: path + dryRun,
    contentType: types.yaml,
    body: yamlMap([...times(100_000, (index) => `  # comment ${index}\n`), '  k: v\n']),
    status: 201,
  },
  {
    name: 'create a ConfigMap of 150,000 keys from YAML with the wrong type',
    method: 'POST',
    path: path + dryRun,
    contentType: types.yaml,
    body: yamlMap(times(150_000, (index) => `  key-${index}: ${index}\n`)),
    status: 400,
  },
  {
    name: 'create a ConfigMap of 40,000 keys from protobuf, answered in protobuf',
    method: 'POST',
    path: path + dryRun,
    contentType: types.protobuf,
    accept: types.protobuf,
    body: () => encodeProtobuf(fullMap() as Parameters<typeof encodeProtobuf>[0]),
    status: 201,
  },
  {
    name: 'create a Secret of 40,000 keys',
    ...post(secrets + dryRun, () => ({
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { name },
      data: keyed(40_000, (index) => Buffer.from(`value ${index}`).toString('base64')),
    })),
    status: 201,
  },
  {
    name: 'create a Secret of 40,000 keys that are not base64',
    ...post(secrets, () => ({ kind: 'Secret', apiVersion: 'v1', metadata: { name }, data: keyed(40_000, () => '!') })),
    status: 400,
  },
  {
    name: 'replace all 40,000 keys of a ConfigMap',
    ...put(target, () => configMap({ data: keyed(keys, () => 'v', 'other-') })),
    ...stored,
    status: 200,
  },
  { name: 'replace a ConfigMap of 40,000 keys by itself', ...put(target, fullMap), ...stored, status: 200 },
  {
    name: 'add 40,000 keys by a merge patch',
    ...patch(target, 'merge', () => ({ data: keyed(keys, () => 'v', 'other-') })),
    ...small,
    status: 200,
  },
  {
    name: 'remove 40,000 keys by a merge patch',
    ...patch(target, 'merge', () => ({ data: keyed(keys, () => null) })),
    ...stored,
    status: 200,
  },
  {
    name: 'change one of 40,000 keys',
    ...patch(target, 'merge', () => ({ data: { k: 'w' } })),
    ...stored,
    status: 200,
  },
  {
    name: 'add 40,000 keys by a strategic patch',
    ...patch(target, 'strategic', () => ({ data: keyed(keys, () => 'v', 'other-') })),
    ...small,
    status: 200,
  },
  {
    name: 'give 40,000 keys the wrong type by a strategic patch',
    ...patch(target, 'strategic', () => ({ data: keyed(keys, () => ({ a: 1 }), 'other-') })),
    ...small,
    status: 422,
  },
  {
    name: 'give 40,000 keys the wrong type by a merge patch',
    ...patch(target, 'merge', () => ({ data: keyed(keys, () => ({ a: 1 }), 'other-') })),
    ...small,
    status: 422,
  },
  {
    name: 'retain 40,000 keys by a strategic patch',
    ...patch(target, 'strategic', () => ({ data: { $retainKeys: Object.keys(keyed(keys, () => 0)) } })),
    ...stored,
    status: 200,
  },
  {
    name: 'add 10,000 keys by a JSON patch',
    ...patch(target + dryRun, 'jsonPatch', () =>
      times(10_000, (index) => ({ op: 'add', path: `/data/other-${index}`, value: 'v' })),
    ),
    ...stored,
    status: 200,
  },
  {
    name: 'test and move 10,000 keys by a JSON patch',
    ...patch(target, 'jsonPatch', () =>
      times(5000, (index) => [
        { op: 'test', path: `/data/key-${index}`, value: 'v' },
        { op: 'move', from: `/data/key-${index}`, path: `/data/moved-${index}` },
      ]).flat(),
    ),
    ...stored,
    status: 200,
  },
  {
    name: 'compare 10,000 times by a JSON patch',
    ...patch(target, 'jsonPatch', () => times(10_000, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' }))),
    ...stored,
    status: 200,
  },
  {
    name: 'put 10,000 finalizers at the front of their list by a JSON patch',
    ...patch(`${target}${dryRun}`, 'jsonPatch', () => [
      { op: 'add', path: '/metadata/finalizers', value: [] },
      ...times(9999, (index) => ({ op: 'add', path: '/metadata/finalizers/0', value: `example.com/f${index}` })),
    ]),
    ...small,
    status: 200,
  },
  { name: 'apply a ConfigMap of 40,000 keys', ...apply(target, fullMap), status: 201, cleanup: [remove(target)] },
  { name: 'apply a ConfigMap of 40,000 keys again', ...apply(target, fullMap), ...applied, status: 200 },
  {
    name: 'apply a ConfigMap of 40,000 keys as another manager',
    ...apply(target, fullMap, 'two', '&dryRun=All'),
    ...applied,
    status: 200,
  },
  {
    name: 'apply 40,000 conflicts',
    ...apply(target, () => configMap({ data: keyed(keys, () => 'w') }), 'two'),
    ...applied,
    status: 409,
  },
  {
    name: 'apply 40,000 conflicts by force',
    ...apply(target, () => configMap({ data: keyed(keys, () => 'w') }), 'two', '&force=true&dryRun=All'),
    ...applied,
    status: 200,
  },
  {
    name: 'give up 40,000 keys by apply',
    ...apply(target, () => configMap({ data: {} })),
    ...applied,
    status: 200,
  },
  {
    name: 'apply a ConfigMap of 100,000 keys from YAML',
    method: 'PATCH',
    path: `${target}?fieldManager=one&dryRun=All`,
    contentType: types.apply,
    body: yamlMap(times(100_000, (index) => `  key-${index}: v\n`)),
    status: 201,
  },
  { name: 'read a ConfigMap of 40,000 keys as a Table', ...get(target, types.table), ...stored, status: 200 },
  { name: 'read a ConfigMap of 40,000 keys as YAML', ...get(target, types.yaml), ...stored, status: 200 },
  { name: 'read a ConfigMap of 40,000 keys as protobuf', ...get(target, types.protobuf), ...stored, status: 200 },
  { name: 'read the metadata of a ConfigMap of 40,000 keys', ...get(target, types.partial), ...stored, status: 200 },
  { name: 'read a ConfigMap of 40,000 keys, pretty', ...get(`${target}?pretty=true`), ...stored, status: 200 },
  {
    name: 'create a ConfigMap with 50,000 labels',
    ...post(path + dryRun, () => configMap({}, { labels: keyed(50_000, () => 'v') })),
    status: 201,
  },
  {
    name: 'create a ConfigMap with 50,000 invalid labels',
    ...post(path, () => configMap({}, { labels: keyed(50_000, () => 'not a value', '-') })),
    status: 422,
  },
  {
    name: 'create a ConfigMap with 100,000 annotations',
    ...post(path, () => configMap({}, { annotations: keyed(100_000, () => 'v') })),
    status: 422,
  },
  {
    name: 'create a ConfigMap with 50,000 finalizers',
    ...post(path + dryRun, () => configMap({}, { finalizers: times(50_000, (index) => `example.com/f${index}`) })),
    status: 201,
  },
  {
    name: 'create a ConfigMap with 15,000 owners',
    ...post(path + dryRun, () => configMap({}, { ownerReferences: times(15_000, owner) })),
    status: 201,
  },
  {
    name: 'add 10,000 owners and finalizers by a strategic patch',
    ...patch(`${target}${dryRun}`, 'strategic', () => ({
      metadata: {
        ownerReferences: times(10_000, owner),
        finalizers: times(10_000, (index) => `example.com/f${index}`),
        '$setElementOrder/finalizers': times(10_000, (index) => `example.com/f${index}`),
        '$deleteFromPrimitiveList/finalizers': times(10_000, (index) => `example.com/old${index}`),
      },
    })),
    ...small,
    status: 200,
  },
  {
    name: 'apply 10,000 owners and finalizers',
    ...apply(
      target,
      () =>
        configMap(
          {},
          { ownerReferences: times(10_000, owner), finalizers: times(10_000, (index) => `example.com/f${index}`) },
        ),
      'one',
      '&dryRun=All',
    ),
    status: 201,
  },
  {
    name: 'create a ConfigMap whose managed fields name 100,000 keys',
    ...post(path + dryRun, () => configMap({ data: { k: 'v' } }, { managedFields: [entry(100_000)] })),
    status: 201,
  },
  {
    name: 'create a ConfigMap with 5,000 managers',
    ...post(path + dryRun, () =>
      configMap({ data: { k: 'v' } }, { managedFields: times(5000, (index) => entry(10, `m${index}`)) }),
    ),
    status: 201,
  },
  {
    name: 'create a ConfigMap from a body nested 9,000 levels deep',
    method: 'POST',
    path,
    contentType: types.json,
    body: text(`{"kind":"ConfigMap","metadata":{"name":"heavy"},"x":${'['.repeat(9000)}${']'.repeat(9000)}}`),
    status: 201,
    cleanup: [remove(target)],
  },
  {
    name: 'create a ConfigMap from 700,000 unknown numbers',
    method: 'POST',
    path: path + dryRun,
    contentType: types.json,
    body: json(() => ({ ...configMap({}), x: times(700_000, (index) => index % 1000) })),
    status: 201,
  },
];

function owner(index: number): Fields {
  const uid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  return { apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${index}`, uid };
}

function entry(fields: number, manager = 'm'): Fields {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': keyed(fields, () => ({}), 'f:key-') },
  };
}
