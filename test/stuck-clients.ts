/** Clients that never finish their requests, each in a way that could keep a server from stopping. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ClientHttp2Session } from 'node:http2';
import type { Access } from './flotilla-process.ts';
import { asAdministrator, openHttp2, openTls } from './wire.ts';

const objects = '/api/v1/namespaces/default/configmaps';
const everything = `${objects}?watch=1&resourceVersion=0`;

const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

const requests = {
  'a list that the client does not read': request('GET', objects),
  'a watch that the client does not read': request('GET', everything),
  'a watch over WebSocket that the client does not read': request('GET', everything, upgrade),
  'half a body': `${request('POST', objects, ['Content-Length: 100'])}{`,
  'half a head': `GET ${objects} HTTP/1.1\r\nHost: x\r\n`,
};

function request(method: string, target: string, headers: readonly string[] = []): string {
  return `${[`${method} ${target} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`;
}

/** The first bytes of a TLS handshake. */
const halfHello = Buffer.from('1603010200010001fc0303', 'hex');

/** Opens some clients of each sort. Resolves when the server has accepted each connection. */
export async function openStuckClients(access: Access, ofEach = 3): Promise<Disposable> {
  const sockets: Socket[] = [];
  const sessions: ClientHttp2Session[] = [];
  for (let count = 0; count < ofEach; count++) {
    for (const text of Object.values(requests)) {
      const socket = await openTls(access, asAdministrator(access));
      socket.pause().write(text);
      sockets.push(socket);
    }
    sockets.push(await shaking(access));
    sessions.push(await halfOpen(access));
  }
  for (const socket of sockets) socket.on('error', () => undefined);
  return {
    [Symbol.dispose]: () => {
      for (const one of [...sockets, ...sessions]) one.destroy();
    },
  };
}

async function shaking({ port }: Access): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(halfHello);
  return socket;
}

/** Opens a connection with streams that the client neither reads nor ends. */
async function halfOpen(access: Access): Promise<ClientHttp2Session> {
  const session = openHttp2(access);
  const streams = [
    session.request({ ':path': objects }),
    session.request({ ':path': everything }),
    session.request({ ':method': 'POST', ':path': objects }, { endStream: false }),
  ];
  for (const stream of streams) stream.on('error', () => undefined).pause();
  streams.at(-1)?.write('{');
  await once(streams[1]!, 'response');
  return session;
}
