import type { Attributes } from '../admission.ts';

export function isCertificateRequest({ resource }: Attributes): boolean {
  return resource.plural === 'certificatesigningrequests' && resource.group === 'certificates.k8s.io';
}
