import { createHash } from 'node:crypto';
import { formatMicroTime, type ApiHandler, type JsonObject } from '@flotilla/kube';
import { textOf } from '../resources/object-bytes.ts';
import type { Server } from '../call/server.ts';
import { send, serverRequest } from '../own-requests/server-request.ts';

export interface IdentityLeaseOptions {
  readonly handle: ApiHandler;
  readonly parts: Pick<Server, 'now' | 'after' | 'uid'>;
  readonly hostname: string;
  /** `address:port` for other servers. */
  readonly peerAddress: string;
}

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const renewalMs = 10_000;

/**
 * The Lease with which kube-apiservers announce themselves to each other. It is renewed while the server runs, and deleted when
 * it stops.
 */
export class IdentityLease {
  readonly #options: IdentityLeaseOptions;
  readonly #name: string;
  readonly #holder: string;
  #cancel: () => void = () => {};
  #renewal: Promise<void> = Promise.resolve();
  #isReleased = false;

  constructor(options: IdentityLeaseOptions) {
    this.#options = options;
    this.#name = serverName(options.hostname);
    this.#holder = `${this.#name}_${options.parts.uid()}`;
  }

  /** `failed` gets an error of the first write. Unless it throws, renewals continue. */
  async acquire(failed: (error: unknown) => void): Promise<void> {
    await this.#renew().catch(failed);
    this.#scheduleRenewal();
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    this.#cancel();
    await this.#renewal;
    await this.#options.handle(serverRequest('DELETE', `${leases}/${this.#name}`));
  }

  /** Ignores errors of a renewal: the next one retries. */
  #scheduleRenewal(): void {
    if (this.#isReleased) return;
    this.#cancel = this.#options.parts.after(renewalMs, () => {
      this.#renewal = this.#renew()
        .catch(() => {})
        .then(() => this.#scheduleRenewal());
    });
  }

  async #renew(): Promise<void> {
    const { handle } = this.#options;
    const path = `${leases}/${this.#name}`;
    const found = await handle(serverRequest('GET', path));
    const exists = found.status === 200 && found.body instanceof Uint8Array;
    const before = exists ? (JSON.parse(textOf(found.body)) as JsonObject) : {};
    const metadata = (before['metadata'] ?? {}) as JsonObject;
    const object = this.#lease(metadata['resourceVersion'] as string | undefined);
    const query = 'fieldManager=kube-apiserver';
    await send(handle, serverRequest(exists ? 'PUT' : 'POST', exists ? path : leases, { query, object }));
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

/** Depends only on the host, so that a restarted server takes over its own lease. */
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

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Lower case, without padding. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)] ?? '').join('');
}
