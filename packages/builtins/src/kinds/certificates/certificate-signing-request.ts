import { humanDuration, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { Columns, KindBehavior, WriteContext } from '../../kind.ts';
import {
  conditionsOf,
  csrOf,
  validateCsr,
  validateCsrUpdate,
  type CsrCondition,
  type CsrFields,
} from './csr-validation.ts';

export const certificateSigningRequestKind: KindBehavior = {
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  nameRule: () => [],
  /** The server sets the requester, whatever the object says. */
  prepareForCreate(object, { user, groups, uid = '', extra = {} }) {
    const csr = csrOf(object);
    const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...asked } = csr.spec;
    csr.spec = {
      ...asked,
      username: user,
      ...(uid !== '' && { uid }),
      groups: [...groups],
      ...(Object.keys(extra).length > 0 && { extra: copyExtra(extra) }),
    };
    csr.status = {};
  },
  prepareForUpdate(object, old) {
    const csr = csrOf(object);
    csr.spec = csrOf(old).spec;
    csr.status = csrOf(old).status;
  },
  validate: validateCsr,
  validateUpdate: (object, old) => validateCsrUpdate(object, old, {}),
  subresources: {
    approval: {
      prepareForUpdate: prepareApproval,
      validateUpdate: (object, old) => validateCsrUpdate(object, old, { approval: true }),
      resetFields: [['spec'], ['status', 'certificate']],
    },
    status: {
      prepareForUpdate: prepareStatus,
      validateUpdate: (object, old) => validateCsrUpdate(object, old, { certificate: true }),
      resetFields: [['spec'], ['status', 'conditions']],
    },
  },
  fieldLabels: ['spec.signerName'],
  selectableFields: (object) => ({ 'spec.signerName': csrOf(object).spec.signerName ?? '' }),
  columns: csrColumns(),
  resetFields: [['spec'], ['status']],
};

/** In byte order, as Go writes a map. */
function copyExtra(extra: NonNullable<WriteContext['extra']>): Record<string, string[]> {
  return Object.fromEntries(
    Object.keys(extra)
      .sort()
      .map((key) => [key, [...(extra[key] ?? [])]]),
  );
}

function prepareApproval(object: KubeObject, old: KubeObject, { now }: WriteContext): void {
  const csr = csrOf(object);
  const before = csrOf(old);
  stampConditions(csr, before, now);
  csr.spec = before.spec;
  csr.status = { ...before.status, ...(csr.status.conditions && { conditions: csr.status.conditions }) };
}

/** The status endpoint ignores changed approvals. */
function prepareStatus(object: KubeObject, old: KubeObject, { now }: WriteContext): void {
  const csr = csrOf(object);
  const before = csrOf(old);
  csr.spec = before.spec;
  for (const type of ['Approved', 'Denied']) keepConditions(csr, conditionsOf(before, type), type);
  stampConditions(csr, before, now);
}

function keepConditions(csr: CsrFields, kept: readonly CsrCondition[], type: string): void {
  if (conditionsOf(csr, type).length !== kept.length) return;
  const rest = kept[Symbol.iterator]();
  csr.status.conditions = (csr.status.conditions ?? []).map((condition) =>
    condition.type === type ? (rest.next().value ?? condition) : condition,
  );
}

function stampConditions({ status }: CsrFields, before: CsrFields, now: Date): void {
  const stamp = `${now.toISOString().slice(0, 19)}Z`;
  status.conditions = (status.conditions ?? []).map((condition) => ({
    ...condition,
    lastUpdateTime: condition.lastUpdateTime ?? stamp,
    lastTransitionTime: condition.lastTransitionTime ?? sameTransition(condition, before) ?? stamp,
  }));
}

/** A condition keeps its transition time if the status is unchanged. */
function sameTransition({ type = '', status }: CsrCondition, before: CsrFields): string | undefined {
  const same = conditionsOf(before, type).find((one) => one.status === status && one.lastTransitionTime);
  return same?.lastTransitionTime ?? undefined;
}

function csrColumns(): Columns {
  return {
    definitions: [
      nameColumn,
      ageColumn,
      column('SignerName', 'string', 'The requested signer.'),
      column('Requestor', 'string', 'The user that sent the request.'),
      column('RequestedDuration', 'string', 'How long the certificate should be valid.'),
      column('Condition', 'string', 'Whether it was approved and issued.'),
    ],
    cells(object, now) {
      const csr = csrOf(object);
      const { signerName = '', username = '', expirationSeconds } = csr.spec;
      const duration = expirationSeconds === undefined ? '<none>' : humanDuration(expirationSeconds * 1000);
      const name = object.metadata.name ?? '';
      return [name, age(object, now), signerName || '<none>', username, duration, conditionText(csr)];
    },
  };
}

function conditionText(csr: CsrFields): string {
  const has = (type: string) => conditionsOf(csr, type).length > 0;
  const verdict = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  const outcome = `${has('Failed') ? ',Failed' : ''}${csr.status.certificate ? ',Issued' : ''}`;
  return `${verdict}${outcome}`;
}
