import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { exchangeHttp1, messageOf, type WireRequest } from '../wire.ts';
import { configMaps, json, Victim, yaml } from './victim.ts';

const pods = '/api/v1/namespaces/default/pods';
const apply = 'application/apply-patch+yaml';
const strategic = 'application/strategic-merge-patch+json';

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function keys<T>(count: number, value: T, prefix = 'k'): Record<string, T> {
  return Object.fromEntries(times(count, (index) => [`${prefix}${index}`, value]));
}

function configMap(name: string, fields: object, metadata: object = {}): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, ...fields });
}

function pod(name: string, container: object, spec: object = {}): string {
  const containers = [{ name: 'c', image: 'i', ...container }];
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers, ...spec } });
}

const environment = times(20_000, (index) => ({ name: `E${index}`, value: 'v' }));

/** Dry runs, so that the objects of the server stay the same. */
function post(target: string, body: string, type = json): WireRequest {
  return { method: 'POST', target: `${target}?dryRun=All`, type, body };
}

describe('very wide objects', { timeout: 120_000 }, () => {
  let victim: Victim;
  before(async () => {
    victim = await Victim.start();
  });
  after(() => victim[Symbol.asyncDispose]());

  const answers: readonly [title: string, request: WireRequest, status: number, start: string][] = [
    [
      'YAML of 150,000 unknown fields',
      post(configMaps, `metadata: {name: wide}\n${times(150_000, (index) => `k${index}: v\n`).join('')}`, yaml),
      201,
      '',
    ],
    [
      'YAML of 150,000 values of the wrong type',
      post(
        configMaps,
        `metadata: {name: wide}\ndata:\n${times(150_000, (index) => `  k${index}: 1\n`).join('')}`,
        yaml,
      ),
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    ['80,000 values', post(configMaps, configMap('wide', { data: keys(80_000, 'v') })), 201, ''],
    ['100,000 labels', post(configMaps, configMap('wide', {}, { labels: keys(100_000, 'v') })), 201, ''],
    [
      '100,000 annotations',
      post(configMaps, configMap('wide', {}, { annotations: keys(100_000, 'v') })),
      422,
      'ConfigMap "wide" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes',
    ],
    [
      '30,000 finalizers',
      post(configMaps, configMap('wide', {}, { finalizers: times(30_000, (index) => `a.b/${index}`) })),
      201,
      '',
    ],
    [
      '30,000 owners, all of them the controller',
      post(
        configMaps,
        configMap(
          'wide',
          {},
          {
            ownerReferences: times(30_000, (index) => ({
              apiVersion: 'v1',
              kind: 'Pod',
              name: `p${index}`,
              uid: `u${index}`,
              controller: true,
            })),
          },
        ),
      ),
      422,
      'ConfigMap "wide" is invalid: metadata.ownerReferences: Invalid value: ',
    ],
    ['20,000 environment variables', post(pods, pod('wide', { env: environment })), 201, ''],
    [
      '10,000 containers of one name',
      post(pods, pod('wide', {}, { containers: times(10_000, () => ({ name: 'c', image: 'i' })) })),
      422,
      'Pod "wide" is invalid: [spec.containers[1].name: Duplicate value: "c", ',
    ],
    [
      'an apply of 50,000 values',
      {
        method: 'PATCH',
        target: `${configMaps}/wide?fieldManager=m&dryRun=All`,
        type: apply,
        body: configMap('wide', { data: keys(50_000, 'v') }),
      },
      201,
      '',
    ],
    [
      'a strategic patch that orders and deletes 30,000 finalizers that do not exist',
      {
        method: 'PATCH',
        target: `${configMaps}/target?dryRun=All`,
        type: strategic,
        body: JSON.stringify({
          metadata: {
            '$deleteFromPrimitiveList/finalizers': times(30_000, (index) => `a.b/old${index}`),
            '$setElementOrder/finalizers': times(30_000, (index) => `a.b/new${index}`),
            finalizers: times(30_000, (index) => `a.b/new${index}`),
          },
        }),
      },
      200,
      '',
    ],
  ];
  for (const [title, request, status, start] of answers) {
    test(`${title}: ${status}`, async () => {
      const answer = await victim.send(request);
      if (status >= 400) assert.ok(answer.text.length < 2 ** 20, `a refusal of ${answer.text.length} characters`);
      assert.equal(answer.status, status, messageOf(answer).slice(0, 300));
      assert.equal(messageOf(answer).slice(0, start.length), start);
      await victim.isUnharmed();
    });
  }

  test('a selector of 9,000 forbidden labels: 200', async () => {
    const selector = times(9000, (index) => `!l${index}`).join(',');
    const answer = await exchangeHttp1(victim.server, { target: `${configMaps}?labelSelector=${selector}` });
    assert.equal(answer.status, 200);
    assert.equal((JSON.parse(answer.text) as { items: unknown[] }).items.length, 1);
    await victim.isUnharmed();
  });
});
