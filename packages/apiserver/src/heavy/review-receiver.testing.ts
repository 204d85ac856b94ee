import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { JsonObject } from '@flotilla/kube';
import { freshCredentials } from '../credentials/credentials.ts';

export interface ReviewReceiver {
  /** For webhook configurations and definitions. */
  readonly clientConfig: { readonly url: string; readonly caBundle: string };
  readonly stop: () => void;
}

/** A webhook that answers reviews with what `answer` makes of them. */
export async function startReviewReceiver(answer: (review: JsonObject) => JsonObject): Promise<ReviewReceiver> {
  const { key, certificate, authority } = (await freshCredentials(['127.0.0.1'], new Date())).server;
  const receiver = createServer({ key, cert: certificate }, (request, response) => {
    void json(request).then((review) => response.end(JSON.stringify(answer(review as JsonObject))));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  return {
    clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: Buffer.from(authority).toString('base64') },
    stop: () => {
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}
