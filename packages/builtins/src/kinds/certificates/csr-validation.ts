import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  duplicate,
  forbidden,
  invalid,
  maxSubdomainLength,
  notSupported,
  pushAll,
  quote,
  required,
  tooLong,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { repeatsIn } from '../field-checks.ts';
import { sameFields } from '../same-fields.ts';
import { certificateRequestProblem, issuedCertificateProblem } from './certificate-request.ts';

export interface CsrFields {
  spec: CsrSpec;
  status: CsrStatus;
}

interface CsrSpec {
  /** Base64 of PEM. */
  readonly request?: string | null;
  readonly signerName?: string;
  readonly expirationSeconds?: number;
  readonly usages?: readonly string[];
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

interface CsrStatus {
  conditions?: CsrCondition[];
  /** Base64 of PEM. */
  certificate?: string;
}

export interface CsrCondition {
  readonly type?: string;
  readonly status?: string;
  lastUpdateTime?: string | null;
  lastTransitionTime?: string | null;
}

/** Decoding has set spec and status, if only to Go's zero values. */
export function csrOf(object: KubeObject): CsrFields {
  const csr = object as KubeObject & Partial<CsrFields>;
  csr.spec ??= {};
  csr.status ??= {};
  return csr as CsrFields;
}

export function conditionsOf({ status }: CsrFields, type: string): readonly CsrCondition[] {
  return (status.conditions ?? []).filter((condition) => condition.type === type);
}

interface CsrUpdateRights {
  readonly approval?: boolean;
  readonly certificate?: boolean;
}

const legacySigner = 'kubernetes.io/legacy-unknown';
const minExpirationSeconds = 600;
const approvalTypes = ['Approved', 'Denied'];
const lastingTypes = [...approvalTypes, 'Failed'];

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

export function validateCsr(object: KubeObject): FieldError[] {
  const csr = csrOf(object);
  return [...validateSpec(csr.spec), ...validateConditions(csr), ...validateCertificate(csr)];
}

export function validateCsrUpdate(object: KubeObject, old: KubeObject, rights: CsrUpdateRights): FieldError[] {
  const csr = csrOf(object);
  const before = csrOf(old);
  const sameCertificate = (csr.status.certificate ?? '') === (before.status.certificate ?? '');
  return [
    ...validateSpec(csr.spec, before.spec),
    ...validateConditions(csr, before),
    ...(sameCertificate ? [] : validateCertificate(csr)),
    ...validateLastingConditions(csr, before),
    ...(rights.approval ? [] : validateSameApproval(csr, before)),
    ...(sameCertificate ? [] : validateCertificateChange(before, rights)),
  ];
}

/** A spec never changes, so an update does not validate what an older release accepted. */
function validateSpec(spec: CsrSpec, before?: CsrSpec): FieldError[] {
  const { request, signerName = '', expirationSeconds } = spec;
  const problem = certificateRequestProblem(Buffer.from(request ?? '', 'base64').toString('latin1'));
  const errors = problem === undefined ? [] : [invalid('spec.request', request || null, problem)];
  pushAll(errors, validateUsages(spec.usages ?? [], before?.usages ?? []));
  if (signerName === legacySigner && before?.signerName !== legacySigner) {
    errors.push(invalid('spec.signerName', signerName, 'the legacy signerName is not allowed via this API version'));
  } else {
    pushAll(errors, validateSignerName('spec.signerName', signerName));
  }
  if (expirationSeconds !== undefined && expirationSeconds < minExpirationSeconds) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    errors.push(invalid('spec.expirationSeconds', expirationSeconds, detail));
  }
  return errors;
}

function validateUsages(wanted: readonly string[], before: readonly string[]): FieldError[] {
  if (wanted.length === 0) return [required('spec.usages')];
  if (sameFields(wanted, before)) return [];
  const at = (index: number) => `spec.usages[${index}]`;
  const unknown = wanted.flatMap((usage, index) =>
    usages.includes(usage) ? [] : [notSupported(at(index), usage, usages)],
  );
  const repeats = repeatsIn(wanted);
  const repeated = wanted.flatMap((usage, index) => (repeats.has(index) ? [duplicate(at(index), usage)] : []));
  return [...unknown, ...repeated];
}

function validateConditions(csr: CsrFields, before?: CsrFields): FieldError[] {
  const conditions = csr.status.conditions ?? [];
  if (before !== undefined && sameFields(conditions, before.status.conditions)) return [];
  const earlier = new Set<string>();
  return conditions.flatMap((condition, index) => {
    const errors = validateCondition(condition, earlier, `status.conditions[${index}]`);
    earlier.add(condition.type ?? '');
    return errors;
  });
}

function validateCondition(condition: CsrCondition, earlier: ReadonlySet<string>, path: string): FieldError[] {
  const { type = '', status = '' } = condition;
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${path}.type`));
  const allowed = lastingTypes.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
  if (status === '') errors.push(required(`${path}.status`));
  else if (!allowed.includes(status)) errors.push(notSupported(`${path}.status`, status, allowed));
  if (approvalTypes.includes(type) && approvalTypes.some((other) => other !== type && earlier.has(other))) {
    errors.push(invalid('status.conditions', type, 'Approved and Denied conditions are mutually exclusive'));
  }
  if (earlier.has(type)) errors.push(duplicate(`${path}.type`, type));
  return errors;
}

function validateCertificate({ status }: CsrFields): FieldError[] {
  const problem = issuedCertificateProblem(Buffer.from(status.certificate ?? '', 'base64').toString('latin1'));
  return problem === undefined ? [] : [invalid('status.certificate', '<certificate data>', problem)];
}

function validateLastingConditions(csr: CsrFields, before: CsrFields): FieldError[] {
  const removed = lastingTypes.filter((type) => conditionsOf(csr, type).length < conditionsOf(before, type).length);
  return removed.map((type) =>
    forbidden('status.conditions', `updates may not remove a condition of type ${quote(type)}`),
  );
}

function validateSameApproval(csr: CsrFields, before: CsrFields): FieldError[] {
  return approvalTypes.flatMap((type) => {
    const now = conditionsOf(csr, type);
    const then = conditionsOf(before, type);
    if (now.length < then.length || sameFields(now, then)) return [];
    const change = now.length > then.length ? 'add' : 'modify';
    return [forbidden('status.conditions', `updates may not ${change} a condition of type ${quote(type)}`)];
  });
}

function validateCertificateChange({ status }: CsrFields, rights: CsrUpdateRights): FieldError[] {
  if (!rights.certificate) return [forbidden('status.certificate', 'updates may not set certificate content')];
  if (!status.certificate) return [];
  return [forbidden('status.certificate', 'updates may not modify existing certificate content')];
}

/** A path has room for a label, a dot and a subdomain. */
const maxSignerPathLength = maxSubdomainLength + 1 + 63 + 1 + maxSubdomainLength;

/** `example.com/signer-name`: a domain of two labels or more, a slash, and a subdomain. */
function validateSignerName(field: string, name: string): FieldError[] {
  if (name === '') return [required(field)];
  const [domain = '', path, ...rest] = name.split('/');
  if (path === undefined || rest.length > 0) {
    return [invalid(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const errors = [...validateDomain(field, domain), ...validatePath(field, path)];
  return name.length > maxSignerPathLength ? [...errors, tooLong(field, maxSignerPathLength)] : errors;
}

function validateDomain(field: string, domain: string): FieldError[] {
  const labels = domain.split('.');
  const errors = domain.length > maxSubdomainLength ? [tooLong(field, maxSubdomainLength)] : [];
  pushAll(errors, firstLabelErrors(field, domain, dns1123LabelProblems));
  if (labels.length < 2) {
    errors.push(invalid(field, domain, 'should be a domain with at least two segments separated by dots'));
  }
  return errors;
}

function validatePath(field: string, path: string): FieldError[] {
  return firstLabelErrors(field, path, dns1123SubdomainProblems);
}

/** Reports only the first invalid label: the others would read the same. */
function firstLabelErrors(field: string, value: string, rule: (label: string) => readonly string[]): FieldError[] {
  const bad = value.split('.').find((label) => rule(label).length > 0);
  if (bad === undefined) return [];
  return rule(bad).map((problem) => invalid(field, value, `validating label ${quote(bad)}: ${problem}`));
}
