import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const configMaps = '/api/v1/namespaces/default/configmaps';
const accounts = '/api/v1/namespaces/default/serviceaccounts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});

/** The values of all lines with this prefix. */
async function samples(start: string): Promise<Record<string, number>> {
  const { text } = await server.request('GET', '/metrics');
  const lines = text.split('\n').filter((line) => line.startsWith(start));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

async function total(labels: string): Promise<number | undefined> {
  const name = `apiserver_request_total{${labels}}`;
  return (await samples(name))[name];
}

describe('requests', () => {
  test('are counted by resource, verb and status', async () => {
    const labels = 'group="",resource="serviceaccounts",scope="resource",subresource=""';
    await server.request('POST', accounts, { body: { metadata: { name: 'a' } } });
    await server.request('POST', `${accounts}?dryRun=All`, { body: { metadata: { name: 'b' } } });
    await server.request('GET', `${accounts}/none`);
    await server.request('GET', `${accounts}/none`);
    const counted = (code: number, dryRun: string, verb: string): Promise<number | undefined> =>
      total(`code="${code}",component="apiserver",dry_run="${dryRun}",${labels},verb="${verb}",version="v1"`);
    assert.deepEqual(
      [await counted(201, '', 'POST'), await counted(201, 'All', 'POST'), await counted(404, '', 'GET')],
      [1, 1, 2],
    );
  });

  test('have different verbs for apply and patch', async () => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' } };
    const type = 'application/apply-patch+yaml';
    await server.request('PATCH', `${configMaps}/applied?fieldManager=m`, { body, type });
    const names = Object.keys(await samples('apiserver_request_total'));
    assert.ok(names.some((name) => name.includes('resource="configmaps"') && name.includes('verb="APPLY"')));
  });

  test('for unknown resources have no labels for them', async () => {
    for (const path of ['/api/v1/nonsense', '/apis/a/b/c', '/no/such/path', `${configMaps}/a/nonsense`]) {
      await server.request('GET', path);
    }
    const names = Object.keys(await samples('apiserver_request_total'));
    assert.ok(!names.some((name) => /nonsense|such|group="a"/.test(name)), names.join('\n'));
    assert.ok(names.some((name) => name.includes('code="404",component="",')));
  });

  test('are timed, and the sizes of reads are measured', async () => {
    await server.request('GET', configMaps);
    const labels = 'group="",resource="configmaps",scope="namespace",subresource="",verb="LIST",version="v1"';
    const durations = await samples('apiserver_request_duration_seconds_count');
    assert.equal(durations[`apiserver_request_duration_seconds_count{component="apiserver",dry_run="",${labels}}`], 1);
    const levels = await samples('apiserver_request_sli_duration_seconds_bucket');
    assert.equal(
      levels[`apiserver_request_sli_duration_seconds_bucket{component="apiserver",${labels},le="60"}`],
      1,
      'for service levels',
    );
    const sizes = await samples('apiserver_response_sizes_bucket');
    assert.equal(sizes[`apiserver_response_sizes_bucket{component="apiserver",${labels},le="+Inf"}`], 1);
  });
});

test('open watches and their events are counted', async () => {
  const secrets = '/api/v1/namespaces/default/secrets';
  const running =
    'apiserver_longrunning_requests{component="apiserver",group="",resource="secrets",scope="namespace",subresource="",verb="WATCH",version="v1"}';
  const watch = await server.watch(`${secrets}?watch=true`);
  await server.request('POST', secrets, { body: { metadata: { name: 's' } } });
  await watch.events();
  assert.equal((await samples(running))[running], 1);
  const sent = 'apiserver_watch_events_total{group="",resource="secrets",version="v1"}';
  assert.equal((await samples(sent))[sent], 1);
  watch.stop();
  assert.equal((await samples(running))[running], 0);
});

test('stored objects are counted at every scrape', async () => {
  const stored = await samples('apiserver_storage_objects');
  assert.equal(stored['apiserver_storage_objects{resource="namespaces"}'], 4);
  assert.equal(stored['apiserver_storage_objects{resource="deployments.apps"}'], 0);
  const revision = 'flotilla_store_revision';
  assert.equal((await samples(revision))[revision], server.store.revision);
});

test('a scrape needs the right to it', async () => {
  const user = { name: 'eve', groups: ['system:authenticated'] };
  assert.equal((await server.request('GET', '/metrics', { user })).status, 403);
});
