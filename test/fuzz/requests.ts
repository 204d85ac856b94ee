import { servedResources, typeOfKind, type ServedResource } from '@flotilla/builtins';
import { apiVersionOf, isJsonObject, stringifyJson, type JsonValue } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';
import { mutated, textOf, type Chance } from './chance.ts';
import type { Target } from './fuzz.ts';
import { randomJson, randomOfType } from './random-values.ts';

const words = {
  path: [
    '/api',
    '/apis',
    '/v1',
    '/namespaces',
    '/default',
    '/configmaps',
    '/a',
    '/status',
    '/scale',
    '/watch',
    '/openapi/v3',
    '/readyz',
    '%2e',
    '%zz',
  ],
  query: [
    'limit=1',
    '&',
    'continue=',
    'labelSelector=a',
    'fieldSelector=metadata.name%3Da',
    'resourceVersion=1',
    'resourceVersionMatch=Exact',
    'timeoutSeconds=1',
    'dryRun=All',
    'fieldManager=m',
    'force=true',
    'fieldValidation=Strict',
    'pretty=1',
    'propagationPolicy=Orphan',
    'gracePeriodSeconds=0',
    'includeObject=Object',
    'timeout=1s',
    '=',
    '%',
    '+',
    ';',
  ],
  accept: [
    'application/json',
    'application/yaml',
    'application/vnd.kubernetes.protobuf',
    ';as=Table',
    ';g=meta.k8s.io',
    ';v=v1',
    ',',
    '*/*',
    ';q=0.5',
    ';stream=watch',
    'text/plain',
  ],
};
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'FROB'];
const types = [
  'application/json',
  'application/yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/vnd.kubernetes.protobuf',
  'x',
];

/** Whole requests to a server. A bug shows as an internal error. */
export async function requestTarget(): Promise<Target> {
  const server = await startTestServer();
  return {
    name: 'requests',
    isExpected: () => false,
    feed: async (chance, note) => {
      const request = randomRequest(chance);
      note(request);
      const { method, target, ...options } = request;
      const { status, text } = await server.request(method, target, options);
      if (text.includes('Internal error occurred')) throw new Error(text);
      if (status < 200 || status > 599) throw new Error(`status ${status}`);
    },
  };
}

interface Request {
  readonly method: string;
  readonly target: string;
  readonly type: string;
  readonly accept: string;
  readonly body: string;
}

function randomRequest(chance: Chance): Request {
  const resource = chance.of(servedResources);
  const query = textOf(chance, words.query);
  return {
    method: chance.of(methods),
    // The server waits for a future revision, and its clock stands still here.
    target: `${path(chance, resource)}?${query.replaceAll(/resourceVersion=[^&]*|continue=[^&]*|watch[^&]*/g, '')}`,
    type: chance.of(types),
    accept: textOf(chance, words.accept),
    body: body(chance, chance.oneIn(10) ? chance.of(servedResources) : resource),
  };
}

function path(chance: Chance, { group, version, plural, namespaced }: ServedResource): string {
  if (chance.oneIn(8)) return textOf(chance, words.path).split('?')[0] ?? '';
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${root}${namespaced ? '/namespaces/default' : ''}/${plural}`;
  return `${collection}${chance.of(['', '', '/a', '/a', '/a/status', '/kubernetes', '/default', '/a/scale'])}`;
}

/** Mostly an object of the right kind, so that writes pass decoding. */
function body(chance: Chance, resource: ServedResource): string {
  if (chance.oneIn(10)) return '';
  const value = chance.oneIn(5) ? randomJson(chance) : objectOf(chance, resource);
  const text = stringifyJson(value);
  return chance.oneIn(5) ? mutated(chance, text) : text;
}

function objectOf(chance: Chance, { group, version, kind }: ServedResource): JsonValue {
  const type = typeOfKind({ group, version, kind });
  const value = type && randomOfType(chance, type);
  if (!isJsonObject(value)) return {};
  const metadata = chance.oneIn(3) && isJsonObject(value['metadata']) ? value['metadata'] : {};
  return { ...value, apiVersion: apiVersionOf({ group, version }), kind, metadata: { ...metadata, name: 'a' } };
}
