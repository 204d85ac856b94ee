import assert from 'node:assert/strict';
import type { ClientHttp2Session } from 'node:http2';
import { Scratch, startFlotilla, type FlotillaProcess } from '../flotilla-process.ts';
import { exchangeHttp1, exchangeHttp2, messageOf, openHttp2, type WireAnswer, type WireRequest } from '../wire.ts';

export const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
export const json = 'application/json';
export const yaml = 'application/yaml';

export function configMap(name: string, fields = ''): string {
  return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"}${fields}}`;
}

/** Without housekeeping namespaces have no service account, so pods must do without. */
const bare = ['--memory', '--bare', '--disable-admission-plugins', 'ServiceAccount'];

/**
 * A server process to attack. It is bare, so that no controller writes. After each attack it must still respond, with the
 * same objects, and with empty standard error: unexpected errors are logged there, or end the process.
 */
export class Victim implements AsyncDisposable {
  readonly server: FlotillaProcess;
  readonly #scratch: Scratch;
  readonly #session: ClientHttp2Session;
  #objectsBefore = '';

  private constructor(server: FlotillaProcess, scratch: Scratch) {
    this.server = server;
    this.#scratch = scratch;
    this.#session = openHttp2(server);
  }

  static async start(): Promise<Victim> {
    const scratch = new Scratch();
    const victim = new Victim(await startFlotilla(bare, scratch.file('kubeconfig')), scratch);
    const body = configMap('target', ',"data":{"k":"v"}');
    const { status } = await victim.send({ method: 'POST', target: configMaps, type: json, body });
    assert.equal(status, 201);
    victim.#objectsBefore = await victim.#objects();
    return victim;
  }

  /** Sends over a connection that the attacks do not use. */
  send(request: WireRequest): Promise<WireAnswer> {
    return exchangeHttp2(this.#session, request);
  }

  /** Sends over HTTP/1.1 and HTTP/2. Both must get the same response. */
  async sendBoth(request: WireRequest): Promise<WireAnswer> {
    const first = await exchangeHttp1(this.server, request);
    const session = openHttp2(this.server);
    const second = await exchangeHttp2(session, request);
    session.destroy();
    assert.deepEqual([second.status, messageOf(second)], [first.status, messageOf(first)]);
    return second;
  }

  async isUnharmed(): Promise<void> {
    assert.equal(this.server.child.exitCode, null, this.server.stderr());
    const ready = await this.send({ target: '/readyz' });
    assert.deepEqual([ready.status, ready.text], [200, 'ok']);
    assert.equal(await this.#objects(), this.#objectsBefore, 'an object was written');
    assert.equal(this.server.stderr(), '');
  }

  /** Not the store's revision: the server renews its own Lease every ten seconds. */
  async #objects(): Promise<string> {
    const lists = await Promise.all([configMaps, pods].map((target) => this.send({ target })));
    return JSON.stringify(lists.map(({ text }) => (JSON.parse(text) as { items: unknown[] }).items));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#session.destroy();
    await this.server.stop();
    this.#scratch[Symbol.dispose]();
  }
}
