/**
 * A webhook whose answer depends on the path of the request. Scenarios with `receiver: yes` use it while they are recorded and when
 * they are played. Their files name it as RECEIVER_URL, RECEIVER_HTTP (without TLS), RECEIVER_PORT and RECEIVER_CA.
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { freshCredentials } from '@flotilla/apiserver';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonMap = Record<string, Json>;

interface ReviewRequest extends JsonMap {
  uid: string;
  object: JsonMap | null;
  oldObject: JsonMap | null;
}

interface Received {
  readonly request: ReviewRequest;
  readonly apiVersion: string;
}

export interface WebhookReceiver {
  /** Replaces the names of the receiver in the files of a scenario. */
  readonly expand: (text: string) => string;
  /** The reverse, for its output. */
  readonly contract: (text: string) => string;
  readonly stop: () => Promise<void>;
}

/** Names of the certificate. Scenarios that call the receiver through a Service use this one. */
const serviceHost = 'hooks.webhooks.svc';

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const { server: credentials } = await freshCredentials(['127.0.0.1', serviceHost], new Date());
  const { key, certificate, authority } = credentials;
  const secure = createSecureServer({ key, cert: certificate, allowHTTP1: true }, (request, response) => {
    void answer(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
  const plain = createHttpServer((_, response) => response.end('plain'));
  const [port, plainPort] = await Promise.all([listening(secure), listening(plain)]);
  const names: readonly (readonly [name: string, value: string])[] = [
    ['RECEIVER_URL', `https://127.0.0.1:${port}`],
    ['RECEIVER_HTTP', `https://127.0.0.1:${plainPort}`],
    ['RECEIVER_CA', Buffer.from(authority).toString('base64')],
    ['RECEIVER_PORT', String(port)],
  ];
  return {
    expand: (text) => names.reduce((result, [name, value]) => result.replaceAll(name, value), text),
    contract: (text) => names.reduce((result, [name, value]) => result.replaceAll(value, name), text),
    stop: async () => {
      plain.closeAllConnections();
      await Promise.all([closed(secure), closed(plain)]);
    },
  };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** kube-apiserver keeps its connections open, so nothing waits for them. */
function closed(server: Server): Promise<void> {
  server.close();
  server.unref();
  return Promise.resolve();
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = new URL(request.url ?? '/', 'https://receiver').pathname.slice(1);
  const send = (status: number, body: string | Buffer, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
  if (path === 'hang') return;
  if (path.startsWith('redirect-')) return send(Number(path.slice(-3)), '', { location: '/allow' });
  if (path.startsWith('status-'))
    return send(Number(path.slice(-3)), ' no such luck\n', { 'content-type': 'text/plain' });
  const raw = rawAnswers[path];
  if (raw) return send(raw.status ?? 200, raw.body, raw.headers);
  if (request.method !== 'POST') return send(405, '');
  const { request: review, apiVersion } = JSON.parse(Buffer.concat(chunks).toString()) as Received;
  const decide = decisions[path];
  const decided = decide
    ? decide(review, apiVersion)
    : { allowed: false, status: { message: `no answer for ${path}` } };
  const answered = { kind: 'AdmissionReview', apiVersion, response: { uid: review.uid, ...decided } };
  send(200, JSON.stringify(overrides[path]?.(answered) ?? answered));
}

interface RawAnswer {
  readonly status?: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

const rawAnswers: Readonly<Record<string, RawAnswer>> = {
  garbage: { body: 'no json' },
  empty: { body: '' },
  array: { body: '[]' },
  number: { body: '5' },
  'another-kind': { body: '{"kind":"Pod","apiVersion":"v1"}' },
  'plain-text': { body: 'hello', headers: { 'content-type': 'text/plain' } },
  json500: { status: 500, body: '{"error":"broken"}' },
  status: {
    status: 403,
    body: '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"go away","reason":"Forbidden","code":403}',
  },
};

type Decide = (request: ReviewRequest, apiVersion: string) => JsonMap;

/** Changes an answer after it is complete. */
const overrides: Readonly<Record<string, (answer: JsonMap) => JsonMap>> = {
  'wrong-uid': (answered) => ({ ...answered, response: { uid: 'nonsense', allowed: true } }),
  'no-response': ({ kind, apiVersion }) => ({ kind: kind ?? null, apiVersion: apiVersion ?? null }),
  'wrong-version': (answered) => ({ ...answered, apiVersion: 'admission.k8s.io/v1beta1' }),
  'no-kind': ({ response }) => ({ response: response ?? null }),
};

const decisions: Readonly<Record<string, Decide>> = {
  allow: () => ({ allowed: true }),
  'wrong-uid': () => ({ allowed: true }),
  'no-response': () => ({ allowed: true }),
  'wrong-version': () => ({ allowed: true }),
  'no-kind': () => ({ allowed: true }),
  deny: () => ({ allowed: false, status: { message: 'not today' } }),
  'deny-403': () => ({ allowed: false, status: { code: 403, reason: 'Forbidden', message: 'not you' } }),
  'deny-reason': () => ({ allowed: false, status: { reason: 'Because' } }),
  'deny-empty': () => ({ allowed: false }),
  'deny-200': () => ({ allowed: false, status: { code: 200, status: 'Success', message: 'fine' } }),
  'deny-418': () => ({ allowed: false, status: { code: 418, message: 'teapot' } }),
  'deny-details': () => ({
    allowed: false,
    status: {
      code: 422,
      reason: 'Invalid',
      message: 'look closer',
      details: {
        name: 'n',
        group: 'g',
        kind: 'k',
        causes: [{ reason: 'FieldValueInvalid', message: 'm', field: 'f' }],
      },
    },
  }),
  'deny-warn': () => ({ allowed: false, status: { message: 'no' }, warnings: ['think again'] }),
  warn: () => ({ allowed: true, warnings: ['first', 'second', 'first', 'with "quotes" and ünïcode', ''] }),
  'warn-long': () => ({ allowed: true, warnings: ['x'.repeat(300)] }),
  'bad-allowed': () => ({ allowed: 'yes' }),
  'bad-warnings': () => ({ allowed: true, warnings: 'none' }),
  'with-patch': () => patched({ op: 'add', path: '/data/x', value: '1' }),
  'with-type': () => ({ allowed: true, patchType: 'JSONPatch' }),
  tell: (request, apiVersion) => ({ allowed: true, warnings: [summaryOf(request, apiVersion)] }),
  // With the options of a connection as they are, and what follows from them.
  'tell-connection': ({ object, kind, resource, subResource, name, operation, options }) => ({
    allowed: true,
    warnings: [
      JSON.stringify(
        sorted({ object, kind: kind ?? null, resource: resource ?? null, subResource: subResource ?? null }),
      ),
      JSON.stringify(sorted({ name: name ?? null, operation: operation ?? null, options: options ?? null })),
    ],
  }),
  'tell-object': ({ object, oldObject }) => ({
    allowed: true,
    warnings: [`object ${shape(object)}`, `old ${shape(oldObject)}`],
  }),
  // Name, uid and extra depend on how the scenario's user authenticates.
  'tell-user': ({ userInfo }) => ({
    allowed: true,
    warnings: [`groups ${(userInfo as { groups: string[] }).groups.join()}`],
  }),
  'tell-options': ({ options, dryRun }) => ({
    allowed: true,
    warnings: [JSON.stringify(sorted({ dryRun: dryRun ?? null, options: options ?? null }))],
  }),

  // For mutating webhooks.
  'add-first': () => patched({ op: 'add', path: '/metadata/annotations', value: { first: 'yes' } }),
  'add-second': ({ object }) =>
    patched({ op: 'add', path: '/metadata/annotations/second', value: `after ${annotationsOf(object)}` }),
  'count-calls': ({ object }) =>
    patched({ op: 'add', path: '/metadata/annotations/calls', value: `${annotationIn(object, 'calls')}x` }),
  'tell-name': ({ name, object }) =>
    patched({ op: 'add', path: '/data', value: { name: JSON.stringify(name ?? null), keys: shape(object) } }),
  'label-bad': () => patched({ op: 'add', path: '/metadata/labels/bad', value: 'not valid!' }),
  'label-same': ({ object }) =>
    patched({
      op: 'replace',
      path: '/metadata/labels/hook',
      value: (object as Labelled).metadata.labels['hook'] ?? '',
    }),
  'data-number': () => patched({ op: 'add', path: '/data', value: { a: 5 } }),
  'field-unknown': () => patched({ op: 'add', path: '/nonsense', value: { a: 5 } }),
  'path-missing': () => patched({ op: 'replace', path: '/data/missing', value: 'x' }),
  'parent-missing': () => patched({ op: 'add', path: '/none/of/these', value: 'x' }),
  'remove-missing': () => patched({ op: 'remove', path: '/data/missing' }),
  'test-fails': () => patched({ op: 'test', path: '/kind', value: 'Secret' }),
  'op-unknown': () => patched({ op: 'invent', path: '/kind', value: 'Secret' }),
  'kind-removed': () => patched({ op: 'remove', path: '/kind' }),
  'kind-changed': () => patched({ op: 'replace', path: '/kind', value: 'Secret' }),
  'kind-unknown': () => patched({ op: 'replace', path: '/kind', value: 'Nonsense' }),
  'version-changed': () => patched({ op: 'replace', path: '/apiVersion', value: 'apps/v1' }),
  'object-removed': () => patched({ op: 'replace', path: '', value: 5 }),
  renamed: () => patched({ op: 'replace', path: '/metadata/name', value: 'renamed' }),
  moved: () => patched({ op: 'replace', path: '/metadata/namespace', value: 'default' }),
  managed: () => patched({ op: 'replace', path: '/metadata/managedFields/0/operation', value: 'Guess' }),
  unmanaged: () => patched({ op: 'replace', path: '/metadata/managedFields', value: [] }),
  owned: () => patched({ op: 'add', path: '/metadata/ownerReferences', value: [owner, owner] }),
  'patch-object': () => ({ ...rawPatch('{"op":"add"}'), patchType: 'JSONPatch' }),
  'patch-garbage': () => ({ ...rawPatch('nonsense'), patchType: 'JSONPatch' }),
  'patch-empty-list': () => ({ ...rawPatch('[]'), patchType: 'JSONPatch' }),
  'patch-untyped': () => rawPatch('[]'),
  'patch-merge': () => ({ ...rawPatch('[{"op":"add","path":"/data","value":{}}]'), patchType: 'MergePatch' }),
  'patch-type-empty': () => ({ ...rawPatch('[]'), patchType: '' }),
  'patch-base64': () => ({ allowed: true, patch: 'a?b', patchType: 'JSONPatch' }),
  'patch-number': () => ({ allowed: true, patch: 5, patchType: 'JSONPatch' }),
  'replicas-5': () => patched({ op: 'replace', path: '/spec/replicas', value: 5 }),
  'max-7': () => patched({ op: 'replace', path: '/spec/maxReplicas', value: 7 }),
  'spec-size': () =>
    patched({ op: 'add', path: '/spec/size', value: 9 }, { op: 'add', path: '/spec/unknown', value: 1 }),
  'container-other': () => patched({ op: 'add', path: '/container', value: 'other' }),
  'command-more': () => ({
    ...patched({ op: 'add', path: '/command/-', value: 'more' }),
    warnings: ['command'],
  }),
  'ports-none': () => patched({ op: 'replace', path: '/ports', value: [70_000] }),
  'path-other': () => patched({ op: 'replace', path: '/path', value: '/other' }),
  'grace-0': () => patched({ op: 'add', path: '/spec/terminationGracePeriodSeconds', value: 0 }),

  // The label says which of these changes, so that one webhook makes them all.
  labelled: (request, apiVersion) => {
    const { hook = '' } = (request.object as Labelled).metadata.labels;
    return decisions[hook]?.(request, apiVersion) ?? { allowed: false };
  },
  'kind-number': () => patched({ op: 'replace', path: '/kind', value: 5 }),
  'kind-list': ({ object }) =>
    patched({ op: 'replace', path: '/kind', value: `${(object as { kind: string }).kind}List` }),
  'version-removed': () => patched({ op: 'remove', path: '/apiVersion' }),
  'version-other': () => patched({ op: 'replace', path: '/apiVersion', value: 'identity.example.com/v2' }),
  'version-none': () => patched({ op: 'replace', path: '/apiVersion', value: 'identity.example.com/v9' }),
  'version-bad': () => patched({ op: 'replace', path: '/apiVersion', value: 'a/b/c' }),
  'name-removed': () => patched({ op: 'remove', path: '/metadata/name' }),
  'name-number': () => patched({ op: 'replace', path: '/metadata/name', value: 5 }),
  'namespace-removed': () => patched({ op: 'remove', path: '/metadata/namespace' }),
  'namespace-number': () => patched({ op: 'replace', path: '/metadata/namespace', value: 5 }),
  'uid-set': () => patched({ op: 'add', path: '/metadata/uid', value: 'chosen' }),
  'uid-removed': () => patched({ op: 'remove', path: '/metadata/uid' }),
  'revision-set': () => patched({ op: 'add', path: '/metadata/resourceVersion', value: '1' }),
  'revision-removed': () => patched({ op: 'remove', path: '/metadata/resourceVersion' }),
  'revision-bad': () => patched({ op: 'add', path: '/metadata/resourceVersion', value: 'x' }),
  'deletion-set': () => patched({ op: 'add', path: '/metadata/deletionTimestamp', value: '2020-01-02T03:04:05Z' }),
  'deletion-bad': () => patched({ op: 'add', path: '/metadata/deletionTimestamp', value: 'soon' }),
  'grace-set': () => patched({ op: 'add', path: '/metadata/deletionGracePeriodSeconds', value: 7 }),
  'generate-set': () => patched({ op: 'add', path: '/metadata/generateName', value: 'other-' }),
  'generation-set': () => patched({ op: 'add', path: '/metadata/generation', value: 99 }),
  'generation-bad': () => patched({ op: 'add', path: '/metadata/generation', value: 'x' }),
  'created-set': () => patched({ op: 'add', path: '/metadata/creationTimestamp', value: '2020-01-02T03:04:05Z' }),
  'created-removed': () => patched({ op: 'remove', path: '/metadata/creationTimestamp' }),
  'created-bad': () => patched({ op: 'add', path: '/metadata/creationTimestamp', value: 'once' }),
  'metadata-removed': () => patched({ op: 'remove', path: '/metadata' }),
  'metadata-null': () => patched({ op: 'replace', path: '/metadata', value: null }),
  'metadata-number': () => patched({ op: 'replace', path: '/metadata', value: 5 }),
  'metadata-empty': () => patched({ op: 'replace', path: '/metadata', value: {} }),
  'labels-number': () => patched({ op: 'replace', path: '/metadata/labels', value: { hook: 5 } }),
  'finalizer-set': () => patched({ op: 'add', path: '/metadata/finalizers', value: ['example.com/keep'] }),
  'finalizer-bad': () => patched({ op: 'add', path: '/metadata/finalizers', value: 'keep' }),
  'object-null': () => patched({ op: 'replace', path: '', value: null }),
  'object-array': () => patched({ op: 'replace', path: '', value: [] }),
  'object-empty': () => patched({ op: 'replace', path: '', value: {} }),
  'object-text': () => patched({ op: 'replace', path: '', value: 'text' }),
};

interface Labelled extends JsonMap {
  metadata: { labels: Record<string, string> };
}

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'webhooks-owner' };

function patched(...operations: JsonMap[]): JsonMap {
  return { ...rawPatch(JSON.stringify(operations)), patchType: 'JSONPatch' };
}

function rawPatch(text: string): JsonMap {
  return { allowed: true, patch: Buffer.from(text).toString('base64') };
}

function annotationsOf(object: JsonMap | null): string {
  return Object.keys((object as { metadata: { annotations?: JsonMap } } | null)?.metadata.annotations ?? {}).join(' ');
}

function annotationIn(object: JsonMap | null, name: string): string {
  const { annotations = {} } = (object as unknown as { metadata: { annotations?: Record<string, string> } }).metadata;
  return annotations[name] ?? '';
}

/** All of a request but its objects and its user. */
function summaryOf(request: ReviewRequest, apiVersion: string): string {
  const { uid: _uid, object, oldObject, userInfo: _user, options: _options, ...rest } = request;
  return JSON.stringify(sorted({ ...rest, object: kindIn(object), oldObject: kindIn(oldObject), apiVersion }));
}

function kindIn(object: JsonMap | null | undefined): Json {
  if (!object) return 'absent';
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  return `${apiVersion} ${kind}`;
}

/** The fields of an object, two levels deep. */
function shape(value: JsonMap | null): string {
  if (!value) return 'null';
  return Object.keys(value)
    .sort()
    .map((key) => {
      const member = value[key];
      if (typeof member !== 'object' || member === null || Array.isArray(member)) return key;
      return `${key}(${Object.keys(member).sort().join(' ')})`;
    })
    .join(' ');
}

function sorted(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
