/** RFC 1928, as much of it as a client needs to be connected somewhere, with the passwords of RFC 1929. */
import type { Socket } from 'node:net';
import type { Place } from './place.ts';
import { readThrough } from './read-through.ts';

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

export async function askSocks(socket: Socket, proxy: URL, place: Place): Promise<void> {
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
