import { DerError, readCertificateRequest, type CertificateRequest, type CsrFields } from '@flotilla/builtins';
import { mastersGroup, type KubeObject } from '@flotilla/kube';
import { forbidden, type Admission, type Attributes } from '../admission.ts';
import { isCertificateRequest } from './is-certificate-request.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';

/** Refuses requests for client certificates of the group that may do everything. */
export const certificateSubjectRestriction: Admission = {
  name: 'CertificateSubjectRestriction',
  operations: ['CREATE'],
  validate(attributes) {
    const { operation, subresource, object } = attributes;
    if (operation !== 'CREATE' || subresource !== '' || !isCertificateRequest(attributes)) return;
    const { spec } = object as KubeObject & CsrFields;
    if (spec.signerName !== clientSigner) return;
    if (!readRequest(attributes, spec.request ?? '').organizations.includes(mastersGroup)) return;
    throw forbidden(attributes, `use of ${clientSigner} signer with ${mastersGroup} group is not allowed`);
  },
};

function readRequest(attributes: Attributes, request: string): CertificateRequest {
  try {
    return readCertificateRequest(Buffer.from(request, 'base64').toString('latin1'));
  } catch (error) {
    if (error instanceof DerError) throw forbidden(attributes, `failed to parse CSR: ${error.message}`);
    throw error;
  }
}
