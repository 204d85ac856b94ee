import { createHash } from 'node:crypto';
import { formatMicroTime, type ApiHandler, type JsonObject } from '@flotilla/kube';
import { textOf } from '../resources/object-bytes.ts';
import type { Server } from '../call/server.ts';
import { send, serverRequest } from '../own-requests/server-request.ts';

export interface IdentityLeaseOptions {
  readonly handle: ApiHandler;
  readonly parts: Pick<Server, 'now' | 'after' | 'uid'>;
  readonly hostname: string;
  /** Where other servers would find this one: `address:port`. */
  readonly peerAddress: string;
}

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const renewalMs = 10_000;

/**
 * Says that this server is there, as kube-apiservers tell each other: a Lease that is renewed while the server runs and goes
 * with it.
 */
export class IdentityLease {
  readonly #options: IdentityLeaseOptions;
  readonly #name: string;
  readonly #holder: string;
  #cancel: () => void = () => {};
  #renewal: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: IdentityLeaseOptions) {
    this.#options = options;
    this.#name = serverName(options.hostname);
    this.#holder = `${this.#name}_${options.parts.uid()}`;
  }

  /** If `failed` does not throw, the next renewal may succeed. */
  async take(failed: (error: unknown) => void): Promise<void> {
    await this.#renew().catch(failed);
    this.#planRenewal();
  }

  async release(): Promise<void> {
    this.#isOver = true;
    this.#cancel();
    await this.#renewal;
    await this.#options.handle(serverRequest('DELETE', `${leases}/${this.#name}`));
  }

  /** A renewal that fails is made up for by the next. */
  #planRenewal(): void {
    if (this.#isOver) return;
    this.#cancel = this.#options.parts.after(renewalMs, () => {
      this.#renewal = this.#renew()
        .catch(() => {})
        .then(() => this.#planRenewal());
    });
  }

  async #renew(): Promise<void> {
    const { handle } = this.#options;
    const path = `${leases}/${this.#name}`;
    const found = await handle(serverRequest('GET', path));
    const isThere = found.status === 200 && found.body instanceof Uint8Array;
    const before = isThere ? (JSON.parse(textOf(found.body)) as JsonObject) : {};
    const metadata = (before['metadata'] ?? {}) as JsonObject;
    const object = this.#lease(metadata['resourceVersion'] as string | undefined);
    const query = 'fieldManager=kube-apiserver';
    await send(handle, serverRequest(isThere ? 'PUT' : 'POST', isThere ? path : leases, { query, object }));
  }

  #lease(resourceVersion: string | undefined): JsonObject {
    const { hostname, peerAddress, parts } = this.#options;
    return {
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: {
        name: this.#name,
        namespace: 'kube-system',
        ...(resourceVersion !== undefined && { resourceVersion }),
        labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': hostname },
        annotations: { 'kubernetes.io/peer-advertise-address': peerAddress },
      },
      spec: {
        holderIdentity: this.#holder,
        leaseDurationSeconds: 3600,
        renewTime: formatMicroTime(parts.now()),
      },
    };
  }
}

/** The same for the same host, so that a server that comes back takes its own lease over. */
function serverName(hostname: string): string {
  const hash = createHash('sha256').update(withLength(hostname)).update(withLength('kube-apiserver')).digest();
  return `apiserver-${base32(hash.subarray(0, 16))}`;
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567';

/** In small letters, without padding. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => letters[Number.parseInt(group.padEnd(5, '0'), 2)] ?? '').join('');
}
