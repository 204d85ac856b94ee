import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { pods } from '@flotilla/kube';
import { ManualClock } from '@flotilla/testkit';
import { clientFor, key, pod, scriptedServer, sendObject, tcpServer, type ScriptedServer } from './scripted-server.ts';

describe('a client behind a proxy', () => {
  let server: ScriptedServer;
  before(async () => {
    server = await scriptedServer((stream) => sendObject(stream, pod));
  });
  after(() => server.close());

  test('asks an HTTP proxy for a tunnel, with its password', async () => {
    const asked: string[] = [];
    const proxy = await httpProxy((head) => asked.push(head));
    const client = await clientFor(server.url, { proxy: `http://user:p%40ss@127.0.0.1:${proxy.port}` });
    assert.deepEqual(await client.get(pods, key), pod);
    await client.get(pods, key);
    const basic = Buffer.from('user:p@ss').toString('base64');
    const place = `127.0.0.1:${server.port}`;
    assert.deepEqual(asked, [
      `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\nProxy-Authorization: Basic ${basic}\r\n\r\n`,
    ]);
    await client.close();
    await proxy.close();
  });

  test('reports the status line of a proxy that refuses', async () => {
    const proxy = await tcpServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
    });
    const client = await clientFor(server.url, { proxy: `http://127.0.0.1:${proxy.port}` });
    await assert.rejects(client.get(pods, key), {
      reached: 'unreachable',
      message: /the proxy 127\.0\.0\.1:\d+ answered HTTP\/1\.1 407 Proxy Authentication Required/,
    });
    await proxy.close();
  });

  test('reports that the proxy is unreachable', async () => {
    const proxy = await tcpServer(() => undefined);
    await proxy.close();
    const client = await clientFor(server.url, { proxy: `http://127.0.0.1:${proxy.port}` });
    await assert.rejects(client.get(pods, key), { message: /the proxy 127\.0\.0\.1:\d+ cannot be reached/ });
  });

  test('times out if the proxy is silent', async () => {
    const clock = new ManualClock();
    const asked = Promise.withResolvers<void>();
    const proxy = await tcpServer((socket) => socket.once('data', () => asked.resolve()));
    const client = await clientFor(server.url, { clock, proxy: `http://127.0.0.1:${proxy.port}` });
    const failed = assert.rejects(client.get(pods, key), { message: /the proxy \S+ did not answer within 30 s/ });
    await asked.promise;
    await clock.advance(30_000);
    await failed;
    await proxy.close();
  });

  test('sends the host name to a SOCKS proxy', async () => {
    const asked: string[] = [];
    const proxy = await socksProxy(server.port, (name) => asked.push(name));
    const url = `https://kubernetes:${server.port}`;
    const client = await clientFor(url, { proxy: `socks5://127.0.0.1:${proxy.port}` });
    assert.deepEqual(await client.get(pods, key), pod);
    assert.deepEqual(asked, [`kubernetes:${server.port}`]);
    await client.close();
    await proxy.close();
  });

  test('reports why a SOCKS proxy refuses', async () => {
    const proxy = await tcpServer((socket) => {
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0]));
        socket.once('data', () => socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])));
      });
    });
    const client = await clientFor(server.url, { proxy: `socks5://127.0.0.1:${proxy.port}` });
    await assert.rejects(client.get(pods, key), { message: /the proxy \S+ refuses: connection refused/ });
    await proxy.close();
  });
});

function httpProxy(asked: (head: string) => void) {
  return tcpServer((socket) => {
    socket.once('data', (head: Buffer) => {
      asked(head.toString('latin1'));
      const [, host = '', port = ''] = /^CONNECT ([^:]+):(\d+)/.exec(head.toString('latin1')) ?? [];
      tunnel(socket, host, Number(port), 'HTTP/1.1 200 Connection established\r\n\r\n');
    });
  });
}

function socksProxy(port: number, asked: (name: string) => void) {
  return tcpServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]));
      socket.once('data', (question: Buffer) => {
        const length = question[4] ?? 0;
        const name = question.subarray(5, 5 + length).toString();
        asked(`${name}:${question.readUInt16BE(5 + length)}`);
        tunnel(socket, '127.0.0.1', port, Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
      });
    });
  });
}

function tunnel(socket: Socket, host: string, port: number, greeting: string | Uint8Array): void {
  const behind = connect({ host, port }, () => {
    socket.write(greeting);
    socket.pipe(behind).pipe(socket);
  });
  behind.on('error', () => socket.destroy());
}
