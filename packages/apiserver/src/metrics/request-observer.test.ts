import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineLogger } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';
import type { Admission } from '../admission/admission.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

test('an unexpected exception is logged with its cause, and a refused request is not', async () => {
  const lines: string[] = [];
  const logger = lineLogger({ write: (line) => lines.push(line), now: () => new Date(0), form: 'json' });
  const broken: Admission = {
    name: 'Broken',
    validate({ object }) {
      if (object?.metadata.name === 'bad') throw new TypeError('oh no');
    },
  };
  const server = await startTestServer({ admission: [broken], logger });
  assert.equal((await server.request('GET', `${configMaps}/none`)).status, 404);
  assert.deepEqual(lines, []);
  const { status } = await server.request('POST', configMaps, { body: { metadata: { name: 'bad' } } });
  assert.equal(status, 500);
  const { error, ...line } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  assert.deepEqual(line, {
    ts: '1970-01-01T00:00:00.000Z',
    level: 'error',
    msg: 'request failed',
    method: 'POST',
    path: configMaps,
    user: 'kubernetes-admin',
    code: 500,
  });
  assert.match(error as string, /^TypeError: oh no\n/);
});
