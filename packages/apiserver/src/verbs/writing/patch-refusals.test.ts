import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { startTestServer, type TestServer, type WireAnswer } from '@flotilla/testkit';

const configMaps = '/api/v1/namespaces/default/configmaps';
const mergePatch = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';

describe('a patch', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
    await server.request('POST', configMaps, { body: { metadata: { name: 'a' }, data: { x: '1' } } });
  });

  function patch(type: string, body: string, name = 'a'): Promise<WireAnswer> {
    return server.request('PATCH', `${configMaps}/${name}`, { type, body });
  }

  test('cannot change the kind of an object', async () => {
    const { status, body } = await patch(mergePatch, '{"kind":"Secret"}');
    assert.equal(status, 422);
    assert.match(
      body['message'] as string,
      /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion\\":\\"v1\\",\\"data\\":.*: converting \(v1\.Secret\) to \(core\.ConfigMap\): unknown conversion$/,
    );
  });

  test('to a missing object is answered with 404 even if it is malformed', async () => {
    const { status, body } = await patch(mergePatch, '{', 'none');
    assert.deepEqual([status, body['message']], [404, 'configmaps "none" not found']);
  });

  test('is refused with the patched object, the keys sorted in the objects that it visited', async () => {
    const { body } = await patch(mergePatch, '{"metadata":{"labels":"x"}}');
    assert.match(
      body['message'] as string,
      /\\"metadata\\":\{\\"creationTimestamp\\":.*,\\"labels\\":\\"x\\",\\"managed/,
    );
  });

  test('with invalid base64 is refused with the error of the converter', async () => {
    const patched = await patch('application/strategic-merge-patch+json', '{"binaryData":{"x":"%%"}}');
    assert.match(patched.body['message'] as string, /: error decoding from json: illegal base64 data at input byte 0$/);
  });

  test('that is applied and cannot be converted is a server error with the message of kube-apiserver', async () => {
    const config = (more: string): string =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"made","namespace":"default"${more}}`;
    const applied = async (text: string): Promise<unknown[]> => {
      const { status, body } = await patch('application/apply-patch+yaml', text, 'made?fieldManager=m');
      return [status, body['message']];
    };
    const why = 'unable to convert unstructured object to /v1, Kind=ConfigMap';
    const start = `failed to convert new object (default/made; /v1, Kind=ConfigMap) to proper version: ${why}`;
    assert.deepEqual(await applied(config('},"binaryData":{"x":"%%"}')), [
      500,
      `${start}: error decoding from json: illegal base64 data at input byte 0`,
    ]);
    assert.deepEqual(await applied(config(',"creationTimestamp":"x"}')), [
      500,
      `${start}: parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"`,
    ]);
  });

  test('with a wrong value for a type that unmarshals itself is refused with the message of that type', async () => {
    const services = '/api/v1/namespaces/default/services';
    const service = (name: string, targetPort: unknown): string =>
      `{"apiVersion":"v1","kind":"Service","metadata":{"name":"${name}"},"spec":{"clusterIP":"None","ports":[{"port":80,"targetPort":${JSON.stringify(targetPort)}}]}}`;
    await server.request('POST', services, { body: service('old', 80) });
    for (const [value, kind] of [
      [{}, 'object'],
      [true, 'bool'],
      [1.5, 'number 1.5'],
    ] as const) {
      const why = `json: cannot unmarshal ${kind} into Go value of type int32`;
      for (const [name, type, start] of [
        ['old', 'application/strategic-merge-patch+json', ' "" is invalid: patch: Invalid value: "map[apiVersion:v1 '],
        [
          'new',
          'application/apply-patch+yaml',
          'failed to convert new object (/new; /v1, Kind=Service) to proper version: ',
        ],
      ] as const) {
        const path = `${services}/${name}?fieldManager=m`;
        const { body } = await server.request('PATCH', path, { type, body: service(name, value) });
        const message = body['message'] as string;
        assert.ok(message.startsWith(start) && message.endsWith(`: ${why}`), message);
      }
    }
  });

  test('lists its problems in the order of its operations', async () => {
    const operations =
      '[{"op":"add","path":"/data/y","value":"1","foo":1},{"op":"add","op":"add","path":"/data/z","value":"2"}]';
    const { headers } = await patch(jsonPatch, operations);
    assert.deepEqual(headers['warning'], [
      '299 - "json patch unknown field \\"[0].foo\\""',
      '299 - "json patch duplicate field \\"[1].op\\""',
    ]);
  });

  test('of an unknown type is refused by the router', async () => {
    const { status, text } = await patch('Application/Merge-Patch+Json', '{}');
    assert.equal(status, 415);
    assert.match(
      text,
      /"message":"415: Unsupported Media Type","reason":"UnsupportedMediaType","details":\{\},"code":415/,
    );
  });

  test('with an empty managedFields list removes all managers', async () => {
    const { body } = await patch(mergePatch, '{"metadata":{"managedFields":[]}}');
    assert.equal((body['metadata'] as { managedFields?: unknown }).managedFields, undefined);
  });
});
