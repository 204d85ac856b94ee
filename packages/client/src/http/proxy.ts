/** Ways around: sockets that a proxy opens for us. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '@flotilla/timing';
import { sentenceOf } from '../connection-error.ts';
import { opened } from './opened.ts';
import { placeOf, type Place } from './place.ts';
import { readThrough } from './read-through.ts';
import { askSocks } from './socks5.ts';

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
