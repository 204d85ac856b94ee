import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('the options of a list', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });

  async function refusal(query: string): Promise<string> {
    const { status, body } = await server.request('GET', `${configMaps}?${query}`);
    return `${status} ${body['message'] as string}`;
  }

  test('must be numbers for numeric options, even if empty', async () => {
    assert.equal(await refusal('limit='), '400 strconv.ParseInt: parsing "": invalid syntax');
  });

  test('are checked in order', async () => {
    assert.equal(
      await refusal('sendInitialEvents=1&resourceVersionMatch=NotOlderThan'),
      '422 ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list]',
    );
  });

  test('have their continue token checked before their resource version', async () => {
    assert.match(await refusal('continue=abc&resourceVersion=5'), /^400 invalid continue token: /);
  });

  test('of a watch accept only one resourceVersionMatch', async () => {
    assert.equal(
      await refusal('watch=1&sendInitialEvents=1&resourceVersionMatch=Exact'),
      '422 ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    );
  });

  test('of a watch without a revision refuse a continue token', async () => {
    assert.equal(
      await refusal('watch=1&continue=x'),
      '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    );
  });
});
