/** Random bytes on a connection: pipelining, upgrades, frames, and connections that end at any point. */
import type { TLSSocket } from 'node:tls';
import type { Access } from '../flotilla-process.ts';
import { frames, headerBlock, preface } from '../http2-frames.ts';
import { asAdministrator, openResettable } from '../wire.ts';
import { mutatedBytes, type Chance } from './chance.ts';
import type { Target } from './fuzz.ts';

const objects = '/api/v1/namespaces/default/configmaps';
const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
const webSocket = `${upgrade}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;

function head(method: string, target: string, headers = ''): string {
  return `${method} ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
}

/** None of them changes an object. */
const http1Pieces: readonly (string | Buffer)[] = [
  head('GET', '/version'),
  head('GET', '/version', 'Connection: close\r\n'),
  head('GET', objects),
  head('HEAD', objects),
  head('GET', `${objects}?watch=1`),
  head('GET', `${objects}?watch=1`, webSocket),
  head('GET', '/api/v1/nothing?watch=1', webSocket),
  head('GET', `${objects}?watch=1&resourceVersion=x`, webSocket),
  head('GET', `${objects}?watch=1`, upgrade),
  head('GET', `${objects}?watch=1`, `${webSocket}Sec-WebSocket-Protocol: a, b\r\n`),
  head('GET', `${objects}?watch=1`, `${webSocket}Content-Length: 9\r\n`),
  head('GET', `${objects}?watch=1`, `${webSocket}Transfer-Encoding: chunked\r\n`),
  head('GET', objects, webSocket),
  head('GET', '/version', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
  `${head('POST', objects, 'Content-Length: 2\r\n')}{}`,
  `${head('POST', objects, 'Content-Length: 100\r\n')}{`,
  `${head('POST', objects, 'Transfer-Encoding: chunked\r\n')}2\r\n{}\r\n0\r\n\r\n`,
  `${head('POST', objects, 'Transfer-Encoding: chunked\r\n')}5\r\n{}`,
  `${head('POST', objects, 'Expect: 100-continue\r\nContent-Length: 2\r\n')}{}`,
  head('GET', '/version', 'Expect: miracles\r\n'),
  head('GET', '/version', 'Host: y\r\n'),
  'GET /version HTTP/1.1\r\n\r\n',
  'GET /version HTTP/1.0\r\n\r\n',
  head('CONNECT', 'x:1'),
  head('OPTIONS', '*'),
  'GET /ver',
  '\r\n\r\n',
  Buffer.from('8180aabbccdd', 'hex'),
  Buffer.from('8980aabbccdd', 'hex'),
  Buffer.from('8880aabbccdd', 'hex'),
  Buffer.from('82ff7fffffffffffffff', 'hex'),
  preface,
];

const http2Pieces: readonly Buffer[] = [
  frames.settings,
  frames.settingsAck,
  frames.headers(1, headerBlock('GET', '/version'), 'whole'),
  frames.headers(3, headerBlock('GET', `${objects}?watch=1`), 'whole'),
  frames.headers(5, headerBlock('GET', objects), 'whole'),
  frames.headers(7, headerBlock('POST', objects), 'body follows'),
  frames.headers(9, headerBlock('POST', objects), 'block continues'),
  frames.headers(11, headerBlock('HEAD', '/version'), 'whole'),
  frames.data(7, '{}', true),
  frames.data(7, '{', false),
  frames.data(1, 'x', true),
  frames.reset(3),
  frames.reset(7),
  frames.ping,
  frames.windowUpdate(0, 65_535),
  frames.windowUpdate(3, 0x7fffffff),
  frames.goaway(0),
  frames.goaway(1),
];

type Ending = 'half-close' | 'close' | 'reset' | 'reset unread';
const endings: readonly Ending[] = ['half-close', 'close', 'reset', 'reset unread'];

interface Script {
  readonly protocol: 'h2' | 'http/1.1';
  readonly isAdministrator: boolean;
  readonly writes: readonly Buffer[];
  readonly ending: Ending;
}

function randomScript(chance: Chance): Script {
  const protocol = chance.of(['h2', 'http/1.1'] as const);
  const pieces = chance.list(5, () => Buffer.from(chance.of<string | Buffer>(piecesOf(protocol))));
  const begun = protocol === 'h2' && !chance.oneIn(10) ? [preface, frames.settings, ...pieces] : pieces;
  const sent = begun.map((piece) => (chance.oneIn(8) ? Buffer.from(mutatedBytes(chance, piece)) : piece));
  // One write, so that the server reads the requests together: only then are they pipelined.
  const writes = chance.oneIn(3) ? sent : [Buffer.concat(sent)];
  return { protocol, isAdministrator: chance.oneIn(2), writes, ending: chance.of(endings) };
}

function piecesOf(protocol: Script['protocol']): readonly (string | Buffer)[] {
  return protocol === 'h2' ? http2Pieces : http1Pieces;
}

/** Feeds connections to a server, which must keep running. */
export function connectionTarget(access: Access): Target {
  return {
    name: 'connections',
    isExpected: () => false,
    feed: async (chance, note) => {
      const script = randomScript(chance);
      note(script);
      await play(access, script);
    },
  };
}

/** Time that a client waits for a response on its half-closed connection. */
const patienceMs = 50;

async function play(access: Access, { protocol, isAdministrator, writes, ending }: Script): Promise<void> {
  const { tls, reset, closed } = openResettable(access, protocol, isAdministrator ? asAdministrator(access) : {});
  tls.once('secureConnect', () => {
    if (ending === 'reset unread') tls.pause();
    else tls.resume();
    let last = Promise.resolve();
    for (const bytes of writes) last = last.then(() => written(tls, bytes));
    void last.then(() => end(ending, tls, reset));
  });
  await closed;
}

function written(socket: TLSSocket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (bytes.length === 0 || !socket.writable) return resolve();
    socket.once('close', resolve);
    socket.write(bytes, () => resolve());
  });
}

function end(ending: Ending, socket: TLSSocket, reset: () => void): void {
  if (ending === 'close') return void socket.destroy();
  if (ending !== 'half-close') return reset();
  socket.end();
  setTimeout(() => socket.destroy(), patienceMs);
}
