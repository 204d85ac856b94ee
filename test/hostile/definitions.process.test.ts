/** Hostile CRDs, hostile objects of valid CRDs, and hostile conversion webhooks. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { freshCredentials } from '@flotilla/apiserver';
import { messageOf, type WireAnswer } from '../wire.ts';
import { json, Victim } from './victim.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Schema {
  readonly [keyword: string]: unknown;
}

function definition(group: string, spec: Schema, more: object = {}): string {
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `traps.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'traps', kind: 'Trap' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      ...more,
    },
  });
}

function trap(group: string, spec: unknown, version = 'v1'): string {
  return JSON.stringify({ apiVersion: `${group}/${version}`, kind: 'Trap', metadata: { name: 'one' }, spec });
}

const fields = (count: number, schema: Schema): Record<string, Schema> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, schema]));

describe('hostile CRDs', { timeout: 180_000 }, () => {
  let victim: Victim;
  before(async () => {
    victim = await Victim.start();
  });
  after(() => victim[Symbol.asyncDispose]());

  const create = (body: string, query = ''): Promise<WireAnswer> =>
    victim.send({ method: 'POST', target: `${definitions}${query}`, type: json, body });

  /** Creates a CRD and waits until its objects are served. */
  async function define(group: string, spec: Schema): Promise<string> {
    const { status, text } = await create(definition(group, spec));
    assert.equal(status, 201, text);
    const path = `/apis/${group}/v1/namespaces/default/traps`;
    while ((await victim.send({ target: path })).status !== 200) await new Promise(setImmediate);
    return path;
  }

  const post = (path: string, body: string): Promise<WireAnswer> =>
    victim.send({ method: 'POST', target: path, type: json, body });

  test('a schema of 100,000 nodes is accepted or refused, and the server keeps running', async () => {
    const wide = definition('wide.example.com', { type: 'object', properties: fields(60_000, { type: 'string' }) });
    const { status } = await create(wide, '?dryRun=All');
    assert.ok(status === 201 || status === 413, String(status));
    await victim.isUnharmed();
  });

  test('a schema of thousands of levels is refused with a reason', async () => {
    const open = '{"type":"object","properties":{"a":'.repeat(4000);
    const schema = `${open}{"type":"string"}${'}}'.repeat(4000)}`;
    const body = definition('deep.example.com', { type: 'deep' }).replace('{"type":"deep"}', schema);
    const { status } = await create(body, '?dryRun=All');
    assert.ok(status >= 400 && status < 500, String(status));
    await victim.isUnharmed();
  });

  test('a rule that would run for hours is refused for its estimated cost', async () => {
    const rule = 'self.all(a, self.all(b, self.all(c, self.all(d, a == b || c == d))))';
    const list = { type: 'array', items: { type: 'string' }, 'x-kubernetes-validations': [{ rule }] };
    const refused = await create(
      definition('slow.example.com', { type: 'object', properties: { list } }),
      '?dryRun=All',
    );
    assert.equal(refused.status, 422);
    assert.match(messageOf(refused), /estimated rule cost exceeds budget by factor of more than 100x/);
  });

  test('a rule that exceeds the cost limit is stopped when it runs', async () => {
    const rule = 'self.all(a, self.all(b, self.all(c, a != b + c)))';
    const list = {
      type: 'array',
      maxItems: 110,
      items: { type: 'integer' },
      'x-kubernetes-validations': [{ rule }],
    };
    const path = await define('budget.example.com', { type: 'object', properties: { list } });
    const items = Array.from({ length: 110 }, () => 1);
    const refused = await post(path, trap('budget.example.com', { list: items }));
    assert.equal(refused.status, 422);
    assert.match(messageOf(refused), /cost/);
  });

  test('a pattern that backtracks in other engines takes linear time', async () => {
    const name = {
      type: 'string',
      pattern: '^(a+)+$',
      'x-kubernetes-validations': [{ rule: "self.matches('^(a|a)*$')" }],
    };
    const path = await define('regex.example.com', {
      type: 'object',
      properties: { name: { ...name, maxLength: 100 } },
    });
    const refused = await post(path, trap('regex.example.com', { name: `${'a'.repeat(60)}!` }));
    assert.equal(refused.status, 422);
    assert.match(messageOf(refused), /should match '\^\(a\+\)\+\$'/);
  });

  test('a default that its own schema refuses is refused', async () => {
    const spec = { type: 'object', properties: { size: { type: 'integer', maximum: 3, default: 9 } } };
    const refused = await create(definition('default.example.com', spec), '?dryRun=All');
    assert.equal(refused.status, 422);
    assert.match(messageOf(refused), /default: Invalid value: 9/);
  });

  test('fields called __proto__ and constructor are ordinary fields', async () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"string","default":"p"},"constructor":{"type":"integer"}}',
    ) as object;
    const path = await define('proto.example.com', { type: 'object', properties });
    const taken = await post(path, trap('proto.example.com', { constructor: 3 }));
    assert.equal(taken.status, 201, taken.text);
    assert.ok(taken.text.includes('"__proto__":"p"'), taken.text);
    const refused = await post(path, trap('proto.example.com', { constructor: 'x' }));
    assert.equal(refused.status, 422);
  });

  test('an object of 100,000 wrong values gets a response', async () => {
    const path = await define('many.example.com', { type: 'array', items: { type: 'string', maxLength: 1 } });
    const refused = await post(
      path,
      trap(
        'many.example.com',
        Array.from({ length: 100_000 }, () => 'toolong'),
      ),
    );
    assert.equal(refused.status, 422);
    assert.match(messageOf(refused), /spec\[0\]: Too long: may not be more than 1 byte/);
  });

  test('a set of 100,000 values is checked in less than quadratic time', async () => {
    const set = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
    const path = await define('set.example.com', set);
    const values = Array.from({ length: 100_000 }, (_, index) => `v${index}`);
    const refused = await post(path, trap('set.example.com', [...values, 'v7']));
    assert.equal(refused.status, 422);
    assert.match(messageOf(refused), /spec\[100000\]: Duplicate value: "v7"/);
  });
});

describe('hostile webhooks', { timeout: 180_000 }, () => {
  let victim: Victim;
  let webhook: Server;
  let authority = '';
  /** The webhook's response to a review. Undefined: it never responds. */
  let answer: (review: Review) => unknown = () => undefined;
  const waiting = new Set<() => void>();

  interface Review {
    readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: object[] };
  }

  before(async () => {
    victim = await Victim.start();
    const { server: identity } = await freshCredentials(['127.0.0.1'], new Date());
    authority = Buffer.from(identity.authority).toString('base64');
    webhook = createServer({ key: identity.key, cert: identity.certificate }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const reply = answer(JSON.parse(Buffer.concat(chunks).toString()) as Review);
        if (reply === undefined) waiting.add(() => response.end());
        else response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
      });
    });
    await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
    await define();
  });
  after(async () => {
    for (const release of waiting) release();
    webhook.closeAllConnections();
    webhook.close();
    await victim[Symbol.asyncDispose]();
  });

  const group = 'hook.example.com';
  const path = (version: string): string => `/apis/${group}/${version}/namespaces/default/traps`;

  async function define(): Promise<void> {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
    const url = `https://127.0.0.1:${(webhook.address() as AddressInfo).port}/convert`;
    const conversion = {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url, caBundle: authority } },
    };
    const body = definition(group, {}, { versions, conversion });
    const { status, text } = await victim.send({ method: 'POST', target: definitions, type: json, body });
    assert.equal(status, 201, text);
    while ((await victim.send({ target: path('v1') })).status !== 200) await new Promise(setImmediate);
    const made = await victim.send({ method: 'POST', target: path('v1'), type: json, body: trap(group, { a: 1 }) });
    assert.equal(made.status, 201, made.text);
  }

  const converted = ({ request }: Review, change: (object: Record<string, unknown>) => object): object => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: {
      uid: request.uid,
      result: { status: 'Success' },
      convertedObjects: request.objects.map((object) => change({ ...object, apiVersion: request.desiredAPIVersion })),
    },
  });

  const read = (version = 'v2'): Promise<WireAnswer> => victim.send({ target: `${path(version)}/one` });

  test('one that never responds delays no other request', async () => {
    const asked = new Promise<void>((resolve) => {
      answer = () => resolve();
    });
    const stuck = read().catch(() => undefined);
    await asked;
    const { status } = await read('v1');
    assert.equal(status, 200);
    for (const release of waiting) release();
    waiting.clear();
    await stuck;
    await victim.send({ target: '/readyz' });
  });

  test('one that changes immutable fields is refused, and the object stays as it is', async () => {
    answer = (review) => converted(review, (object) => ({ ...object, metadata: { name: 'other' } }));
    const refused = await read();
    assert.equal(refused.status, 500);
    assert.match(messageOf(refused), /conversion webhook for hook\.example\.com\/v1, Kind=Trap returned invalid/);
    const kept = await read('v1');
    assert.equal((JSON.parse(kept.text) as { metadata: { name: string } }).metadata.name, 'one');
  });

  test('one that returns another kind, too few objects, or malformed JSON is refused', async () => {
    const answers: readonly ((review: Review) => unknown)[] = [
      (review) => converted(review, (object) => ({ ...object, kind: 'Snare' })),
      (review) => ({ ...converted({ request: { ...review.request, objects: [] } }, (object) => object) }),
      () => '{"kind":',
      () => `{"kind":"ConversionReview","a":${'['.repeat(20_000)}`,
      () => 'null',
    ];
    for (const next of answers) {
      answer = next;
      const refused = await read();
      assert.equal(refused.status, 500, refused.text);
    }
  });

  test('one that reads the object it converts does not recurse without end', async () => {
    let asked = 0;
    answer = (review) => {
      asked++;
      // Reads the object in the version to convert to: that read calls this webhook again.
      if (asked < 5) void read();
      return converted(review, (object) => object);
    };
    const { status, text } = await read();
    assert.equal(status, 200, text);
    assert.ok(asked <= 10, `it was asked ${asked} times`);
  });
});
