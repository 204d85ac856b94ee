import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient, type ClientOptions } from '@flotilla/client';
import { apiErrors, configMaps, keyText, silentLogger, type KubeObject } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { LoopTurns } from '@flotilla/timing';
import * as fc from 'fast-check';
import { failureLogger } from '../failure-logger.testing.ts';
import { ScriptedServer } from '../scripted-server.testing.ts';
import { Informer } from './informer.ts';
import { ListedSource, type ListedSourceOptions } from './listed-source.ts';
import { keyOf } from './object-key.ts';

const collection = '/api/v1/configmaps';

function aConfigMap(name: string, value = '', namespace = 'default'): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { value } };
}

/** An informer over a server that a test commands, and all that it told. */
class Scene {
  readonly clock = new ManualClock();
  readonly server = new ScriptedServer();
  readonly told: string[] = [];
  readonly failures: unknown[] = [];
  readonly informer: Informer;
  /** What somebody knows who only listens. */
  readonly heard = new Map<string, KubeObject>();

  constructor(
    options: Pick<ListedSourceOptions, 'namespace' | 'metadataOnly' | 'versionsOnly' | 'excerpt'> = {},
    prepare: (server: ScriptedServer) => unknown = () => {},
    limits: ClientOptions['limits'] = {},
  ) {
    const { clock } = this;
    prepare(this.server);
    const random = (): number => 0.5;
    const client = createClient(this.server, { clock, random, limits });
    const source = new ListedSource({ client, kind: configMaps, clock, random, logger: silentLogger, ...options });
    this.informer = new Informer(source, failureLogger(this.failures), new LoopTurns());
    this.informer.addIndexes({ value: ({ ['data']: data }) => [(data as { readonly value: string }).value] });
    this.informer.subscribe((now, old, isLive) => this.#hear(now, old, isLive));
  }

  /** Pages, and watches that begin with a list. */
  get lists(): number {
    return this.server.requests.filter((request) =>
      request.includes('watch=true') ? request.includes('sendInitialEvents=true') : !request.includes('limit=1'),
    ).length;
  }

  /** The informer, its index and its listener all know what the server has. */
  assertAgrees(): void {
    assert.deepEqual(this.failures, []);
    const there = this.server.list(collection).map(identity);
    assert.deepEqual([...this.informer.all()].map(identity).sort(), there);
    assert.deepEqual([...this.heard.values()].map(identity).sort(), there);
    for (const value of ['a', 'b', 'c']) {
      const having = this.server.list(collection).filter((object) => valueOf(object) === value);
      assert.deepEqual([...this.informer.indexed('value', value)].map(identity).sort(), having.map(identity));
    }
  }

  #hear(now: KubeObject | undefined, old: KubeObject | undefined, isLive: boolean): void {
    const key = keyText(keyOf((now ?? old) as KubeObject));
    assert.equal(identity(old), identity(this.heard.get(key)), 'what was told as old is what was told before');
    assert.notEqual(identity(now), identity(old), 'nothing is told twice');
    if (now === undefined) this.heard.delete(key);
    else this.heard.set(key, now);
    this.told.push(`${isLive ? '' : '(listed) '}${now === undefined ? '-' : old === undefined ? '+' : '~'}${key}`);
  }
}

function identity(object: KubeObject | undefined): string {
  if (object === undefined) return 'absent';
  const { namespace, name, uid, resourceVersion } = object.metadata;
  return `${namespace}/${name} ${uid} ${resourceVersion} ${valueOf(object)}`;
}

function valueOf({ data }: KubeObject): string {
  return (data as { readonly value: string }).value;
}

describe('a listed source', () => {
  test('lists and watches with one request', async () => {
    const scene = new Scene();
    for (const name of ['a', 'b']) scene.server.put(collection, aConfigMap(name));
    await scene.clock.advance(0);
    assert.equal(scene.informer.isSynced, true);
    scene.server.put(collection, aConfigMap('c'));
    await scene.clock.advance(0);
    scene.assertAgrees();
    assert.deepEqual(scene.told, ['(listed) +default/a', '(listed) +default/b', '+default/c']);
    assert.equal(scene.server.requests.length, 1);
  });

  test('requests smaller pages if one exceeds what the client reads', async () => {
    const fill = (server: ScriptedServer): void => {
      server.streamsLists = false;
      for (let index = 0; index < 40; index++) server.put(collection, aConfigMap(`c${index}`, 'x'.repeat(1000)));
    };
    const scene = new Scene({}, fill, { list: 15_000 });
    await scene.clock.advance(5000);
    assert.equal(scene.informer.isSynced, true);
    scene.assertAgrees();
    const pages = scene.server.requests.flatMap((request) => /limit=(\d+)/.exec(request)?.[1] ?? []);
    assert.deepEqual([...new Set(pages)], ['500', '125', '32', '8']);
  });

  test('starts again when the connection breaks during the list, and notifies of nothing twice', async () => {
    const scene = new Scene();
    for (const name of ['a', 'b', 'c']) scene.server.put(collection, aConfigMap(name));
    scene.server.streamLimit = 2;
    await scene.clock.advance(0);
    assert.equal(scene.informer.isSynced, false);
    scene.server.cut();
    scene.server.remove(collection, 'default/a');
    scene.server.streamLimit = 5;
    await scene.clock.advance(5000);
    assert.equal(scene.informer.isSynced, true);
    scene.assertAgrees();
    assert.deepEqual(
      scene.told.map((told) => told.replace('(listed) ', '')),
      ['+default/a', '+default/b', '+default/c', '-default/a'],
    );
  });

  test('backs off from a server that never completes a list', async () => {
    const scene = new Scene({}, (server) => {
      server.put(collection, aConfigMap('a'));
      server.streamLimit = 0;
      server.before = () => void setImmediate(() => server.cut());
    });
    await scene.clock.advance(60_000);
    assert.ok(scene.lists < 12, `${scene.lists} lists`);
  });

  test('does not request streaming lists again from a server that refused them', async () => {
    const scene = new Scene({}, (server) => (server.streamsLists = false));
    scene.server.put(collection, aConfigMap('a'));
    await scene.clock.advance(0);
    scene.assertAgrees();
    scene.server.cut();
    scene.server.put(collection, aConfigMap('b'));
    scene.server.compact();
    await scene.clock.advance(5000);
    scene.assertAgrees();
    assert.equal(scene.server.requests.filter((request) => request.includes('sendInitialEvents')).length, 1);
  });

  test('lists in pages if the stream ends before the list is complete', async () => {
    const scene = new Scene();
    for (const name of ['a', 'b', 'c']) scene.server.put(collection, aConfigMap(name));
    scene.server.streamLimit = 2;
    await scene.clock.advance(0);
    scene.server.endWatches();
    await scene.clock.advance(0);
    assert.equal(scene.informer.isSynced, true);
    scene.assertAgrees();
  });

  test('lists in pages from a server without streaming lists, then watches from there', async () => {
    const scene = new Scene({}, (server) => (server.streamsLists = false));
    for (let n = 0; n < 7; n++) scene.server.put(collection, aConfigMap(`m${n}`));
    scene.server.pageLimit = 3;
    assert.equal(scene.informer.isSynced, false);
    await scene.clock.advance(0);
    assert.equal(scene.informer.isSynced, true);
    assert.equal(scene.lists, 1 + 3);
    scene.assertAgrees();
    scene.server.put(collection, aConfigMap('m1', 'a'));
    scene.server.remove(collection, 'default/m2');
    await scene.clock.advance(0);
    scene.assertAgrees();
    assert.deepEqual(scene.told.slice(7), ['~default/m1', '-default/m2']);
  });

  test('misses no change between two pages', async () => {
    const scene = new Scene({}, (server) => (server.streamsLists = false));
    for (let n = 0; n < 4; n++) scene.server.put(collection, aConfigMap(`m${n}`));
    scene.server.pageLimit = 2;
    scene.server.before = ({ query }) => {
      if (!query.includes('continue=')) return;
      scene.server.remove(collection, 'default/m0');
      scene.server.put(collection, aConfigMap('m9'));
    };
    await scene.clock.advance(0);
    scene.assertAgrees();
  });

  test('resumes after a lost connection without listing again', async () => {
    const scene = new Scene();
    scene.server.put(collection, aConfigMap('a'));
    await scene.clock.advance(0);
    scene.server.cut();
    scene.server.put(collection, aConfigMap('b'));
    await scene.clock.advance(5000);
    scene.assertAgrees();
    assert.equal(scene.lists, 1);
    assert.deepEqual(scene.told, ['(listed) +default/a', '+default/b']);
  });

  test('uses bookmarks, so that a quiet kind does not list again after a compaction', async () => {
    const scene = new Scene();
    await scene.clock.advance(0);
    scene.server.revision += 100;
    scene.server.bookmark();
    await scene.clock.advance(0);
    scene.server.compact();
    scene.server.cut();
    await scene.clock.advance(5000);
    assert.equal(scene.lists, 1);
    assert.equal(scene.informer.revision, 101);
  });

  test('lists again when its revision has expired, and notifies only of differences', async () => {
    const scene = new Scene();
    for (const name of ['same', 'changed', 'removed', 'replaced']) scene.server.put(collection, aConfigMap(name));
    await scene.clock.advance(0);
    scene.server.cut();
    scene.server.put(collection, aConfigMap('changed', 'a'));
    scene.server.remove(collection, 'default/removed');
    scene.server.remove(collection, 'default/replaced');
    scene.server.put(collection, aConfigMap('replaced'));
    scene.server.put(collection, aConfigMap('added'));
    scene.server.compact();
    scene.told.length = 0;
    await scene.clock.advance(5000);
    scene.assertAgrees();
    assert.deepEqual(scene.told, [
      '(listed) +default/added',
      '(listed) ~default/changed',
      '(listed) ~default/replaced',
      '(listed) -default/removed',
    ]);
  });

  test('notices a server that restarted without its data', async () => {
    const scene = new Scene();
    for (let n = 0; n < 5; n++) scene.server.put(collection, aConfigMap(`m${n}`));
    await scene.clock.advance(0);
    scene.server.restart({ losesMemory: true });
    scene.server.put(collection, aConfigMap('new'));
    await scene.clock.advance(10_000);
    scene.assertAgrees();
  });

  test('backs off from an unreachable server, to at most half a minute', async () => {
    const scene = new Scene();
    await scene.clock.advance(0);
    const attempts: number[] = [];
    const { server, clock } = scene;
    const send = server.send.bind(server);
    Object.assign(server, { send: (request: never) => (attempts.push(clock.now()), send(request)) });
    server.isReachable = false;
    server.cut();
    await clock.advance(300_000);
    const gaps = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    assert.deepEqual(gaps.slice(0, 4), [200, 400, 800, 1600]);
    assert.equal(Math.max(...gaps), 30_000);
    assert.match(scene.informer.trouble ?? '', /ECONNREFUSED/);
    server.isReachable = true;
    server.put(collection, aConfigMap('a'));
    await clock.advance(30_000);
    scene.assertAgrees();
    assert.equal(scene.informer.trouble, undefined);
  });

  test('waits as long as Retry-After says', async () => {
    let refusals = 0;
    const scene = new Scene({}, (server) => {
      server.before = () => {
        if (refusals++ === 0) throw apiErrors.timeout('busy', 20);
      };
    });
    await scene.clock.advance(19_000);
    assert.equal(scene.informer.isSynced, false);
    await scene.clock.advance(3000);
    assert.equal(scene.informer.isSynced, true);
  });

  test('drops a watch that is silent beyond its timeout', async () => {
    const scene = new Scene();
    await scene.clock.advance(0);
    await scene.clock.advance(3_600_000);
    const watches = scene.server.requests.filter((request) => request.includes('watch=true'));
    assert.equal(watches.length, 1 + Math.floor(3600 / (450 + 30)));
    assert.equal(scene.server.watching, 1);
    assert.equal(scene.lists, 1);
  });

  test('backs off from a server that ends watches at once', async () => {
    const scene = new Scene();
    await scene.clock.advance(0);
    scene.server.before = ({ query }) => {
      if (query.includes('watch=true')) setImmediate(() => scene.server.endWatches());
    };
    scene.server.endWatches();
    await scene.clock.advance(60_000);
    assert.ok(scene.server.requests.length < 30, `${scene.server.requests.length} requests`);
  });

  test('keeps objects without managedFields, with kind and apiVersion', async () => {
    const scene = new Scene({ metadataOnly: true });
    const stored = aConfigMap('a');
    const managedFields = [{ manager: 'kubectl', operation: 'Update' }];
    scene.server.put(collection, {
      ...stored,
      kind: 'PartialObjectMetadata',
      metadata: { ...stored.metadata, managedFields },
    });
    await scene.clock.advance(0);
    const object = scene.informer.get({ namespace: 'default', name: 'a' });
    assert.equal(object?.metadata.managedFields, undefined);
    assert.equal(object?.kind, 'ConfigMap');
  });

  test('keeps only the version if that is all that is requested', async () => {
    const scene = new Scene({ versionsOnly: true });
    const stored = aConfigMap('a');
    scene.server.put(collection, { ...stored, metadata: { ...stored.metadata, annotations: { a: 'long' } } });
    await scene.clock.advance(0);
    const { resourceVersion = '', ...metadata } =
      scene.informer.get({ namespace: 'default', name: 'a' })?.metadata ?? {};
    assert.notEqual(resourceVersion, '');
    assert.deepEqual(metadata, { namespace: 'default', name: 'a', uid: 'uid-1' });
  });

  test('keeps an excerpt, with name, uid and resourceVersion', async () => {
    const scene = new Scene({ excerpt: { name: 'data', of: ({ ['data']: data }) => ({ data }) } });
    const stored = aConfigMap('a', 'b');
    scene.server.put(collection, {
      ...stored,
      metadata: { ...stored.metadata, annotations: { a: 'long' } },
      large: 'x',
    });
    await scene.clock.advance(0);
    const { metadata, ...object } = scene.informer.get({ namespace: 'default', name: 'a' }) ?? {};
    assert.deepEqual(object, { apiVersion: 'v1', kind: 'ConfigMap', data: stored['data'] });
    assert.deepEqual(Object.keys(metadata ?? {}), ['namespace', 'name', 'uid', 'resourceVersion']);
  });

  test('of one namespace requests no other', async () => {
    const scene = new Scene({ namespace: 'mine' });
    scene.server.put(collection, aConfigMap('a', '', 'mine'));
    scene.server.put(collection, aConfigMap('b', '', 'yours'));
    await scene.clock.advance(0);
    scene.server.put(collection, aConfigMap('c', '', 'yours'));
    await scene.clock.advance(0);
    assert.equal(scene.informer.size, 1);
    assert.ok(scene.server.requests.every((request) => request.startsWith('GET /api/v1/namespaces/mine/configmaps')));
  });

  test('stops with its informer', async () => {
    const scene = new Scene();
    await scene.clock.advance(0);
    await scene.informer.stop();
    scene.server.put(collection, aConfigMap('a'));
    await scene.clock.advance(1_000_000);
    assert.deepEqual(scene.told, []);
    assert.equal(scene.server.watching, 0);
    assert.equal(scene.clock.pending, 0);
  });
});

type Step =
  | { readonly do: 'put'; readonly name: string; readonly value: string }
  | { readonly do: 'remove'; readonly name: string }
  | { readonly do: 'cut' | 'end' | 'bookmark' | 'compact' | 'restart' | 'amnesia' | 'away' | 'back' }
  | { readonly do: 'pass'; readonly ms: number };

const name = fc.constantFrom('m0', 'm1', 'm2', 'm3', 'm4', 'm5');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('put' as const), name, value: fc.constantFrom('a', 'b', 'c') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('cut', 'end', 'bookmark', 'compact', 'restart', 'amnesia', 'away', 'back'),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(0, 1, 100, 3000) }) },
);

async function perform(next: Step, { server, clock }: Scene): Promise<void> {
  switch (next.do) {
    case 'put':
      return void server.put(collection, aConfigMap(next.name, next.value));
    case 'remove':
      return void server.remove(collection, `default/${next.name}`);
    case 'cut':
      return server.cut();
    case 'end':
      return server.endWatches();
    case 'bookmark':
      return server.bookmark();
    case 'compact':
      return server.compact();
    case 'restart':
      return server.restart({ losesMemory: false });
    case 'amnesia':
      return forget(server, clock);
    case 'away':
      server.isReachable = false;
      return server.cut();
    case 'back':
      server.isReachable = true;
      return;
    case 'pass':
      return clock.advance(next.ms);
  }
}

/** A server that lost its memory and has already passed the revision where a client was cannot be told from one that has not. */
async function forget(server: ScriptedServer, clock: ManualClock): Promise<void> {
  if (server.revision < 4) return;
  server.restart({ losesMemory: true });
  server.isReachable = true;
  await clock.advance(60_000);
  // As servers do every minute: it wakes a watch that was opened just after the loss, which nothing else would.
  server.bookmark();
  await clock.advance(60_000);
}

/** All at once, or in pages of so many. */
const waysToList = fc.oneof(
  fc.constant({ streamsLists: true }),
  fc.record({ streamsLists: fc.constant(false), pageLimit: fc.integer({ min: 1, max: 5 }) }),
);

describe('an informer', () => {
  test('equals a list after any sequence of events, lost connections, compactions and restarts, and notifies of each change once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50 }), waysToList, async (steps, way) => {
        const scene = new Scene({}, (server) => Object.assign(server, way));
        for (const next of steps) await perform(next, scene);
        scene.server.isReachable = true;
        await scene.clock.advance(120_000);
        scene.assertAgrees();
        await scene.informer.stop();
      }),
      { numRuns: 500 },
    );
  });
});
