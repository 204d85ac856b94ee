/** The rights to approve and to sign certificate requests. They belong to a signer, not to the requests. */
import type { CsrFields } from '@flotilla/builtins';
import { jsonEquals, quote, type JsonValue, type KubeObject } from '@flotilla/kube';
import { forbidden, type Admission, type Attributes } from '../admission.ts';
import { isCertificateRequest } from './is-certificate-request.ts';

export const certificateApproval: Admission = {
  name: 'CertificateApproval',
  operations: ['UPDATE'],
  validate(attributes) {
    if (isUpdateOf(attributes, 'approval')) checkRight(attributes, 'approve');
  },
};

/** An update of the status that changes neither certificate nor conditions needs no right. */
export const certificateSigning: Admission = {
  name: 'CertificateSigning',
  operations: ['UPDATE'],
  validate(attributes) {
    if (!isUpdateOf(attributes, 'status')) return;
    const [now, before] = [statusOf(attributes.object), statusOf(attributes.oldObject)];
    if (now.certificate === before.certificate && jsonEquals(now.conditions, before.conditions)) return;
    checkRight(attributes, 'sign');
  },
};

function isUpdateOf(attributes: Attributes, subresource: string): boolean {
  return (
    attributes.operation === 'UPDATE' && attributes.subresource === subresource && isCertificateRequest(attributes)
  );
}

function statusOf(object: KubeObject | undefined): { certificate: string; conditions: JsonValue } {
  const { status } = (object ?? {}) as Partial<CsrFields>;
  return { certificate: status?.certificate ?? '', conditions: (status?.conditions ?? []) as JsonValue };
}

/** The signer is that of the stored object, because the request may name another. A right may name a whole domain. */
function checkRight(attributes: Attributes, verb: 'approve' | 'sign'): void {
  const { spec } = attributes.oldObject as KubeObject & CsrFields;
  const { signerName = '' } = spec;
  const [domain = ''] = signerName.split('/');
  if (isAllowed(attributes, verb, signerName) || isAllowed(attributes, verb, `${domain}/*`)) return;
  throw forbidden(attributes, `user not permitted to ${verb} requests with signerName ${quote(signerName)}`);
}

function isAllowed({ server, user }: Attributes, verb: string, name: string): boolean {
  return server.access.authorize({
    isResource: true,
    user,
    verb,
    group: 'certificates.k8s.io',
    version: '*',
    resource: 'signers',
    subresource: '',
    namespace: '',
    name,
  }).isAllowed;
}
