import { reportLimits, type PropertyValue } from '@flotilla/api';
import { readJsonObject, type Client } from '@flotilla/client';
import { wireTime } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';

/** Clusters are upgraded rarely. */
const maxAgeMs = 15 * 60_000;

/** The Kubernetes version of a server, read every 15 minutes. */
export class ServerVersion {
  readonly #server: Client;
  readonly #clock: Clock;
  #known: (PropertyValue & { readonly atMs: number }) | undefined;

  constructor(server: Client, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
  }

  /** Keeps the last known version if the server does not answer. */
  async current(signal: AbortSignal): Promise<PropertyValue> {
    const known = this.#known;
    if (known === undefined) return this.read(signal);
    if (this.#clock.elapsed() - known.atMs < maxAgeMs) return valueOf(known);
    return this.read(signal).catch(() => valueOf(known));
  }

  async read(signal: AbortSignal): Promise<PropertyValue> {
    const { body } = await this.#server.request({ method: 'GET', path: '/version', signal });
    const { gitVersion: version } = readJsonObject(body);
    const isVersion = typeof version === 'string' && version.length <= reportLimits.valueBytes;
    if (!isVersion) throw new Error('the answer to /version has no valid gitVersion');
    const observationTime = wireTime(new Date(this.#clock.now()));
    this.#known = { value: version, observationTime, atMs: this.#clock.elapsed() };
    return valueOf(this.#known);
  }
}

function valueOf({ value, observationTime }: PropertyValue): PropertyValue {
  return { value, observationTime };
}
