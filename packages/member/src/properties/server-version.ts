import { reportLimits, type PropertyValue } from '@flotilla/api';
import { readJsonObject, type Client } from '@flotilla/client';
import { wireTime } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';

/** Clusters are upgraded rarely. */
const goodForMs = 15 * 60_000;

/** Which Kubernetes a server is, asked now and then. */
export class ServerVersion {
  readonly #server: Client;
  readonly #clock: Clock;
  #known: (PropertyValue & { readonly atMs: number }) | undefined;

  constructor(server: Client, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
  }

  /** What is known, looked up again when it is old. A server that does not answer has the version that it had. */
  async current(signal: AbortSignal): Promise<PropertyValue> {
    const known = this.#known;
    if (known === undefined) return this.look(signal);
    if (this.#clock.now() - known.atMs < goodForMs) return valueOf(known);
    return this.look(signal).catch(() => valueOf(known));
  }

  async look(signal: AbortSignal): Promise<PropertyValue> {
    const { body } = await this.#server.request({ method: 'GET', path: '/version', signal });
    const { gitVersion: version } = readJsonObject(body);
    const isVersion = typeof version === 'string' && version.length <= reportLimits.valueBytes;
    if (!isVersion) throw new Error('the server does not say which version it is');
    const atMs = this.#clock.now();
    this.#known = { value: version, observationTime: wireTime(new Date(atMs)), atMs };
    return valueOf(this.#known);
  }
}

function valueOf({ value, observationTime }: PropertyValue): PropertyValue {
  return { value, observationTime };
}
