import { readCertificateRequest, type CertificateRequest, type CsrFields } from '@flotilla/builtins';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { kubeletClientProblem, kubeletClientSigner, signerRules } from './kubelet-rules.ts';

export type CertificateSigningRequest = KubeObject & Partial<CsrFields>;

type Request = Readonly<CertificateSigningRequest>;

/** A right on certificate requests that makes an approval automatic. */
export interface ApprovalRight {
  /** The requester may create this virtual subresource. */
  readonly subresource: string;
  readonly message: string;
}

/** What to do with a request now. */
export type NextStep =
  | { readonly action: 'approve'; readonly rights: readonly ApprovalRight[] }
  | { readonly action: 'sign'; readonly request: CertificateRequest }
  | { readonly action: 'fail'; readonly message: string }
  | { readonly action: 'wait' };

const waiting: NextStep = { action: 'wait' };

/** Throws a DerError if the request cannot be read. Validation admits no such request. */
export function decideStep(object: Request): NextStep {
  if (object.status?.certificate || has(object, 'Failed') || has(object, 'Denied')) return waiting;
  const { signerName = '', usages = [] } = object.spec ?? {};
  const rule = signerRules.get(signerName);
  if (rule === undefined) return waiting;
  const request = readRequest(object);
  if (!has(object, 'Approved')) return approvalOf(object, request);
  const message = rule(request, usages);
  return message === undefined ? { action: 'sign', request } : { action: 'fail', message };
}

function readRequest({ spec }: Request): CertificateRequest {
  return readCertificateRequest(Buffer.from(spec?.request ?? '', 'base64').toString('latin1'));
}

function has({ status }: Request, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type) ?? false;
}

const selfRight: ApprovalRight = {
  subresource: 'selfnodeclient',
  message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
};
const nodeRight: ApprovalRight = {
  subresource: 'nodeclient',
  message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
};

/** Only client certificates of kubelets are approved without a human. */
function approvalOf({ spec }: Request, request: CertificateRequest): NextStep {
  if (spec?.signerName !== kubeletClientSigner) return waiting;
  if (kubeletClientProblem(request, spec.usages ?? []) !== undefined) return waiting;
  return { action: 'approve', rights: spec.username === request.commonName ? [selfRight, nodeRight] : [nodeRight] };
}

export function withCondition(object: Request, condition: JsonObject): CertificateSigningRequest {
  const conditions = [...(object.status?.conditions ?? []), condition];
  return { ...object, status: { ...object.status, conditions } } as CertificateSigningRequest;
}

export function withCertificate(object: Request, pem: string): CertificateSigningRequest {
  const certificate = Buffer.from(pem).toString('base64');
  return { ...object, status: { ...object.status, certificate } } as CertificateSigningRequest;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const backdateMs = 5 * minuteMs;
const shortMs = 8 * hourMs;
const minLifetimeMs = 10 * minuteMs;
/** The default of kube-controller-manager's `--cluster-signing-duration`. */
const maxLifetimeMs = 365 * 24 * hourMs;

/** Starts early, because clocks differ. A short certificate does not pay for that with its end. */
export function validityOf({ spec }: Request, now: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const { expirationSeconds } = spec ?? {};
  const wanted = expirationSeconds === undefined ? maxLifetimeMs : expirationSeconds * 1000;
  const lifetimeMs = Math.min(Math.max(wanted, minLifetimeMs), maxLifetimeMs);
  const end = now + lifetimeMs - (lifetimeMs < shortMs ? 0 : backdateMs);
  return { notBefore: new Date(now - backdateMs), notAfter: new Date(end) };
}

const decidedMs = hourMs;
const undecidedMs = 24 * hourMs;

/**
 * When to delete a request, in milliseconds since the epoch; undefined if it stays. An issued one is deleted when its certificate
 * ends, too: `certificateEnd`.
 */
export function expiryOf(object: Request, certificateEnd: (certificate: string) => number): number | undefined {
  const { certificate, conditions = [] } = object.status ?? {};
  const after = (type: string, ms: number): number[] =>
    conditions.filter((one) => one.type === type && one.lastUpdateTime).map((one) => timeOf(one.lastUpdateTime) + ms);
  const moments = [
    ...after('Denied', decidedMs),
    ...after('Failed', decidedMs),
    ...after('Approved', certificate ? decidedMs : undecidedMs),
    ...(conditions.length === 0 ? [timeOf(object.metadata.creationTimestamp) + undecidedMs] : []),
    ...(certificate && has(object, 'Approved') ? [certificateEnd(certificate)] : []),
  ];
  const earliest = Math.min(...moments.filter((moment) => !Number.isNaN(moment)));
  return earliest === Number.POSITIVE_INFINITY ? undefined : earliest;
}

function timeOf(time: string | null | undefined): number {
  return Date.parse(time ?? '');
}
