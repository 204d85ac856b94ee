/** Ways around: sockets that a proxy opens for us. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '@flotilla/timing';
import { sentenceOf } from '../connection-error.ts';
import { placeOf, type Place } from './host-port.ts';
import { opened, readThrough } from './opened.ts';

export async function throughProxy(proxy: URL, place: Place, clock: Clock): Promise<Socket> {
  const socket = await openProxy(proxy, clock).catch((error: unknown) => {
    throw new Error(`the proxy ${proxy.host} cannot be reached: ${sentenceOf(error)}`, { cause: error });
  });
  const cancel = clock.after(answerMs, () =>
    socket.destroy(new Error(`the proxy ${proxy.host} did not answer within ${answerMs / 1000} s`)),
  );
  try {
    await (proxy.protocol.startsWith('socks5') ? askSocks(socket, proxy, place) : askHttp(socket, proxy, place));
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    cancel();
  }
}

function openProxy(proxy: URL, clock: Clock): Promise<Socket> {
  const { host, port } = placeOf(proxy);
  if (proxy.protocol !== 'https:') return opened(connectTcp({ host, port, noDelay: true }), clock, 'connect');
  return opened(connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }) }), clock, 'secureConnect');
}

/** A proxy has to reach the server first. */
const answerMs = 30_000;

/** More than any proxy has to say before it steps aside. */
const maxAnswerBytes = 64 * 1024;

async function askHttp(socket: Socket, proxy: URL, { host, port }: Place): Promise<void> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (proxy.username !== '') {
    const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    lines.push(`Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}`);
  }
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const head = await readThrough(socket, (bytes) => {
    if (bytes.length > maxAnswerBytes) throw new Error(`the proxy ${proxy.host} does not come to an end`);
    const end = bytes.indexOf('\r\n\r\n');
    return end < 0 ? undefined : end + 4;
  });
  const [status = ''] = head.toString('latin1').split('\r\n', 1);
  if (!/^HTTP\/1\.[01] 2\d\d/.test(status)) throw new Error(`the proxy ${proxy.host} answered ${status}`);
}

const version = 5;
const noPassword = 0;
const withPassword = 2;
const connect = 1;
const byName = 3;

const addressLengths: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [4, 16],
]);

const refusals = [
  '',
  'general failure',
  'not allowed by its rules',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'time to live expired',
  'command not supported',
  'address type not supported',
];

async function askSocks(socket: Socket, proxy: URL, place: Place): Promise<void> {
  const hasPassword = proxy.username !== '';
  socket.write(Buffer.from([version, 1, hasPassword ? withPassword : noPassword]));
  const [, method] = await readThrough(socket, (bytes) => (bytes.length < 2 ? undefined : 2));
  if (method !== (hasPassword ? withPassword : noPassword)) {
    throw new Error(`the proxy ${proxy.host} wants ${hasPassword ? 'no password' : 'a password'}`);
  }
  if (hasPassword) await authenticate(socket, proxy);
  await askFor(socket, proxy, place);
}

async function authenticate(socket: Socket, { host, username, password }: URL): Promise<void> {
  socket.write(Buffer.concat([Buffer.from([1]), counted(username), counted(password)]));
  const [, status] = await readThrough(socket, (bytes) => (bytes.length < 2 ? undefined : 2));
  if (status !== 0) throw new Error(`the proxy ${host} does not take the password`);
}

function counted(escaped: string): Buffer {
  const bytes = Buffer.from(decodeURIComponent(escaped));
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** The proxy resolves names: those of a cluster mean nothing outside. It takes addresses as names, too. */
async function askFor(socket: Socket, proxy: URL, { host, port }: Place): Promise<void> {
  const name = Buffer.from(host);
  if (name.length > 255) throw new Error(`the name ${host} is too long for a proxy`);
  const head = Buffer.from([version, connect, 0, byName, name.length]);
  socket.write(Buffer.concat([head, name, Buffer.from([port >> 8, port & 0xff])]));
  const answer = await readThrough(socket, (bytes) => {
    if (bytes.length < 5) return undefined;
    const length = addressLengths.get(bytes[3] ?? 0) ?? 1 + (bytes[4] ?? 0);
    return bytes.length < 6 + length ? undefined : 6 + length;
  });
  const code = answer[1] ?? 1;
  if (code !== 0) throw new Error(`the proxy ${proxy.host} refuses: ${refusals[code] ?? `code ${code}`}`);
}
