/** Opens sockets through HTTP CONNECT and SOCKS5 proxies (RFC 1928, with passwords of RFC 1929). */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '@flotilla/timing';
import { messageOf } from '../connection-error.ts';
import { hostPortOf, type HostPort } from './host-port.ts';
import { waitUntilOpen, readUntil } from './socket-io.ts';

export async function connectThroughProxy(proxy: URL, place: HostPort, clock: Clock): Promise<Socket> {
  const socket = await openProxy(proxy, clock).catch((error: unknown) => {
    throw new Error(`the proxy ${proxy.host} cannot be reached: ${messageOf(error)}`, { cause: error });
  });
  const cancel = clock.after(answerMs, () =>
    socket.destroy(new Error(`the proxy ${proxy.host} did not answer within ${answerMs / 1000} s`)),
  );
  try {
    await (proxy.protocol.startsWith('socks5')
      ? connectSocks5(socket, proxy, place)
      : connectHttp(socket, proxy, place));
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    cancel();
  }
}

function openProxy(proxy: URL, clock: Clock): Promise<Socket> {
  const { host, port } = hostPortOf(proxy);
  if (proxy.protocol !== 'https:') return waitUntilOpen(connectTcp({ host, port, noDelay: true }), clock, 'connect');
  return waitUntilOpen(
    connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }) }),
    clock,
    'secureConnect',
  );
}

/** The proxy has to connect to the server first. */
const answerMs = 30_000;

/** Limits the response to CONNECT. */
const maxAnswerBytes = 64 * 1024;

async function connectHttp(socket: Socket, proxy: URL, { host, port }: HostPort): Promise<void> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (proxy.username !== '') {
    const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    lines.push(`Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}`);
  }
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const head = await readUntil(socket, (bytes) => {
    if (bytes.length > maxAnswerBytes)
      throw new Error(`the proxy ${proxy.host} sent a response of more than ${maxAnswerBytes} bytes`);
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

async function connectSocks5(socket: Socket, proxy: URL, place: HostPort): Promise<void> {
  const hasPassword = proxy.username !== '';
  socket.write(Buffer.from([version, 1, hasPassword ? withPassword : noPassword]));
  const [, method] = await readUntil(socket, (bytes) => (bytes.length < 2 ? undefined : 2));
  if (method !== (hasPassword ? withPassword : noPassword)) {
    throw new Error(`the proxy ${proxy.host} requires ${hasPassword ? 'no password' : 'a password'}`);
  }
  if (hasPassword) await authenticate(socket, proxy);
  await requestConnect(socket, proxy, place);
}

async function authenticate(socket: Socket, { host, username, password }: URL): Promise<void> {
  socket.write(Buffer.concat([Buffer.from([1]), counted(username), counted(password)]));
  const [, status] = await readUntil(socket, (bytes) => (bytes.length < 2 ? undefined : 2));
  if (status !== 0) throw new Error(`the proxy ${host} rejected the password`);
}

function counted(escaped: string): Buffer {
  const bytes = Buffer.from(decodeURIComponent(escaped));
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/**
 * Sends the host as a name: cluster names resolve only behind the proxy. Proxies accept addresses in this form, too.
 */
async function requestConnect(socket: Socket, proxy: URL, { host, port }: HostPort): Promise<void> {
  const name = Buffer.from(host);
  if (name.length > 255) throw new Error(`the name ${host} is too long for a proxy`);
  const head = Buffer.from([version, connect, 0, byName, name.length]);
  socket.write(Buffer.concat([head, name, Buffer.from([port >> 8, port & 0xff])]));
  const answer = await readUntil(socket, (bytes) => {
    if (bytes.length < 5) return undefined;
    const length = addressLengths.get(bytes[3] ?? 0) ?? 1 + (bytes[4] ?? 0);
    return bytes.length < 6 + length ? undefined : 6 + length;
  });
  const code = answer[1] ?? 1;
  if (code !== 0) throw new Error(`the proxy ${proxy.host} refuses: ${refusals[code] ?? `code ${code}`}`);
}
