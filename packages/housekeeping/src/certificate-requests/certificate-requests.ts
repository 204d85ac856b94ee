import { X509Certificate } from 'node:crypto';
import type { CertificateRequest } from '@flotilla/builtins';
import type { Client } from '@flotilla/client';
import { ignoreNotFound, isConflict, type JsonObject, type Kind, type KubeObject, type Logger } from '@flotilla/kube';
import { WorkLoop } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import type { Collections } from '../collections/collections.ts';
import { kinds } from '../kinds.ts';
import { fieldManager } from '../settings.ts';
import {
  decideStep,
  expiryOf,
  validityOf,
  withCertificate,
  withCondition,
  type ApprovalRight,
  type CertificateSigningRequest,
} from './decide.ts';

/** The certificate that a signer of kubernetes.io issues for a request. */
export interface WantedCertificate {
  readonly request: CertificateRequest;
  readonly usages: readonly string[];
  readonly notBefore: Date;
  /** The certificate ends with its authority if that is earlier. */
  readonly notAfter: Date;
}

/** Resolves with the certificate in PEM, or undefined while the key of the authority is missing. */
export type SignCertificate = (wanted: WantedCertificate) => Promise<string | undefined>;

export interface CertificateRequestsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly logger: Logger;
  readonly collections: Collections;
  /** Without it, approved requests get no certificate. */
  readonly sign?: SignCertificate | undefined;
}

/** The limits of kube-controller-manager for this controller. */
const retryLimits = { firstMs: 200, maxMs: 1_000_000, perSecond: 10, burst: 100 };

type Request = Readonly<CertificateSigningRequest>;

/**
 * Approves requests of kubelets, signs approved requests for the signers of kubernetes.io, and deletes old ones. A step depends on
 * an access review or a signature, so it is no ordinary controller with one plan.
 */
export class CertificateRequests {
  readonly #options: CertificateRequestsOptions;
  readonly #loop: WorkLoop;

  constructor(options: CertificateRequestsOptions) {
    this.#options = options;
    const { clock, turns, logger, collections } = options;
    this.#loop = new WorkLoop({
      name: 'certificate',
      clock,
      turns,
      logger: logger.with({ controller: 'certificate' }),
      retryLimits,
      turn: (name) => this.#reconcile(name),
    });
    this.#loop.start();
    collections.listen({
      changed: (kind, { key, isGone }) => {
        if (!isGone && isCertificateRequest(kind)) this.#loop.add(key.name);
      },
      missed: () => {},
    });
  }

  get isAtRest(): boolean {
    return this.#loop.isAtRest && this.#loop.failing === 0;
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Returns when to look at the request again. */
  async #reconcile(name: string): Promise<number | undefined> {
    const { clock, collections } = this.#options;
    const object: Request | undefined = await collections.get(kinds.certificateRequest, { name });
    if (!object) return undefined;
    const expiresAt = expiryOf(object, endOf) ?? Number.POSITIVE_INFINITY;
    if (clock.now() > expiresAt) return this.#delete(object);
    const isDone = await this.#advance(object);
    const expiresInMs = expiresAt - clock.now() + 1;
    if (isDone) return expiresInMs === Number.POSITIVE_INFINITY ? undefined : expiresInMs;
    return Math.min(expiresInMs, this.#retryAfterMs(object));
  }

  /** Waits as long again as the request exists: soon at first, then ever less often. */
  #retryAfterMs({ metadata }: Request): number {
    const ageMs = this.#options.clock.now() - Date.parse(metadata.creationTimestamp ?? '');
    return Math.min(Math.max(ageMs, retryLimits.firstMs), retryLimits.maxMs);
  }

  /** Returns false if the step may succeed later without a change of the request. */
  async #advance(object: Request): Promise<boolean> {
    const step = decideStep(object);
    switch (step.action) {
      case 'wait':
        return true;
      case 'approve':
        return this.#approve(object, step.rights);
      case 'sign':
        return this.#sign(object, step.request);
      case 'fail': {
        const now = `${new Date(this.#options.clock.now()).toISOString().slice(0, 19)}Z`;
        const failure = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message: step.message };
        await this.#update(withCondition(object, { ...failure, lastUpdateTime: now }), 'status');
        return true;
      }
    }
  }

  async #approve(object: Request, rights: readonly ApprovalRight[]): Promise<boolean> {
    for (const { subresource, message } of rights) {
      if (!(await this.#isAllowed(object, subresource))) continue;
      const approval = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
      await this.#update(withCondition(object, approval), 'approval');
      return true;
    }
    return false;
  }

  async #isAllowed({ spec }: Request, subresource: string): Promise<boolean> {
    const { username = '', uid = '', groups = [], extra = {} } = spec ?? {};
    const { group, plural } = kinds.certificateRequest;
    const resourceAttributes = { group, version: '*', resource: plural, subresource, verb: 'create' };
    const review = await this.#options.client.create(accessReviews, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: accessReviews.kind,
      metadata: {},
      spec: { user: username, uid, groups, extra, resourceAttributes },
    });
    return (review['status'] as JsonObject | undefined)?.['allowed'] === true;
  }

  async #sign(object: Request, request: CertificateRequest): Promise<boolean> {
    const { sign, clock, logger } = this.#options;
    if (!sign) return true;
    const wanted = { request, usages: object.spec?.usages ?? [], ...validityOf(object, clock.now()) };
    const certificate = await sign(wanted);
    if (certificate === undefined) {
      logger.warn('certificate request not signed, no CA key', { name: object.metadata.name });
      return false;
    }
    await this.#update(withCertificate(object, certificate), 'status');
    return true;
  }

  async #update(object: KubeObject, subresource: string): Promise<void> {
    await this.#options.client.update(kinds.certificateRequest, object, { subresource, fieldManager });
  }

  async #delete({ metadata: { name = '', uid = '' } }: Request): Promise<undefined> {
    try {
      await this.#options.client.delete(kinds.certificateRequest, { name }, { uid }).catch(ignoreNotFound);
    } catch (error) {
      // Another request has the name by now.
      if (!isConflict(error)) throw error;
    }
  }
}

const accessReviews: Kind = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

function isCertificateRequest({ group, plural }: Kind): boolean {
  return plural === kinds.certificateRequest.plural && group === kinds.certificateRequest.group;
}

/** When a certificate ends. Validation admits only certificates that can be read. */
function endOf(certificate: string): number {
  try {
    return new X509Certificate(Buffer.from(certificate, 'base64')).validToDate.getTime();
  } catch {
    return Number.NaN;
  }
}
