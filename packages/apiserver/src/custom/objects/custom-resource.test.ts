import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { define, definitionsPath, scalable, until, v1, versionOf, widgets } from '../widgets.testing.ts';

const path = '/apis/example.com/v1/namespaces/default/widgets';
const older = '/apis/example.com/v1beta1/namespaces/default/widgets';
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

function widget(name: string, more: JsonObject = {}, apiVersion = 'example.com/v1'): JsonObject {
  return { apiVersion, kind: 'Widget', metadata: { name }, ...more };
}

const selectable = { selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }] };
const beta = versionOf('v1beta1', { size: { type: 'integer' } }, { deprecated: true });
const definition = widgets({ versions: [v1({ ...scalable, ...selectable }), beta] });

async function started(): Promise<TestServer> {
  const server = await startTestServer();
  await define(server, definition);
  return server;
}

test('numbers beyond double precision are exact in schemas, defaults and objects', async () => {
  const server = await startTestServer();
  const size = { type: 'integer', default: 77 };
  const body = JSON.stringify(widgets({ versions: [versionOf('v1', { size })] })).replace('77', '9007199254740993');
  await server.request('POST', definitionsPath, { body });
  await until(async () => (await server.request('GET', path)).status === 200);
  const made = await server.request('POST', path, { body: widget('a', { spec: {} }) });
  assert.equal(made.status, 201, made.text);
  assert.match(made.text, /"size":9007199254740993/);
});

describe('objects of a definition', () => {
  let server: TestServer;
  before(async () => {
    server = await started();
  });

  test('are written with sorted keys, without unknown fields and with defaults', async () => {
    const body = widget('order', { spec: { zzz: 1, color: 'red' }, status: { replicas: 1 } });
    const { status, text, headers } = await server.request('POST', path, { body });
    assert.equal(status, 201);
    assert.ok(text.startsWith('{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"creationTimestamp":'), text);
    assert.ok(text.endsWith('},"spec":{"color":"red","size":1}}\n'), text);
    assert.deepEqual(headers['warning'], ['299 - "unknown field \\"spec.zzz\\""']);
  });

  test('are refused for unknown fields with strict validation, metadata fields first', async () => {
    const body = { ...widget('strict'), metadata: { name: 'strict', foo: 1 }, spec: { q: 1 }, zz: 1 };
    const { body: refusal } = await server.request('POST', `${path}?fieldValidation=Strict`, { body });
    assert.equal(
      refusal['message'],
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "metadata.foo", unknown field "spec.q", unknown field "zz"',
    );
  });

  const refusals: readonly [what: string, body: JsonObject, code: number, message: string][] = [
    [
      'of another kind',
      { ...widget('b'), kind: 'Foo' },
      422,
      'Foo.example.com "b" is invalid: kind: Invalid value: "Foo": must be Widget',
    ],
    [
      'of another version',
      widget('b', {}, 'example.com/v1beta1'),
      400,
      'the API version in the data (example.com/v1beta1) does not match the expected API version (example.com/v1)',
    ],
    [
      'without apiVersion',
      { kind: 'Widget' },
      400,
      'the API version in the data () does not match the expected API version (example.com/v1)',
    ],
    [
      'without kind',
      { apiVersion: 'example.com/v1' },
      400,
      `the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '{"apiVersion":"example.com/v1"}' ({"apiVersion":"example.com/v1" ...)`,
    ],
    [
      'with a name that is a number',
      { ...widget('b'), metadata: { name: 5 } },
      400,
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
    ],
    [
      'without a name',
      { apiVersion: 'example.com/v1', kind: 'Widget' },
      422,
      'Widget.example.com "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      'with too many replicas to be scaled',
      widget('b', { spec: { size: 3_000_000_000 } }),
      422,
      'Widget.example.com "b" is invalid: .spec.size: Invalid value: 3000000000: should be less than or equal to 2147483647',
    ],
    [
      'with replicas that are not a number',
      widget('b', { spec: 'x' }),
      422,
      'Widget.example.com "b" is invalid: [spec: Invalid value: "string": spec in body must be of type object: "string", .spec.size: Invalid value: 0: .spec.size accessor error: x is of the type string, expected map[string]interface{}]',
    ],
  ];
  for (const [what, body, code, message] of refusals) {
    test(`${what} are refused as Kubernetes does`, async () => {
      const answer = await server.request('POST', path, { body });
      assert.equal(answer.body['message'], message);
      assert.equal(answer.status, code);
    });
  }

  test('cannot be patched strategically', async () => {
    const type = 'application/strategic-merge-patch+json';
    const { status, body } = await server.request('PATCH', `${path}/order`, { body: {}, type });
    assert.equal(status, 415);
    assert.equal(
      body['message'],
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
  });

  test('cannot change their kind by a patch', async () => {
    const { body } = await server.request('PATCH', `${path}/order`, { body: { kind: 'Foo' }, type: merge });
    assert.equal(body['message'], 'Foo.example.com "order" is invalid: kind: Invalid value: "Foo": must be Widget');
  });

  test('cannot get a kind or apiVersion that is missing or not text', async () => {
    const why = async (body: JsonObject): Promise<string> => {
      const answer = await server.request('PATCH', `${path}/order`, { body, type: merge });
      return (answer.body['message'] as string).replace(/^.*}": /, '');
    };
    const wrong = "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field";
    assert.equal(await why({ kind: 5 }), `${wrong} .kind of type string`);
    assert.equal(await why({ apiVersion: 5 }), `${wrong} .apiVersion of type string`);
    assert.match(await why({ kind: null }), /^Object 'Kind' is missing in /);
    assert.match(await why({ apiVersion: null }), /Object 'apiVersion' is missing in/);
  });

  test('are listed in the form of a Go list of maps', async () => {
    const { text } = await server.request('GET', path);
    assert.ok(text.startsWith('{"apiVersion":"example.com/v1","items":[{"apiVersion":'), text);
    assert.match(text, /\],"kind":"WidgetList","metadata":\{"continue":"","resourceVersion":"\d+"\}\}\n$/);
  });

  test('have PartialObjectMetadata in the field order of the Go struct', async () => {
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    const { text } = await server.request('GET', `${path}/order`, { accept });
    assert.ok(
      text.startsWith('{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":'),
      text,
    );
  });

  test('warn of finalizers without a domain', async () => {
    const body = { ...widget('f'), metadata: { name: 'f', finalizers: ['foo', 'a.b', 'x.io/y'] } };
    const { headers } = await server.request('POST', `${path}?dryRun=All`, { body });
    assert.deepEqual(headers['warning'], [
      '299 - "metadata.finalizers: \\"a.b\\": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers"',
      '299 - "metadata.finalizers: \\"foo\\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers"',
    ]);
  });

  test('answer unknown paths with the errors of Kubernetes', async () => {
    const answerOf = async (method: string, target: string): Promise<string> => {
      const { status, text, body } = await server.request(method, target, { body: widget('order') });
      return `${status} ${(body['message'] as string | undefined) ?? text.trim()}`;
    };
    assert.equal(await answerOf('GET', `${path}/order/foo`), '404 widgets.example.com "order" not found');
    assert.equal(
      await answerOf('POST', `${path}/order/status`),
      '405 create is not supported on resources of kind "widgets.example.com"',
    );
    assert.equal(await answerOf('GET', '/apis/example.com/v1/widgets/order'), '404 404 page not found');
    assert.equal(await answerOf('GET', '/apis/example.com/v9/widgets'), '404 404 page not found');
    assert.equal(await answerOf('PUT', path), '400 name must be provided');
  });
});

describe('the status of a custom resource', () => {
  test('is written through its own endpoint, which writes nothing else', async () => {
    const server = await started();
    await server.request('POST', path, { body: widget('a', { spec: { size: 2 } }) });
    const body = { metadata: { labels: { a: 'b' } }, spec: { size: 9 }, status: { replicas: 4 } };
    const changed = await server.request('PATCH', `${path}/a/status`, { body, type: merge });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(changed.body['spec'], { size: 2 });
    assert.deepEqual(changed.body['status'], { replicas: 4 });
    const metadata = changed.body['metadata'] as JsonObject;
    assert.equal(metadata['labels'], undefined);
    assert.equal(metadata['generation'], 1);

    const kept = await server.request('PATCH', `${path}/a`, { body: { status: { replicas: 7 } }, type: merge });
    assert.deepEqual(kept.body['status'], { replicas: 4 });
    assert.equal((kept.body['metadata'] as JsonObject)['generation'], 1);
  });

  test('is not served in a version without it', async () => {
    const server = await started();
    await server.request('POST', path, { body: widget('a') });
    const { status, headers } = await server.request('GET', `${older}/a/status`);
    assert.equal(status, 404);
    assert.deepEqual(headers['warning'], [
      '299 - "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget"',
    ]);
  });
});

describe('the scale of a custom resource', () => {
  test('reads and writes the field that the definition names', async () => {
    const server = await started();
    await server.request('POST', path, { body: widget('a', { spec: { size: 2 } }) });
    const scaled = await server.request('PATCH', `${path}/a/scale`, { body: { spec: { replicas: 5 } }, type: merge });
    assert.deepEqual(scaled.body['spec'], { replicas: 5 });
    assert.equal(scaled.body['kind'], 'Scale');
    const { body } = await server.request('GET', `${path}/a`);
    assert.deepEqual(body['spec'], { size: 5 });
    const { managedFields } = body['metadata'] as { managedFields: JsonObject[] };
    const ofScale = managedFields.find(({ subresource }) => subresource === 'scale');
    assert.deepEqual(ofScale?.['fieldsV1'], { 'f:spec': { 'f:size': {} } });
  });

  test('is refused below zero with an error of the custom resource', async () => {
    const server = await started();
    await server.request('POST', path, { body: widget('a') });
    const { body } = await server.request('PATCH', `${path}/a/scale`, {
      body: { spec: { replicas: -1 } },
      type: merge,
    });
    const why = '.spec.size: Invalid value: -1: should be a non-negative integer';
    assert.equal(body['message'], `Widget.example.com "a" is invalid: ${why}`);
  });

  test('needs a value of that field', async () => {
    const server = await startTestServer();
    await define(server, widgets({ versions: [versionOf('v1', { size: { type: 'integer' } }, scalable)] }));
    await server.request('POST', path, { body: widget('a') });
    const read = await server.request('GET', `${path}/a/scale`);
    const missing = 'Internal error occurred: the spec replicas field ".spec.size" does not exist';
    assert.deepEqual([read.status, read.body['message']], [500, missing]);
    const body = { metadata: { labels: { a: 'b' } } };
    const written = await server.request('PATCH', `${path}/a/scale`, { body, type: merge });
    const empty = 'the spec replicas field ".spec.size" cannot be empty';
    assert.deepEqual([written.status, written.body['message']], [400, empty]);
  });
});

describe('field selectors of custom resources', () => {
  async function names(server: TestServer, selector: string, at = path): Promise<string[]> {
    const { body, text } = await server.request('GET', `${at}?fieldSelector=${encodeURIComponent(selector)}`);
    assert.ok(body['items'], text);
    return (body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
  }

  test('use the selectableFields of the version', async () => {
    const server = await started();
    await server.request('POST', path, { body: widget('red', { spec: { color: 'red' } }) });
    await server.request('POST', path, { body: widget('plain', { spec: {} }) });
    assert.deepEqual(await names(server, 'spec.color=red'), ['red']);
    assert.deepEqual(await names(server, 'spec.color='), ['plain']);
    assert.deepEqual(await names(server, 'spec.size=1,spec.color!=red'), ['plain']);
    const { body } = await server.request('GET', `${older}?fieldSelector=spec.color=red`);
    assert.equal(body['message'], 'field label not supported: spec.color');
  });

  test('find objects that were stored before the fields became selectable', async () => {
    const server = await startTestServer();
    await define(server, widgets());
    await server.request('POST', path, { body: widget('red', { spec: { color: 'red' } }) });
    await server.request('POST', path, { body: widget('plain') });
    const versions = [{ served: true, storage: true, ...v1(selectable) }];
    await server.request('PATCH', `${definitionsPath}/widgets.example.com`, {
      body: { spec: { versions } },
      type: merge,
    });
    await until(async () => (await server.request('GET', `${path}?fieldSelector=spec.color=red`)).status === 200);
    assert.deepEqual(await names(server, 'spec.color=red'), ['red']);
  });
});

describe('versions of a custom resource', () => {
  test('differ in apiVersion and in the fields of their schema', async () => {
    const server = await started();
    await server.request('POST', path, { body: widget('a', { spec: { size: 2, color: 'red' } }) });
    const { body } = await server.request('GET', `${older}/a`);
    assert.equal(body['apiVersion'], 'example.com/v1beta1');
    assert.deepEqual(body['spec'], { size: 2 });
    const listed = await server.request('GET', older);
    assert.deepEqual((listed.body['items'] as JsonObject[])[0]?.['spec'], { size: 2 });
  });

  test('return objects of another version with the defaults of the storage version', async () => {
    const server = await started();
    const body = widget('a', { spec: {} }, 'example.com/v1beta1');
    const created = await server.request('POST', older, { body });
    assert.deepEqual(created.body['spec'], { size: 1 });
    const { body: read } = await server.request('GET', `${path}/a`);
    assert.deepEqual([read['apiVersion'], read['spec']], ['example.com/v1', { size: 1 }]);
  });

  test('have separate watches', async () => {
    const server = await started();
    const watches = await Promise.all([server.watch(`${path}?watch=1`), server.watch(`${older}?watch=1`)]);
    await server.request('POST', path, { body: widget('a') });
    const seen = await Promise.all(watches.map((watch) => watch.events()));
    assert.deepEqual(
      seen.map((events) => events.map(({ object }) => object['apiVersion'])),
      [['example.com/v1'], ['example.com/v1beta1']],
    );
  });

  test('have separate managedFields entries', async () => {
    const server = await started();
    const owned = async (at: string, apiVersion: string, manager: string, spec: JsonObject): Promise<JsonObject> => {
      const body = widget('a', { spec }, apiVersion);
      const answer = await server.request('PATCH', `${at}/a?fieldManager=${manager}`, { body, type: apply });
      assert.ok(answer.status < 300, answer.text);
      return answer.body;
    };
    await owned(older, 'example.com/v1beta1', 'beta', { size: 3 });
    const body = await owned(path, 'example.com/v1', 'stable', { size: 3 });
    const { managedFields } = body['metadata'] as { managedFields: JsonObject[] };
    assert.deepEqual(
      managedFields.map(({ manager, apiVersion, fieldsV1 }) => [manager, apiVersion, fieldsV1]),
      [
        ['stable', 'example.com/v1', { 'f:spec': { 'f:size': {} } }],
        ['beta', 'example.com/v1beta1', { 'f:spec': { 'f:size': {} } }],
      ],
    );
  });
});

test('applying a field that the schema does not know fails', async () => {
  const server = await started();
  const body = widget('a', { spec: { u: 1 } });
  const { status, body: refusal } = await server.request('PATCH', `${path}/a?fieldManager=m`, { body, type: apply });
  assert.equal(status, 500);
  const why =
    'failed to create typed patch object (default/a; example.com/v1, Kind=Widget): .spec.u: field not declared in schema';
  assert.equal(refusal['message'], why.replace('default/a', '/a'));
});

test('an applied null is refused by validation', async () => {
  const server = await started();
  const body = { ...widget('a'), spec: null };
  const { status, body: refusal } = await server.request('PATCH', `${path}/a?fieldManager=m`, { body, type: apply });
  assert.equal(status, 422);
  assert.match(
    refusal['message'] as string,
    /spec: Invalid value: "null": spec in body must be of type object: "null"/,
  );
});
