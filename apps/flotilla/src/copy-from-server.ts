import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { backupPath } from '@flotilla/fleet/server';
import type { ServerAccess } from './kubeconfig-file.ts';

/** Has a running server make a copy of its data, and writes it into `file`. */
export async function copyFromServer(
  { url, authority, certificate, key }: ServerAccess,
  file: string,
  onProgress: (share: number) => void,
): Promise<void> {
  const request = get(`${url}${backupPath}`, { ca: authority, cert: certificate, key, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(await refusal(response));
  const promised = Number(response.headers['content-length']);
  let received = 0;
  response.on('data', (chunk: Buffer) => {
    received += chunk.length;
    onProgress(received / promised);
  });
  await pipeline(response, createWriteStream(file));
  if (received !== promised) throw new Error(`the copy broke off after ${received} of ${promised} bytes`);
}

/** A Status where the server sent one, else what there is. */
async function refusal(response: IncomingMessage): Promise<string> {
  const body = await text(response);
  try {
    const { message } = JSON.parse(body) as { message?: string };
    if (message) return message;
  } catch {
    // No Status: an answer of something else that listens there.
  }
  return `it answered ${response.statusCode}`;
}
