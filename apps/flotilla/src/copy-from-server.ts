import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { backupPath } from '@flotilla/fleet/server';
import type { ServerAccess } from './kubeconfig-file.ts';

/** Requests a copy of its data from a running server, and writes it to `file`. */
export async function copyFromServer(
  { url, authority, certificate, key }: ServerAccess,
  file: string,
  onProgress: (share: number) => void,
): Promise<void> {
  const request = get(`${url}${backupPath}`, { ca: authority, cert: certificate, key, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(await refusal(response));
  const expected = Number(response.headers['content-length']);
  let received = 0;
  response.on('data', (chunk: Buffer) => {
    received += chunk.length;
    onProgress(received / expected);
  });
  await pipeline(response, createWriteStream(file));
  if (received !== expected) throw new Error(`the copy ended after ${received} of ${expected} bytes`);
}

/** The message of the Status, or the HTTP status if there is none. */
async function refusal(response: IncomingMessage): Promise<string> {
  const body = await text(response);
  try {
    const { message } = JSON.parse(body) as { message?: string };
    if (message) return message;
  } catch {
    // Not a Status: another program listens there.
  }
  return `HTTP status ${response.statusCode}`;
}
