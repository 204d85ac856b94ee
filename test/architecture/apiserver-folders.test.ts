import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { localImportsOf, sourcesOf } from './sources.ts';

/**
 * The folders of the API server from the lowest up, and those that each may import: only folders further up in this table, so
 * there is no cycle. A row counts for the folders below it that have no row of their own. Files at the root compose them all.
 */
const apiserverFolders: Readonly<Record<string, readonly string[]>> = {
  request: [],
  response: ['request'],
  'own-requests': [],
  store: [],
  'store/log': ['store'],
  'store/index': ['store', 'store/log'],
  'store/disk': [],
  'store/sqlite': ['store', 'store/log', 'store/disk'],
  'store/engine': ['store', 'store/log', 'store/index', 'store/disk', 'store/sqlite'],
  resources: ['request', 'store'],
  configuration: ['resources'],
  access: ['request', 'response', 'own-requests', 'store', 'resources', 'configuration'],
  audit: ['request', 'response', 'store/disk', 'access', 'configuration'],
  credentials: ['store/disk', 'access'],
  backup: ['store/disk', 'store/sqlite', 'credentials'],
  webhooks: ['store', 'resources'],
  admission: ['request', 'audit', 'store', 'resources', 'access', 'webhooks'],
  limits: ['request', 'response'],
  'fairness/objects': ['own-requests', 'store', 'resources'],
  'fairness/queuing': ['fairness/objects'],
  'fairness/seats': ['fairness/objects'],
  fairness: [
    'request',
    'response',
    'store',
    'resources',
    'limits',
    'fairness/objects',
    'fairness/queuing',
    'fairness/seats',
  ],
  metrics: ['request', 'response', 'store', 'store/engine', 'resources'],
  call: ['request', 'audit', 'store', 'resources', 'access', 'admission', 'limits'],
  representation: ['request', 'response', 'store', 'resources', 'call'],
  'verbs/body': ['request', 'resources', 'call'],
  'verbs/reading': ['request', 'response', 'store', 'resources', 'call', 'representation'],
  'verbs/watching': ['request', 'response', 'store', 'resources', 'access', 'call', 'representation', 'verbs/reading'],
  'verbs/writing': [
    'request',
    'response',
    'store',
    'resources',
    'access',
    'admission',
    'call',
    'representation',
    'verbs/body',
    'verbs/reading',
  ],
  'verbs/virtual': [
    'request',
    'response',
    'store',
    'resources',
    'access',
    'admission',
    'call',
    'representation',
    'verbs/body',
    'verbs/reading',
    'verbs/writing',
  ],
  verbs: ['response', 'resources', 'call', 'verbs/reading', 'verbs/watching', 'verbs/writing', 'verbs/virtual'],
  'custom/conversion': ['resources', 'webhooks'],
  'custom/objects': ['store', 'resources', 'custom/conversion'],
  'custom/definitions': [
    'request',
    'own-requests',
    'store',
    'resources',
    'call',
    'verbs/writing',
    'custom/conversion',
    'custom/objects',
  ],
  'api-services': ['own-requests', 'store', 'resources', 'call'],
  heavy: [
    'request',
    'audit',
    'response',
    'store',
    'resources',
    'access',
    'admission',
    'metrics',
    'call',
    'representation',
    'verbs/reading',
    'verbs/watching',
    'verbs/writing',
    'verbs',
    'webhooks',
    'custom/objects',
  ],
  discovery: ['request', 'response', 'resources', 'access'],
  openapi: ['request', 'response', 'resources', 'discovery'],
  endpoints: ['request', 'response', 'store', 'resources', 'access', 'metrics', 'discovery', 'openapi'],
  server: [
    'request',
    'audit',
    'response',
    'store',
    'resources',
    'access',
    'admission',
    'limits',
    'fairness',
    'metrics',
    'call',
    'verbs/watching',
    'verbs',
    'webhooks',
    'custom/definitions',
    'api-services',
    'heavy',
    'endpoints',
  ],
  bootstrap: ['own-requests', 'store', 'resources', 'access', 'fairness/objects', 'call', 'server'],
  wire: ['request', 'response', 'access', 'credentials', 'limits', 'metrics'],
};

describe('folders of the API server', () => {
  const source = 'packages/apiserver/src/';
  const names = Object.keys(apiserverFolders);
  /** The row that counts for a file; undefined for files at the root. */
  const rowOf = (file: string): string | undefined =>
    names
      .filter((name) => file.startsWith(`${source}${name}/`))
      .sort((a, b) => b.length - a.length)
      .at(0);
  const files = sourcesOf(source);

  for (const [name, allowed] of Object.entries(apiserverFolders)) {
    test(`${name} knows only ${allowed.join(', ') || 'itself'}`, () => {
      const strangers = files
        .filter((file) => rowOf(file) === name)
        .flatMap((file) => localImportsOf(file).map((target) => ({ file, target })))
        .filter(({ target }) => target.startsWith(source) && ![name, ...allowed].includes(rowOf(target) ?? ''));
      assert.deepEqual(strangers, []);
    });
  }

  test('each imports only folders that are further up in the table', () => {
    const upwards = Object.entries(apiserverFolders).flatMap(([name, allowed]) =>
      allowed.filter((other) => !(names.indexOf(other) < names.indexOf(name))).map((other) => ({ name, other })),
    );
    assert.deepEqual(upwards, []);
  });

  test('every row is a folder, and every file but the entry is in one', () => {
    assert.deepEqual(
      names.filter((name) => !files.some((file) => rowOf(file) === name)),
      [],
    );
    assert.deepEqual(
      files.filter((file) => rowOf(file) === undefined),
      [`${source}index.ts`],
    );
  });
});
