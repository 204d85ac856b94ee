/** A server of webhooks on this machine, with a certificate for the names of Services. */
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { freshCredentials } from '@flotilla/apiserver';
import type { JsonObject } from '@flotilla/kube';

export interface ReviewRequest {
  readonly uid: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: string;
  readonly kind: { readonly version: string; readonly kind: string };
  readonly requestKind: { readonly version: string };
  readonly subResource?: string;
  readonly userInfo: { readonly username: string; readonly groups: readonly string[] };
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly dryRun: boolean;
}

/** Returns the answer without its uid, or undefined to answer 500. */
export type Decide = (path: string, request: ReviewRequest) => JsonObject | undefined;

export interface Receiver {
  readonly port: number;
  /** CA certificates in base64, for configurations. */
  readonly caBundle: string;
  /** What was received since the last call: `CREATE Pod /mutate/fail`, with the subresource after the kind. */
  readonly takeCalls: () => string[];
  readonly stop: () => Promise<void>;
}

export async function startReceiver(hosts: readonly string[], decide: Decide): Promise<Receiver> {
  const { server: credentials } = await freshCredentials([...hosts], new Date());
  let calls: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ key: credentials.key, cert: credentials.certificate }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = new URL(request.url ?? '/', 'https://receiver').pathname;
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { apiVersion: string; request: ReviewRequest };
      const { uid, operation, kind, subResource } = review.request;
      calls.push(`${operation} ${[kind.kind, subResource].filter(Boolean).join('/')} ${path}`);
      const decided = decide(path, review.request);
      if (!decided) return response.writeHead(500).end();
      const answer = { kind: 'AdmissionReview', apiVersion: review.apiVersion, response: { uid, ...decided } };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  server.on('secureConnection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(credentials.authority).toString('base64'),
    takeCalls: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export const allowed: JsonObject = { allowed: true };

export function denied(message: string): JsonObject {
  return { allowed: false, status: { message, code: 400, reason: 'BadRequest' } };
}

export function patched(...operations: JsonObject[]): JsonObject {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch };
}
