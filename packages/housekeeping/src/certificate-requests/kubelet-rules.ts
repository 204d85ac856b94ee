/** What the signers of kubernetes.io accept. Each function returns the problem in Kubernetes' words, or undefined. */
import type { CertificateRequest } from '@flotilla/builtins';

export const clientSigner = 'kubernetes.io/kube-apiserver-client';
export const kubeletClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet';
export const kubeletServingSigner = 'kubernetes.io/kubelet-serving';

const nodeGroup = 'system:nodes';
const nodeUserPrefix = 'system:node:';

type Rule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** By signer. Requests for other signers are not ours. */
export const signerRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [clientSigner, (_request, usages) => clientUsagesProblem(usages)],
  [kubeletClientSigner, kubeletClientProblem],
  [kubeletServingSigner, kubeletServingProblem],
]);

function clientUsagesProblem(usages: readonly string[]): string | undefined {
  const optional = ['digital signature', 'key encipherment', 'client auth'];
  const other = usages.find((usage) => !optional.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

export function kubeletClientProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  return (
    groupProblem(request) ??
    refused(request.dnsNames, 'DNS') ??
    refused(request.emailAddresses, 'Email') ??
    refused(request.ipAddresses, 'IP') ??
    refused(request.uris, 'URI') ??
    userProblem(request) ??
    kubeletUsagesProblem(usages, 'client auth')
  );
}

function kubeletServingProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const hasNoName = request.dnsNames.length === 0 && request.ipAddresses.length === 0;
  return (
    groupProblem(request) ??
    (hasNoName ? 'DNS or IP subjectAltName is required' : undefined) ??
    refused(request.emailAddresses, 'Email') ??
    refused(request.uris, 'URI') ??
    kubeletUsagesProblem(usages, 'server auth') ??
    userProblem(request)
  );
}

function groupProblem({ organizations }: CertificateRequest): string | undefined {
  const isNode = organizations.length === 1 && organizations[0] === nodeGroup;
  return isNode ? undefined : `subject organization is not ${nodeGroup}`;
}

function userProblem({ commonName }: CertificateRequest): string | undefined {
  return commonName.startsWith(nodeUserPrefix)
    ? undefined
    : `subject common name does not begin with ${nodeUserPrefix}`;
}

function refused(names: readonly unknown[], called: string): string | undefined {
  return names.length > 0 ? `${called} subjectAltNames are not allowed` : undefined;
}

/** Key encipherment is for RSA keys, and may be left out. */
function kubeletUsagesProblem(usages: readonly string[], purpose: 'client auth' | 'server auth'): string | undefined {
  const wanted = new Set(usages);
  const required = new Set(['digital signature', 'key encipherment', purpose]);
  const isComplete = wanted.has('digital signature') && wanted.has(purpose) && wanted.isSubsetOf(required);
  return isComplete ? undefined : `usages did not match [${[...required].sort().join(' ')}]`;
}
