/** For tests: an issuer of tokens on loopback, which can misbehave. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@flotilla/kube';
import { flushPromises } from '@flotilla/testkit';
import { freshCredentials } from '../../../credentials/credentials.ts';
import { getDocument, type GetDocument } from './https-get.ts';

interface PublishedKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly jwk: JsonObject;
}

type Answer = (path: string, response: ServerResponse) => boolean;

let credentials: ReturnType<typeof freshCredentials> | undefined;

export class LoopbackIssuer {
  readonly url: string;
  /** PEM. */
  readonly authority: string;
  readonly #server: ReturnType<typeof createServer>;
  #keys: PublishedKey[] = [];
  /** Answers instead of the issuer, if it returns true. */
  answer: Answer = () => false;
  cacheControl = '';
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  readonly #underWay = new Set<Promise<unknown>>();

  private constructor(server: ReturnType<typeof createServer>, authority: string) {
    this.#server = server;
    this.authority = authority;
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#respond(request, response));
    this.rotate('first');
  }

  static async start(): Promise<LoopbackIssuer> {
    const { server: identity } = await (credentials ??= freshCredentials(['127.0.0.1'], new Date()));
    const server = createServer({ key: identity.key, cert: identity.certificate });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new LoopbackIssuer(server, identity.authority);
  }

  /** Gets documents over real sockets; `settled` waits for all of them. */
  readonly get: GetDocument = (request) => {
    const getting = getDocument(request);
    const done = getting.catch(() => undefined).finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
    return getting;
  };

  async settled(): Promise<void> {
    await flushPromises();
    while (this.#underWay.size > 0) {
      await Promise.all(this.#underWay);
      await flushPromises();
    }
  }

  /** Publishes a new key instead of the old ones. */
  rotate(id: string): void {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    this.#keys = [{ id, privateKey, jwk: { ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid: id } }];
  }

  token(claims: JsonObject, header: JsonObject = {}): string {
    const [key] = this.#keys;
    if (!key) throw new Error('no key');
    const encoded = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${encoded({ alg: 'ES256', kid: key.id, ...header })}.${encoded({ iss: this.url, ...claims })}`;
    const signature = sign('sha256', Buffer.from(text), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }

  #respond({ url = '/' }: IncomingMessage, response: ServerResponse): void {
    this.asked.push(url);
    if (this.answer(url, response)) return;
    if (this.cacheControl !== '') response.setHeader('cache-control', this.cacheControl);
    response.setHeader('content-type', 'application/json');
    const isDiscovery = url === '/.well-known/openid-configuration';
    response.end(
      JSON.stringify(
        isDiscovery ? { issuer: this.url, jwks_uri: `${this.url}/keys` } : { keys: this.#keys.map(({ jwk }) => jwk) },
      ),
    );
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
