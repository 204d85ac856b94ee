import assert from 'node:assert/strict';
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createClient, fixedCredentials, httpTransport, type Client } from '@flotilla/client';
import { startServer, type RunningServer } from '@flotilla/fleet';
import { configMaps, silentLogger } from '@flotilla/kube';
import { InformerSet, type Informer } from '@flotilla/runtime';
import { systemClock } from '@flotilla/timing';
import { Scratch } from '../flotilla-process.ts';
import { aConfigMap, Follower, versionsOf } from './followed-informer.ts';

describe('an informer whose server restarts', () => {
  const scratch = new Scratch();
  let server: RunningServer;
  let client: Client;
  let informer: Informer;
  let follower: Follower;
  let lists = 0;

  before(async () => {
    server = await startServer({ dataDirectory: scratch.path });
    const { authority } = server.credentials.server;
    const identity = { authority, authorization: `Bearer ${server.credentials.token}` };
    const transport = httpTransport({ server: server.url, credentials: fixedCredentials(identity) });
    const send: typeof transport.send = (request) => {
      if (request.query.includes('sendInitialEvents=true')) lists++;
      return transport.send(request);
    };
    client = createClient({ ...transport, send });
    const informers = new InformerSet({ client, clock: systemClock, random: Math.random, logger: silentLogger });
    informer = informers.hold(configMaps).informer;
    follower = new Follower(informer);
    await informer.whenReady();
  });

  after(async () => {
    await informer.stop();
    await client.close();
    await server.stop();
    scratch[Symbol.dispose]();
  });

  const restart = async (losesData = false): Promise<void> => {
    const { port } = server;
    await server.stop();
    const lost = losesData ? globSync('flotilla.db*', { cwd: scratch.path }) : [];
    for (const file of lost) rmSync(join(scratch.path, file));
    server = await startServer({ dataDirectory: scratch.path, port, isNew: losesData });
  };
  const assertAgrees = async (): Promise<void> => {
    const listed = versionsOf((await client.list(configMaps)).items);
    assert.deepEqual(follower.versions(), listed);
    assert.deepEqual(versionsOf(informer.all()), listed);
  };

  test('continues its watch without listing again', async () => {
    for (let n = 0; n < 10; n++) await client.create(configMaps, aConfigMap(`before-${n}`));
    await restart();
    await client.delete(configMaps, { namespace: 'default', name: 'before-3' });
    await follower.untilSeen(await client.create(configMaps, aConfigMap('after')));
    await assertAgrees();
    assert.equal(lists, 1);
  });

  test('receives the changes of the time without a connection', async () => {
    await restart();
    await restart();
    await follower.untilSeen(await client.create(configMaps, aConfigMap('after-two')));
    await assertAgrees();
  });

  test('lists again if the server has lost its data', async () => {
    await restart(true);
    await follower.untilSeen(await client.create(configMaps, aConfigMap('another-life')));
    await follower.until(() => !follower.versions().has('after'));
    await assertAgrees();
    assert.equal(lists, 2);
  });
});
