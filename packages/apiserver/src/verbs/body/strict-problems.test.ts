import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '@flotilla/testkit';

test('problems of a body are listed in the order of its fields', async () => {
  const server = await startTestServer();
  const body =
    '{"metadata":{"name":"a","bogus":1,"labels":{"x":"1","x":"2"}},"data":{"k":"v"},"foo":1,"data":{"k":"w"},"bar":2}';
  const { headers } = await server.request('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', { body });
  assert.deepEqual(headers['warning'], [
    '299 - "unknown field \\"metadata.bogus\\""',
    '299 - "duplicate field \\"metadata.labels.x\\""',
    '299 - "unknown field \\"foo\\""',
    '299 - "duplicate field \\"data\\""',
    '299 - "unknown field \\"bar\\""',
  ]);
});
