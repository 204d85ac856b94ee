import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const configMaps = '/api/v1/namespaces/default/configmaps';

interface List {
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
  items: { metadata: { name: string; resourceVersion: string } }[];
}

function names(list: List): string[] {
  return list.items.map(({ metadata }) => metadata.name);
}

describe('list', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const labels = { even: String(['b', 'd'].includes(name)) };
      await server.request('POST', configMaps, { body: { metadata: { name, labels } } });
    }
  });
  const list = async (query = ''): Promise<List> =>
    (await server.request('GET', `${configMaps}${query}`)).body as unknown as List;

  test('leaves kind and apiVersion out of its items, as Go does', async () => {
    const { text } = await server.request('GET', configMaps);
    assert.match(
      text,
      /^\{"kind":"ConfigMapList","apiVersion":"v1","metadata":\{"resourceVersion":"\d+"\},"items":\[\{"metadata":\{"name":"a"/,
    );
    assert.match(text, /\]\}\n$/);
  });

  test('has empty items, not null, if nothing exists', async () => {
    const { body } = await server.request('GET', '/api/v1/namespaces/none/configmaps');
    assert.deepEqual(body['items'], []);
  });

  test('has pages that all show the state of the first page', async () => {
    const first = await list('?limit=2');
    assert.deepEqual([names(first), first.metadata.remainingItemCount], [['a', 'b'], 3]);
    await server.request('POST', configMaps, { body: { metadata: { name: 'bb' } } });
    const second = await list(`?limit=2&continue=${first.metadata.continue}`);
    assert.deepEqual([names(second), second.metadata.remainingItemCount], [['c', 'd'], 1]);
    const third = await list(`?limit=2&continue=${second.metadata.continue}`);
    assert.deepEqual([names(third), third.metadata.continue], [['e'], undefined]);
    assert.equal(third.metadata.resourceVersion, first.metadata.resourceVersion);
    await server.request('DELETE', `${configMaps}/bb`);
  });

  test('has a continue token if any object follows, whether it matches the selector or not', async () => {
    const page = await list('?limit=1&labelSelector=even%3Dtrue');
    const last = await list(`?limit=1&labelSelector=even%3Dtrue&continue=${page.metadata.continue}`);
    assert.deepEqual([names(last), typeof last.metadata.continue], [['d'], 'string']);
    const named = await list('?limit=1&fieldSelector=metadata.name%3Da');
    assert.deepEqual([names(named), named.metadata.continue], [['a'], undefined]);
  });

  test('has continue tokens with the first key of the next page', async () => {
    const { metadata } = await list('?limit=1');
    const token = JSON.parse(Buffer.from(metadata.continue ?? '', 'base64url').toString()) as JsonObject;
    assert.deepEqual(token, { v: 'meta.k8s.io/v1', rv: Number(metadata.resourceVersion), start: '/a\0' });
  });

  test('has no remainingItemCount with a selector', async () => {
    const page = await list('?limit=1&labelSelector=even%3Dtrue');
    assert.deepEqual([names(page), page.metadata.remainingItemCount], [['b'], undefined]);
    assert.deepEqual(names(await list(`?labelSelector=even%3Dtrue&continue=${page.metadata.continue}`)), ['d']);
  });

  test('ignores the limit for resourceVersion 0', async () => {
    assert.equal((await list('?limit=2&resourceVersion=0')).items.length, 5);
  });

  test('reads an exact revision of the past', async () => {
    const now = await list();
    await server.request('DELETE', `${configMaps}/a`);
    const then = await list(`?resourceVersion=${now.metadata.resourceVersion}&resourceVersionMatch=Exact`);
    assert.deepEqual(names(then), names(now));
    await server.request('POST', configMaps, { body: { metadata: { name: 'a' } } });
  });

  test('selects by name', async () => {
    assert.deepEqual(names(await list('?fieldSelector=metadata.name%3Dc')), ['c']);
  });

  for (const [query, code, message] of [
    ['?limit=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['?fieldSelector=foo%3Dx', 400, '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    [
      '?resourceVersion=x',
      400,
      'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      '?continue=abc',
      400,
      "invalid continue token: continue key is not valid: invalid character 'i' looking for beginning of value",
    ],
    [
      '?continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi9hIn0',
      400,
      'invalid continue token: continue key is not valid: ../a',
    ],
    [
      '?resourceVersionMatch=Exact',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      '?sendInitialEvents=true',
      422,
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
  ] as const) {
    test(`refuses ${query} as kube-apiserver does`, async () => {
      const { status, body } = await server.request('GET', `${configMaps}${query}`);
      assert.deepEqual([status, body['message']], [code, message]);
    });
  }

  test('of one namespace cannot continue in another', async () => {
    await server.request('POST', '/api/v1/namespaces/kube-system/configmaps', {
      body: { metadata: { name: 'secretive' } },
    });
    const token = (await list('?limit=1')).metadata.continue;
    const { body } = await server.request('GET', `/api/v1/namespaces/kube-public/configmaps?continue=${token}`);
    assert.deepEqual(body['items'], []);
  });

  test('in pages of any size equals the list without a limit', async () => {
    const whole = names(await list());
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 7 }), async (limit) => {
        const pages: string[] = [];
        let page = await list(`?limit=${limit}`);
        pages.push(...names(page));
        while (page.metadata.continue !== undefined) {
          page = await list(`?limit=${limit}&continue=${page.metadata.continue}`);
          pages.push(...names(page));
        }
        assert.deepEqual(pages, whole);
      }),
    );
  });
});
