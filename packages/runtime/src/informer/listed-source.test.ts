import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient, type ClientOptions } from '@flotilla/client';
import { apiErrors, configMaps, keyText, silentLogger, type KubeObject } from '@flotilla/kube';
import { configMap, ManualClock } from '@flotilla/testkit';
import { LoopTurns } from '@flotilla/timing';
import * as fc from 'fast-check';
import { failureLogger } from '../failure-logger.testing.ts';
import { ScriptedServer } from '../scripted-server.testing.ts';
import { Informer } from './informer.ts';
import { ListedSource, type ListedSourceOptions } from './listed-source.ts';
import { keyOf } from './object-key.ts';

const collection = '/api/v1/configmaps';

function aConfigMap(name: string, value = '', namespace = 'default'): KubeObject {
  return configMap(name, { value }, { namespace });
}

/** An informer of a scripted server, and its notifications. */
class Fixture {
  readonly clock = new ManualClock();
  readonly server = new ScriptedServer();
  readonly notifications: string[] = [];
  readonly failures: unknown[] = [];
  readonly informer: Informer;
  /** The state according to the notifications. */
  readonly seen = new Map<string, KubeObject>();

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
    this.informer.subscribe((now, old, isLive) => this.#notified(now, old, isLive));
  }

  /** Pages, and watches that begin with a list. */
  get lists(): number {
    return this.server.requests.filter((request) =>
      request.includes('watch=true') ? request.includes('sendInitialEvents=true') : !request.includes('limit=1'),
    ).length;
  }

  /** Informer, index and notifications all agree with the server. */
  assertAgrees(): void {
    assert.deepEqual(this.failures, []);
    const there = this.server.list(collection).map(identity);
    assert.deepEqual([...this.informer.all()].map(identity).sort(), there);
    assert.deepEqual([...this.seen.values()].map(identity).sort(), there);
    for (const value of ['a', 'b', 'c']) {
      const having = this.server.list(collection).filter((object) => valueOf(object) === value);
      assert.deepEqual([...this.informer.indexed('value', value)].map(identity).sort(), having.map(identity));
    }
  }

  #notified(now: KubeObject | undefined, old: KubeObject | undefined, isLive: boolean): void {
    const key = keyText(keyOf((now ?? old) as KubeObject));
    assert.equal(identity(old), identity(this.seen.get(key)), 'the old state is that of the notification before');
    assert.notEqual(identity(now), identity(old), 'no change is notified twice');
    if (now === undefined) this.seen.delete(key);
    else this.seen.set(key, now);
    this.notifications.push(
      `${isLive ? '' : '(listed) '}${now === undefined ? '-' : old === undefined ? '+' : '~'}${key}`,
    );
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
    const fixture = new Fixture();
    for (const name of ['a', 'b']) fixture.server.put(collection, aConfigMap(name));
    await fixture.clock.advance(0);
    assert.equal(fixture.informer.isSynced, true);
    fixture.server.put(collection, aConfigMap('c'));
    await fixture.clock.advance(0);
    fixture.assertAgrees();
    assert.deepEqual(fixture.notifications, ['(listed) +default/a', '(listed) +default/b', '+default/c']);
    assert.equal(fixture.server.requests.length, 1);
  });

  test('requests smaller pages if one exceeds what the client reads', async () => {
    const fill = (server: ScriptedServer): void => {
      server.hasStreamingLists = false;
      for (let index = 0; index < 40; index++) server.put(collection, aConfigMap(`c${index}`, 'x'.repeat(1000)));
    };
    const fixture = new Fixture({}, fill, { list: 15_000 });
    await fixture.clock.advance(5000);
    assert.equal(fixture.informer.isSynced, true);
    fixture.assertAgrees();
    const pages = fixture.server.requests.flatMap((request) => /limit=(\d+)/.exec(request)?.[1] ?? []);
    assert.deepEqual([...new Set(pages)], ['500', '125', '32', '8']);
  });

  test('starts again when the connection breaks during the list, and notifies of nothing twice', async () => {
    const fixture = new Fixture();
    for (const name of ['a', 'b', 'c']) fixture.server.put(collection, aConfigMap(name));
    fixture.server.streamLimit = 2;
    await fixture.clock.advance(0);
    assert.equal(fixture.informer.isSynced, false);
    fixture.server.cut();
    fixture.server.remove(collection, 'default/a');
    fixture.server.streamLimit = 5;
    await fixture.clock.advance(5000);
    assert.equal(fixture.informer.isSynced, true);
    fixture.assertAgrees();
    assert.deepEqual(
      fixture.notifications.map((notifications) => notifications.replace('(listed) ', '')),
      ['+default/a', '+default/b', '+default/c', '-default/a'],
    );
  });

  test('backs off from a server that never completes a list', async () => {
    const fixture = new Fixture({}, (server) => {
      server.put(collection, aConfigMap('a'));
      server.streamLimit = 0;
      server.before = () => void setImmediate(() => server.cut());
    });
    await fixture.clock.advance(60_000);
    assert.ok(fixture.lists < 12, `${fixture.lists} lists`);
  });

  test('does not request streaming lists again from a server that refused them', async () => {
    const fixture = new Fixture({}, (server) => (server.hasStreamingLists = false));
    fixture.server.put(collection, aConfigMap('a'));
    await fixture.clock.advance(0);
    fixture.assertAgrees();
    fixture.server.cut();
    fixture.server.put(collection, aConfigMap('b'));
    fixture.server.compact();
    await fixture.clock.advance(5000);
    fixture.assertAgrees();
    assert.equal(fixture.server.requests.filter((request) => request.includes('sendInitialEvents')).length, 1);
  });

  test('lists in pages if the stream ends before the list is complete', async () => {
    const fixture = new Fixture();
    for (const name of ['a', 'b', 'c']) fixture.server.put(collection, aConfigMap(name));
    fixture.server.streamLimit = 2;
    await fixture.clock.advance(0);
    fixture.server.endWatches();
    await fixture.clock.advance(0);
    assert.equal(fixture.informer.isSynced, true);
    fixture.assertAgrees();
  });

  test('lists in pages from a server without streaming lists, then watches from there', async () => {
    const fixture = new Fixture({}, (server) => (server.hasStreamingLists = false));
    for (let n = 0; n < 7; n++) fixture.server.put(collection, aConfigMap(`m${n}`));
    fixture.server.pageLimit = 3;
    assert.equal(fixture.informer.isSynced, false);
    await fixture.clock.advance(0);
    assert.equal(fixture.informer.isSynced, true);
    assert.equal(fixture.lists, 1 + 3);
    fixture.assertAgrees();
    fixture.server.put(collection, aConfigMap('m1', 'a'));
    fixture.server.remove(collection, 'default/m2');
    await fixture.clock.advance(0);
    fixture.assertAgrees();
    assert.deepEqual(fixture.notifications.slice(7), ['~default/m1', '-default/m2']);
  });

  test('misses no change between two pages', async () => {
    const fixture = new Fixture({}, (server) => (server.hasStreamingLists = false));
    for (let n = 0; n < 4; n++) fixture.server.put(collection, aConfigMap(`m${n}`));
    fixture.server.pageLimit = 2;
    fixture.server.before = ({ query }) => {
      if (!query.includes('continue=')) return;
      fixture.server.remove(collection, 'default/m0');
      fixture.server.put(collection, aConfigMap('m9'));
    };
    await fixture.clock.advance(0);
    fixture.assertAgrees();
  });

  test('resumes after a lost connection without listing again', async () => {
    const fixture = new Fixture();
    fixture.server.put(collection, aConfigMap('a'));
    await fixture.clock.advance(0);
    fixture.server.cut();
    fixture.server.put(collection, aConfigMap('b'));
    await fixture.clock.advance(5000);
    fixture.assertAgrees();
    assert.equal(fixture.lists, 1);
    assert.deepEqual(fixture.notifications, ['(listed) +default/a', '+default/b']);
  });

  test('uses bookmarks, so that a quiet kind does not list again after a compaction', async () => {
    const fixture = new Fixture();
    await fixture.clock.advance(0);
    fixture.server.revision += 100;
    fixture.server.bookmark();
    await fixture.clock.advance(0);
    fixture.server.compact();
    fixture.server.cut();
    await fixture.clock.advance(5000);
    assert.equal(fixture.lists, 1);
    assert.equal(fixture.informer.revision, 101);
  });

  test('lists again when its revision has expired, and notifies only of differences', async () => {
    const fixture = new Fixture();
    for (const name of ['same', 'changed', 'removed', 'replaced']) fixture.server.put(collection, aConfigMap(name));
    await fixture.clock.advance(0);
    fixture.server.cut();
    fixture.server.put(collection, aConfigMap('changed', 'a'));
    fixture.server.remove(collection, 'default/removed');
    fixture.server.remove(collection, 'default/replaced');
    fixture.server.put(collection, aConfigMap('replaced'));
    fixture.server.put(collection, aConfigMap('added'));
    fixture.server.compact();
    fixture.notifications.length = 0;
    await fixture.clock.advance(5000);
    fixture.assertAgrees();
    assert.deepEqual(fixture.notifications, [
      '(listed) +default/added',
      '(listed) ~default/changed',
      '(listed) ~default/replaced',
      '(listed) -default/removed',
    ]);
  });

  test('notices a server that restarted without its data', async () => {
    const fixture = new Fixture();
    for (let n = 0; n < 5; n++) fixture.server.put(collection, aConfigMap(`m${n}`));
    await fixture.clock.advance(0);
    fixture.server.restart({ losesData: true });
    fixture.server.put(collection, aConfigMap('new'));
    await fixture.clock.advance(10_000);
    fixture.assertAgrees();
  });

  test('backs off from an unreachable server, to at most half a minute', async () => {
    const fixture = new Fixture();
    await fixture.clock.advance(0);
    const attempts: number[] = [];
    const { server, clock } = fixture;
    const send = server.send.bind(server);
    Object.assign(server, { send: (request: never) => (attempts.push(clock.now()), send(request)) });
    server.isReachable = false;
    server.cut();
    await clock.advance(300_000);
    const gaps = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    assert.deepEqual(gaps.slice(0, 4), [200, 400, 800, 1600]);
    assert.equal(Math.max(...gaps), 30_000);
    assert.match(fixture.informer.failure ?? '', /ECONNREFUSED/);
    server.isReachable = true;
    server.put(collection, aConfigMap('a'));
    await clock.advance(30_000);
    fixture.assertAgrees();
    assert.equal(fixture.informer.failure, undefined);
  });

  test('waits as long as Retry-After says', async () => {
    let refusals = 0;
    const fixture = new Fixture({}, (server) => {
      server.before = () => {
        if (refusals++ === 0) throw apiErrors.timeout('busy', 20);
      };
    });
    await fixture.clock.advance(19_000);
    assert.equal(fixture.informer.isSynced, false);
    await fixture.clock.advance(3000);
    assert.equal(fixture.informer.isSynced, true);
  });

  test('drops a watch that is silent beyond its timeout', async () => {
    const fixture = new Fixture();
    await fixture.clock.advance(0);
    await fixture.clock.advance(3_600_000);
    const watches = fixture.server.requests.filter((request) => request.includes('watch=true'));
    assert.equal(watches.length, 1 + Math.floor(3600 / (450 + 30)));
    assert.equal(fixture.server.watching, 1);
    assert.equal(fixture.lists, 1);
  });

  test('backs off from a server that ends watches at once', async () => {
    const fixture = new Fixture();
    await fixture.clock.advance(0);
    fixture.server.before = ({ query }) => {
      if (query.includes('watch=true')) setImmediate(() => fixture.server.endWatches());
    };
    fixture.server.endWatches();
    await fixture.clock.advance(60_000);
    assert.ok(fixture.server.requests.length < 30, `${fixture.server.requests.length} requests`);
  });

  test('keeps objects without managedFields, with kind and apiVersion', async () => {
    const fixture = new Fixture({ metadataOnly: true });
    const stored = aConfigMap('a');
    const managedFields = [{ manager: 'kubectl', operation: 'Update' }];
    fixture.server.put(collection, {
      ...stored,
      kind: 'PartialObjectMetadata',
      metadata: { ...stored.metadata, managedFields },
    });
    await fixture.clock.advance(0);
    const object = fixture.informer.get({ namespace: 'default', name: 'a' });
    assert.equal(object?.metadata.managedFields, undefined);
    assert.equal(object?.kind, 'ConfigMap');
  });

  test('keeps only the version if that is all that is requested', async () => {
    const fixture = new Fixture({ versionsOnly: true });
    const stored = aConfigMap('a');
    fixture.server.put(collection, { ...stored, metadata: { ...stored.metadata, annotations: { a: 'long' } } });
    await fixture.clock.advance(0);
    const { resourceVersion = '', ...metadata } =
      fixture.informer.get({ namespace: 'default', name: 'a' })?.metadata ?? {};
    assert.notEqual(resourceVersion, '');
    assert.deepEqual(metadata, { namespace: 'default', name: 'a', uid: 'uid-1' });
  });

  test('keeps an excerpt, with name, uid and resourceVersion', async () => {
    const fixture = new Fixture({ excerpt: { name: 'data', of: ({ ['data']: data }) => ({ data }) } });
    const stored = aConfigMap('a', 'b');
    fixture.server.put(collection, {
      ...stored,
      metadata: { ...stored.metadata, annotations: { a: 'long' } },
      large: 'x',
    });
    await fixture.clock.advance(0);
    const { metadata, ...object } = fixture.informer.get({ namespace: 'default', name: 'a' }) ?? {};
    assert.deepEqual(object, { apiVersion: 'v1', kind: 'ConfigMap', data: stored['data'] });
    assert.deepEqual(Object.keys(metadata ?? {}), ['namespace', 'name', 'uid', 'resourceVersion']);
  });

  test('of one namespace requests no other', async () => {
    const fixture = new Fixture({ namespace: 'mine' });
    fixture.server.put(collection, aConfigMap('a', '', 'mine'));
    fixture.server.put(collection, aConfigMap('b', '', 'yours'));
    await fixture.clock.advance(0);
    fixture.server.put(collection, aConfigMap('c', '', 'yours'));
    await fixture.clock.advance(0);
    assert.equal(fixture.informer.size, 1);
    assert.ok(fixture.server.requests.every((request) => request.startsWith('GET /api/v1/namespaces/mine/configmaps')));
  });

  test('stops with its informer', async () => {
    const fixture = new Fixture();
    await fixture.clock.advance(0);
    await fixture.informer.stop();
    fixture.server.put(collection, aConfigMap('a'));
    await fixture.clock.advance(1_000_000);
    assert.deepEqual(fixture.notifications, []);
    assert.equal(fixture.server.watching, 0);
    assert.equal(fixture.clock.pending, 0);
  });
});

type Step =
  | { readonly do: 'put'; readonly name: string; readonly value: string }
  | { readonly do: 'remove'; readonly name: string }
  | { readonly do: 'cut' | 'end' | 'bookmark' | 'compact' | 'restart' | 'lose data' | 'disconnect' | 'reconnect' }
  | { readonly do: 'pass'; readonly ms: number };

const name = fc.constantFrom('m0', 'm1', 'm2', 'm3', 'm4', 'm5');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('put' as const), name, value: fc.constantFrom('a', 'b', 'c') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('cut', 'end', 'bookmark', 'compact', 'restart', 'lose data', 'disconnect', 'reconnect'),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(0, 1, 100, 3000) }) },
);

async function perform(next: Step, { server, clock }: Fixture): Promise<void> {
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
      return server.restart({ losesData: false });
    case 'lose data':
      return loseData(server, clock);
    case 'disconnect':
      server.isReachable = false;
      return server.cut();
    case 'reconnect':
      server.isReachable = true;
      return;
    case 'pass':
      return clock.advance(next.ms);
  }
}

/** A server that lost its data looks the same once it has passed the client's revision, so this waits before writes. */
async function loseData(server: ScriptedServer, clock: ManualClock): Promise<void> {
  if (server.revision < 4) return;
  server.restart({ losesData: true });
  server.isReachable = true;
  await clock.advance(60_000);
  // Servers send bookmarks every minute. Nothing else reveals the loss to a watch that was opened just after it.
  server.bookmark();
  await clock.advance(60_000);
}

/** In a stream, or in pages of different sizes. */
const listModes = fc.oneof(
  fc.constant({ hasStreamingLists: true }),
  fc.record({ hasStreamingLists: fc.constant(false), pageLimit: fc.integer({ min: 1, max: 5 }) }),
);

describe('an informer', () => {
  test('equals a list after any sequence of events, lost connections, compactions and restarts, and notifies of each change once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50 }), listModes, async (steps, mode) => {
        const fixture = new Fixture({}, (server) => Object.assign(server, mode));
        for (const next of steps) await perform(next, fixture);
        fixture.server.isReachable = true;
        await fixture.clock.advance(120_000);
        fixture.assertAgrees();
        await fixture.informer.stop();
      }),
      { numRuns: 500 },
    );
  });
});
