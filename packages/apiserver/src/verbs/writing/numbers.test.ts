/** Compared with the answers of kube-apiserver v1.36. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startTestServer, type TestServer, type WireAnswer } from '@flotilla/testkit';
import { define, versionOf, widgets } from '../../custom/widgets.testing.ts';

const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
const quotas = '/api/v1/namespaces/default/resourcequotas';
const pods = '/api/v1/namespaces/default/pods';
const applyPatch = 'application/apply-patch+yaml';
const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';

function cpuOf({ body }: WireAnswer): unknown {
  return (body['spec'] as { hard: { cpu: unknown } }).hard.cpu;
}

describe('a quantity that is a number', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await server.request('POST', quotas, { body: { metadata: { name: 'q' }, spec: { hard: { memory: '1' } } } });
  });

  const posted = (number: string): Promise<WireAnswer> =>
    server.request('POST', `${quotas}?dryRun=All`, {
      body: `{"metadata":{"name":"new"},"spec":{"hard":{"cpu":${number}}}}`,
    });
  const patched = (type: string, body: string): Promise<WireAnswer> =>
    server.request('PATCH', `${quotas}/q?dryRun=All&fieldManager=m`, { type, body });

  test('is parsed from its text, however small or large', async () => {
    for (const [number, cpu] of [
      ['1e-3', '1e-3'],
      ['1e-10', '1e-3'],
      ['1.5e-3', '2e-3'],
      ['0.0000001', '1m'],
      ['1e309', '1e309'],
      ['1e400', '10e399'],
      ['9223372036854775808', '9223372036854775808'],
    ] as const) {
      assert.equal(cpuOf(await posted(number)), cpu, number);
    }
  });

  test('keeps its text in JSON patches and merge patches, not in strategic merge patches and applies', async () => {
    for (const [number, text, value] of [
      ['1e3', '1e3', '1k'],
      ['1e-3', '1e-3', '1m'],
      ['9223372036854775808', '9223372036854775808', '9223372036854776k'],
    ] as const) {
      const merge = `{"spec":{"hard":{"cpu":${number}}}}`;
      assert.equal(
        cpuOf(await patched(jsonPatch, `[{"op":"add","path":"/spec/hard/cpu","value":${number}}]`)),
        text,
        number,
      );
      assert.equal(cpuOf(await patched(mergePatch, merge)), text, number);
      assert.equal(cpuOf(await patched(strategicPatch, merge)), value, number);
      const config = `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q"},"spec":{"hard":{"cpu":${number}}}}`;
      assert.equal(cpuOf(await patched(applyPatch, config)), value, number);
    }
  });

  test('is refused in a patch if it overflows a double', async () => {
    const { status, body } = await patched(jsonPatch, '[{"op":"add","path":"/spec/hard/cpu","value":1e309}]');
    assert.deepEqual(
      [status, body['message']],
      [
        400,
        'error decoding patch: json: cannot unmarshal number 1e309 into Go struct field jsonPatchOp.value of type float64',
      ],
    );
  });
});

describe('numbers in raw JSON', () => {
  const numbers = '[1e3,1e-3,1.0,0.10,-0,9223372036854775808,1e21]';
  const dataOf = ({ text }: WireAnswer): string | undefined => /"data":(\{[^}]*\})/.exec(text)?.[1];

  test('keep their spelling in responses and in the store, and immutability compares the spelling', async () => {
    const server = await startTestServer();
    const body = `{"metadata":{"name":"r"},"revision":1,"data":{"a":${numbers}}}`;
    const data = `{"a":${numbers}}`;
    const at = `${revisions}/r`;
    assert.equal(dataOf(await server.request('POST', revisions, { body })), data);
    assert.equal(dataOf(await server.request('GET', at)), data);
    assert.equal(dataOf(await server.request('PUT', at, { body })), data);
    const labels = '{"metadata":{"labels":{"a":"b"}}}';
    assert.equal(dataOf(await server.request('PATCH', at, { type: mergePatch, body: labels })), data);
    const { status, body: refusal } = await server.request('PATCH', at, { type: strategicPatch, body: labels });
    assert.equal(status, 422);
    assert.match(
      refusal['message'] as string,
      /data: Invalid value: \{"a":\[1000,0\.001,1,0\.1,0,9223372036854776000,1e\+21\]\}: field is immutable$/,
    );
    const other = body.replace('1e-3', '0.001');
    assert.equal((await server.request('PUT', at, { body: other })).status, 422);
  });

  test('are refused if they overflow a double', async () => {
    const server = await startTestServer();
    const body = '{"metadata":{"name":"r"},"revision":1,"data":{"a":1e309}}';
    assert.equal((await server.request('POST', revisions, { body })).status, 400);
  });
});

describe('the test operation of a JSON patch', () => {
  let server: TestServer;
  const testStatus = async (path: string, at: string, value: string): Promise<number> =>
    (
      await server.request('PATCH', path, {
        type: jsonPatch,
        body: `[{"op":"test","path":"${at}","value":${value}}]`,
      })
    ).status;

  before(async () => {
    server = await startTestServer();
  });

  test('compares a number of a built-in kind by its text', async () => {
    await server.request('POST', revisions, { body: '{"metadata":{"name":"t"},"data":{"a":1e-1,"b":-0}}' });
    for (const [at, value, status] of [
      ['/data/a', '1e-1', 200],
      ['/data/a', '0.1', 422],
      ['/data/b', '-0', 200],
      ['/data/b', '0', 422],
      ['/revision', '-0', 422],
    ] as const) {
      assert.equal(await testStatus(`${revisions}/t`, at, value), status, `${at} ${value}`);
    }
  });

  test('compares a number of a custom resource by its stored text', async () => {
    await define(server, widgets({ versions: [versionOf('v1', { n: { type: 'number' }, i: { type: 'integer' } })] }));
    const path = '/apis/example.com/v1/namespaces/default/widgets';
    const body = '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"n":1e-1,"i":-0}}';
    assert.equal((await server.request('POST', path, { body })).status, 201);
    for (const [at, value, status] of [
      ['/spec/n', '1e-1', 422],
      ['/spec/n', '0.1', 200],
      ['/spec/n', '0.10', 422],
      ['/spec/i', '-0', 422],
      ['/spec/i', '0', 200],
      ['/spec/i', '0.0', 422],
    ] as const) {
      assert.equal(await testStatus(`${path}/w`, at, value), status, `${at} ${value}`);
    }
    const added = await server.request('PATCH', `${path}/w`, {
      type: jsonPatch,
      body: '[{"op":"add","path":"/spec/n","value":1e-2},{"op":"add","path":"/spec/i","value":-0}]',
    });
    assert.match(added.text, /"spec":\{"i":0,"n":0\.01\}/);
  });
});

describe('an applied integer', () => {
  const grace = async (number: string): Promise<unknown> => {
    const server = await startTestServer();
    const body = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"terminationGracePeriodSeconds":${number},"containers":[{"name":"a","image":"b"}]}}`;
    const answer = await server.request('PATCH', `${pods}/p?fieldManager=m`, { type: applyPatch, body });
    return (answer.body['spec'] as { terminationGracePeriodSeconds: unknown }).terminationGracePeriodSeconds;
  };

  test('becomes the smallest int64 if it overflows', async () => {
    assert.equal(await grace('9223372036854775808'), 1);
    assert.equal(await grace('30'), 30);
  });

  test('is truncated to the width of its field', async () => {
    const server = await startTestServer();
    const body =
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"a","image":"b","ports":[{"containerPort":4294967376}]}]}}';
    const { status, text } = await server.request('PATCH', `${pods}/p?fieldManager=m`, { type: applyPatch, body });
    assert.equal(status, 201);
    assert.match(text, /"containerPort":80,/);
  });
});
