import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { launcher, Scratch, startFlotilla, type Access } from '../flotilla-process.ts';
import { frames, headerBlock, preface } from '../http2-frames.ts';
import { exchangeHttp1, openResettable } from '../wire.ts';
import { socketsOf, untilSocketsAreBack } from './descriptors.ts';
import { Victim } from './victim.ts';

test('clients that send GOAWAY and reset their connections leave no socket open', { timeout: 60_000 }, async () => {
  await using victim = await Victim.start();
  const { pid } = victim.server.child;
  const before = socketsOf(pid);
  const request = frames.headers(1, headerBlock('GET', '/version'), 'whole');
  const bytes = Buffer.concat([preface, frames.settings, request, frames.goaway(0)]);
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 10 }, () => sendAndReset(victim.server, bytes)));
  }
  await untilSocketsAreBack(pid, before);
  await victim.isUnharmed();
});

test(
  'a server with few descriptors logs once that it drops connections, and accepts new ones once others are closed',
  { timeout: 60_000 },
  async () => {
    using scratch = new Scratch();
    const command = scratch.file('flotilla');
    writeFileSync(command, `#!/bin/sh\nulimit -n 128\nexec '${launcher}' "$@"\n`, { mode: 0o755 });
    const server = await startFlotilla(['--memory', '--bare'], scratch.file('kubeconfig'), { command });
    try {
      const sockets = Array.from({ length: 150 }, () => connect(server.port, '127.0.0.1').on('error', () => undefined));
      // The server reserves its last descriptors, so it closes most of these at once.
      const first = sockets.map((socket) => new Promise((resolve) => socket.resume().once('close', resolve)));
      await Promise.race(first);
      for (const socket of sockets) socket.destroy();
      while ((await exchangeHttp1(server, { target: '/livez' }).catch(() => undefined))?.status !== 200);
      assert.equal(server.child.exitCode, null);
      assert.equal(server.stderr().match(/too many connections/g)?.length, 1);
    } finally {
      await server.stop();
    }
  },
);

/** Sends HTTP/2 and disconnects without reading. Resolves when the connection is closed on this side. */
async function sendAndReset(access: Access, bytes: Buffer): Promise<void> {
  const { tls, reset, closed } = openResettable(access, 'h2');
  tls.once('secureConnect', () => tls.pause().write(bytes, reset));
  await closed;
}
