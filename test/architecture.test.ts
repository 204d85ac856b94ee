import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';

const root = resolve(import.meta.dirname, '..');

/** Each package, and the packages it may know about. docs/architecture.md draws the same picture. */
const mayImport: Record<string, readonly string[]> = {
  kube: [],
  timing: [],
  cel: ['kube'],
  schema: ['kube', 'cel'],
  builtins: ['kube'],
  apiserver: ['kube', 'timing', 'cel', 'schema', 'builtins'],
  client: ['kube', 'timing'],
  runtime: ['kube', 'timing', 'client'],
  housekeeping: ['kube', 'timing', 'builtins', 'client', 'runtime'],
  api: ['kube', 'schema'],
  scheduler: ['kube', 'api'],
  ocm: ['kube', 'cel', 'api'],
  controllers: ['kube', 'timing', 'api', 'scheduler', 'ocm', 'client', 'runtime'],
  member: ['kube', 'timing', 'builtins', 'api', 'client', 'runtime'],
  simulator: ['kube', 'timing', 'builtins', 'client', 'runtime'],
  fleet: [
    'kube',
    'timing',
    'schema',
    'apiserver',
    'client',
    'runtime',
    'housekeeping',
    'api',
    'controllers',
    'member',
    'simulator',
  ],
  testkit: [
    'kube',
    'timing',
    'cel',
    'schema',
    'builtins',
    'apiserver',
    'client',
    'runtime',
    'housekeeping',
    'api',
    'controllers',
    'fleet',
  ],
};

/** What tests of a package may import although it lies above the package, beside the testkit. */
const testsMayImport: Record<string, readonly string[]> = {
  // The agent runs between two servers that listen.
  member: ['fleet'],
};

describe('packages', () => {
  for (const [name, allowed] of Object.entries(mayImport)) {
    test(`${name} knows only ${allowed.join(', ') || 'itself'}`, () => {
      const strangers = sourcesOf(`packages/${name}/src`)
        .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
        .filter(({ target }) => target !== name && !allowed.includes(target));
      assert.deepEqual(strangers, []);
    });

    test(`${name} declares what it imports`, () => {
      const used = new Set(sourcesOf(`packages/${name}/src`).flatMap(importsOf));
      const declared = Object.keys(manifestOf(name).dependencies ?? {});
      assert.deepEqual(
        [...used].filter((target) => !declared.includes(`@flotilla/${target}`)),
        [],
      );
    });

    test(`${name} has a README of 5 to 15 lines`, () => {
      const lines = readFileSync(resolve(root, `packages/${name}/README.md`), 'utf8')
        .trimEnd()
        .split('\n').length;
      assert.ok(lines >= 5 && lines <= 15, `it has ${lines}`);
    });
  }

  test('every folder under packages is in the table', () => {
    const folders = globSync('packages/*/package.json', { cwd: root }).map((file) => file.split('/')[1] ?? '');
    assert.deepEqual(new Set(folders), new Set(Object.keys(mayImport)));
  });

  test('every dependency accepts Node 20, so that `npm ci` prints no warning there', () => {
    const lock = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly engines?: Readonly<Record<string, string>> }>>;
    };
    const others = Object.entries(lock.packages).filter(
      ([, { engines }]) => !/(?:^|\|\| )(?:\^20|>=(?:1\d|20))\b/.test(engines?.['node'] ?? '>=20'),
    );
    assert.deepEqual(others, []);
  });

  test('each package is imported only through its exports', () => {
    const deep = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).flatMap((file) =>
      [...readFileSync(resolve(root, file), 'utf8').matchAll(/(?:from |import\()'@flotilla\/([\w-]+)\/([^']+)'/g)]
        .map(([, name = '', door = '']) => ({ file, name, door }))
        .filter(({ name, door }) => !Object.hasOwn(Object(manifestOf(name).exports), `./${door}`)),
    );
    assert.deepEqual(deep, []);
  });
});

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
  audit: ['request', 'response', 'access', 'configuration'],
  credentials: ['access'],
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

test('modules keep no state but what ADR 20 lists', () => {
  const state =
    /^(?:export )?let \w|^(?:export )?const (?!no[A-Z])\w+(?:: (?!Readonly)[^=]+)? = new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)/m;
  const stateful = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root })
    .filter((file) => !/\.(test|testing)\.ts$/.test(file))
    .filter((file) => state.test(readFileSync(resolve(root, file), 'utf8')));
  const page = readFileSync(resolve(root, 'docs/adr/0020-module-state.md'), 'utf8');
  const listed = [...page.matchAll(/\]\(\.\.\/\.\.\/(packages\/[^)]+)\)/g)].map(([, file = '']) => file);
  assert.deepEqual(new Set(stateful), new Set(listed));
});

/**
 * Files that may call the engine's own `JSON.stringify` or `structuredClone`: on strings, and on what the program itself
 * made. Objects of users hold bigints, which the first refuses, and `JsonFloat`s, which the second takes apart.
 */
const printsOwnValues: readonly string[] = [
  'apps/flotilla/src/agent/request-headers.ts',
  'apps/flotilla/src/commands/backup.ts',
  'apps/flotilla/src/commands/envtest.ts',
  'apps/flotilla/src/commands/restore.ts',
  'apps/flotilla/src/configuration.ts',
  'apps/flotilla/src/fleets/running-fleets.ts',
  'apps/flotilla/src/fleets/stop-fleet.ts',
  'apps/flotilla/src/up/print-events.ts',
  'apps/flotilla/src/hub/agent-manifests.ts',
  'apps/flotilla/src/kubeconfig-file.ts',
  'apps/flotilla/src/member/members.ts',
  'packages/api/src/reference/constraints.ts',
  'packages/apiserver/src/access/authentication/issuer-discovery.ts',
  'packages/apiserver/src/access/authentication/json-web-token.ts',
  'packages/apiserver/src/access/rbac/rule-index.ts',
  'packages/apiserver/src/access/rbac/rule-text.ts',
  'packages/apiserver/src/admission/pod-security/pod-security.ts',
  'packages/apiserver/src/own-requests/server-request.ts',
  'packages/apiserver/src/api-services/availability.ts',
  'packages/apiserver/src/bootstrap/rbac/reconcile.ts',
  'packages/apiserver/src/custom/conversion/conversion-review.ts',
  'packages/apiserver/src/custom/conversion/conversion-webhook.ts',
  'packages/apiserver/src/custom/definitions/definitions.ts',
  'packages/apiserver/src/webhooks/resolve-service.ts',
  'packages/apiserver/src/webhooks/webhook-call.ts',
  'packages/apiserver/src/openapi/openapi.ts',
  'packages/apiserver/src/resources/object-bytes.ts',
  'packages/apiserver/src/store/sqlite/log-rows.ts',
  'packages/apiserver/src/verbs/reading/continue-token.ts',
  'packages/apiserver/src/verbs/reading/list.ts',
  'packages/builtins/src/kinds/autoscaling/horizontal-pod-autoscaler.ts',
  'packages/builtins/src/kinds/core-pods/internal/internal-form.ts',
  'packages/builtins/src/kinds/core-pods/pod-life.ts',
  'packages/builtins/src/kinds/core-pods/pod-update.ts',
  'packages/builtins/src/kinds/core-pods/pod.ts',
  'packages/builtins/src/kinds/core-services/service-allocation.ts',
  'packages/builtins/src/kinds/node/runtime-class.ts',
  'packages/builtins/src/kinds/storage/storage-class.ts',
  'packages/controllers/src/clusters/kept-owners.ts',
  'packages/fleet/src/kubeconfig.ts',
  'packages/fleet/src/member-credentials.ts',
  'packages/fleet/src/start-fleet.ts',
  'packages/housekeeping/src/role-aggregation/decide.ts',
  'packages/kube/src/apply/managers.ts',
  'packages/kube/src/apply/path-element.ts',
  'packages/kube/src/json/go-json.ts',
  'packages/kube/src/json/value.ts',
  'packages/kube/src/json/stringify-json.ts',
  'packages/kube/src/logger.ts',
  'packages/member/src/apply/manifest/decode-manifest.ts',
  'packages/member/src/apply/round/process-manifest.ts',
  'packages/member/src/properties/checked-properties.ts',
  'packages/runtime/src/events/event-correlator.ts',
  'packages/schema/src/typescript/print-types.ts',
  'packages/schema/src/typescript/source-text.ts',
  'packages/schema/src/typescript/type-printer.ts',
  'packages/testkit/src/wire.ts',
];

test('user objects are printed and copied only by functions that keep large numbers exact', () => {
  const callers = sourcesOf('{packages,apps}/*/src').filter((file) =>
    /\b(?:JSON\.stringify|structuredClone)\(/.test(readFileSync(resolve(root, file), 'utf8')),
  );
  assert.deepEqual(
    callers.filter((file) => !printsOwnValues.includes(file)),
    [],
  );
});

describe('test support', () => {
  const sources = sourcesOf('{packages,apps}/*/src').filter((file) => !file.startsWith('packages/testkit/'));
  const supporting = globSync('{packages,apps}/*/src/**/*.{test,testing}.ts', { cwd: root });

  test('is imported by no production source', () => {
    const imports = sources.flatMap((file) => localImportsOf(file).map((target) => ({ file, target })));
    assert.deepEqual(
      imports.filter(({ target }) => /\.(test|testing)\.ts$/.test(target) || target.startsWith('packages/testkit/')),
      [],
    );
  });

  test('is named NAME.testing.ts, so that every other source is part of a program', () => {
    const entries = [
      'apps/flotilla/src/main.ts',
      ...Object.keys(mayImport).flatMap((name) => doorsOf(name).map((door) => door.file)),
      ...globSync('scripts/*.ts', { cwd: root }),
    ];
    const reached = new Set(entries);
    for (const file of reached) for (const target of localImportsOf(file)) reached.add(target);
    assert.deepEqual(
      sources.filter((file) => !reached.has(file)),
      [],
    );
  });

  for (const name of Object.keys(mayImport)) {
    const allowed = [...(mayImport[name] ?? []), 'testkit', ...(testsMayImport[name] ?? [])];
    test(`tests of ${name} know only ${allowed.join(', ')}`, () => {
      const strangers = supporting
        .filter((file) => file.startsWith(`packages/${name}/`))
        .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
        .filter(({ target }) => target !== name && !allowed.includes(target));
      assert.deepEqual(strangers, []);
    });
  }

  for (const folder of [...Object.keys(mayImport).map((name) => `packages/${name}`), 'apps/flotilla']) {
    test(`${folder} declares what only its tests import`, () => {
      const { name, dependencies = {}, devDependencies = {} } = manifestIn(folder);
      const used = supporting.filter((file) => file.startsWith(`${folder}/`)).flatMap(importsOf);
      const upwards = new Set(used.map((target) => `@flotilla/${target}`));
      for (const known of [name, ...Object.keys(dependencies)]) upwards.delete(known);
      assert.deepEqual(Object.keys(devDependencies).sort(), [...upwards].sort());
    });
  }
});

describe('common nouns', () => {
  const files = globSync(['{packages,apps}/*/src/**/*.ts', '{bench,test}/**/*.ts'], { cwd: root });
  const textOf = (file: string): string => readFileSync(resolve(root, file), 'utf8');

  test('no file declares a kind that kube declares for all', () => {
    const declared = (file: string): string[] =>
      [...textOf(file).matchAll(/kind: '\w+',\s+plural: '(\w+)'(?:,\s+namespaced| \})/g)].map(
        ([, plural = '']) => plural,
      );
    const wellKnown = 'packages/kube/src/well-known-kinds.ts';
    const known = new Set(declared(wellKnown));
    const again = files.filter((file) => file !== wellKnown && declared(file).some((plural) => known.has(plural)));
    assert.ok(known.size > 0);
    assert.deepEqual(again, []);
  });

  test('constants are named in camelCase', () => {
    assert.deepEqual(
      files.filter((file) => /^(?:export )?const [A-Z][A-Z0-9_]+\b/m.test(textOf(file))),
      [],
    );
  });
});

/** Files that may call `setImmediate`: the module that all others yield through, a batch, and a thread of its own. */
const plansTurns: readonly string[] = [
  'packages/apiserver/src/store/engine/group-commit.ts',
  'packages/apiserver/src/store/sqlite/sqlite-worker.ts',
  'packages/testkit/src/manual-clock.ts',
  'packages/timing/src/loop-turns.ts',
];

test('work yields to the event loop through @flotilla/timing alone', () => {
  const callers = sourcesOf('{packages,apps}/*/src').filter((file) =>
    /\bsetImmediate\b/.test(readFileSync(resolve(root, file), 'utf8')),
  );
  assert.deepEqual(
    callers.filter((file) => !plansTurns.includes(file)),
    [],
  );
});

describe('documents', () => {
  for (const file of globSync(['*.md', 'docs/**/*.md', '{packages,apps}/*/README.md'], { cwd: root })) {
    test(`${file} has no broken links`, () => {
      // What looks like a link in code, as patterns do, is none.
      const text = readFileSync(resolve(root, file), 'utf8').replaceAll(/`[^`\n]*`/g, '');
      const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)|click \w+ "([^"]+)"/g)].map(
        (match) => match[1] ?? match[2] ?? '',
      );
      const broken = links.filter((link) => !/^\w+:/.test(link) && !existsSync(resolve(root, file, '..', link)));
      assert.deepEqual(broken, []);
    });
  }
});

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  /** What its tests import beside that. */
  readonly devDependencies?: Readonly<Record<string, string>>;
  /** The file that is its only door, or its doors by name. */
  readonly exports?: string | Readonly<Record<string, string>>;
}

function manifestOf(name: string): Manifest {
  return manifestIn(`packages/${name}`);
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(resolve(root, folder, 'package.json'), 'utf8')) as Manifest;
}

/** How a package is imported, and the file that answers. */
function doorsOf(name: string): { readonly specifier: string; readonly file: string }[] {
  const { exports: doors = {} } = manifestOf(name);
  return Object.entries(typeof doors === 'string' ? { '.': doors } : doors).map(([door, file]) => ({
    specifier: join(`@flotilla/${name}`, door),
    file: join('packages', name, file),
  }));
}

/** Sources without tests and without what only tests use. */
function sourcesOf(folder: string): string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).filter((file) => !/\.(test|testing)\.ts$/.test(file));
}

function importsOf(file: string): string[] {
  return [...readFileSync(resolve(root, file), 'utf8').matchAll(/(?:from |import\()'@flotilla\/([\w-]+)/g)].map(
    (match) => match[1] ?? '',
  );
}

/** The files of this repository that a file imports or starts as a thread, relative to its root. */
function localImportsOf(file: string): string[] {
  const text = readFileSync(resolve(root, file), 'utf8');
  const imported = [...text.matchAll(/(?:from |import |import\()'((?:\.|@flotilla\/)[^']+)'/g)].map(
    ([, name = '']) => name,
  );
  // Written without its extension, which a bundle changes.
  const started = [...text.matchAll(/new URL\(`(\.\/[\w-]+)\$\{extname/g)].map(([, name = '']) => `${name}.ts`);
  return [...imported, ...started].flatMap((name) => {
    if (name.startsWith('.')) return join(file, '..', name);
    const [, owner = ''] = name.split('/');
    return doorsOf(owner).flatMap((door) => (door.specifier === name ? door.file : []));
  });
}
