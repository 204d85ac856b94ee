/** The ValidatingAdmissionPolicies of KubeFleet's policy manager, with their bindings. */
import { apiVersionOf, mastersGroup, quote, type JsonObject, type Kind, type KubeObject } from '@flotilla/kube';
import type { AccountPolicySettings, PodPolicySettings, PolicySettings } from './policy-settings.ts';

const registration = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false } as const;

export const validatingPolicies: Kind = {
  ...registration,
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
};

export const validatingPolicyBindings: Kind = {
  ...registration,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
};

/** KubeFleet deletes and updates policies with these labels, and so do we. */
export const policyLabels = {
  'app.kubernetes.io/managed-by': 'fleet-hub-agent',
  'app.kubernetes.io/part-of': 'fleet',
  'app.kubernetes.io/component': 'admission-policy-manager',
} as const;

export interface BoundPolicy {
  readonly policy: KubeObject;
  readonly binding: KubeObject;
}

export function boundPolicies({ pods, serviceAccounts }: PolicySettings): BoundPolicy[] {
  return [...(pods ? [podPolicy(pods)] : []), ...(serviceAccounts ? [accountPolicy(serviceAccounts)] : [])];
}

function podPolicy({ reservedNamespacePrefixes }: PodPolicySettings): BoundPolicy {
  return boundPolicy({
    name: 'deny-pods-and-replicasets-outside-reserved-namespaces',
    rules: [ruleFor('', 'pods', ['CREATE']), ruleFor('apps', 'replicasets', ['CREATE'])],
    expression: isReserved(reservedNamespacePrefixes),
    message: 'creating pods and replicas is disallowed in the fleet hub cluster',
  });
}

/** Parts of Kubernetes get tokens by these requests. */
const systemUsers = ['system:kube-scheduler', 'system:kube-controller-manager'];
const systemGroups = ['system:nodes', mastersGroup, 'kubeadm:cluster-admins', 'system:serviceaccounts'];

function accountPolicy(settings: AccountPolicySettings): BoundPolicy {
  const isRequester = anyOf([
    ...systemUsers.map(isUser),
    ...systemGroups.map(isInGroup),
    ...settings.whitelistedUsernames.map(isUser),
    ...settings.whitelistedUserGroups.map(isInGroup),
  ]);
  return boundPolicy({
    name: 'deny-serviceaccounts-and-tokenrequests-in-reserved-namespaces',
    rules: [
      ruleFor('', 'serviceaccounts', ['CREATE', 'UPDATE', 'DELETE']),
      ruleFor('', 'serviceaccounts/token', ['CREATE']),
    ],
    expression: anyOf([`!(${isReserved(settings.reservedNamespacePrefixes)})`, isRequester]),
    message:
      'writing service accounts in reserved namespaces or requesting tokens from such service accounts is disallowed',
  });
}

function isReserved(prefixes: readonly string[]): string {
  return anyOf(prefixes.map((prefix) => `request.namespace.startsWith(${quote(prefix)})`));
}

function isUser(name: string): string {
  return `request.userInfo.username == ${quote(name)}`;
}

function isInGroup(name: string): string {
  return `${quote(name)} in request.userInfo.groups`;
}

function anyOf(terms: readonly string[]): string {
  return terms.map((term) => `(${term})`).join(' || ');
}

function ruleFor(group: string, resource: string, operations: string[]): JsonObject {
  return { apiGroups: [group], apiVersions: ['v1'], operations, resources: [resource], scope: '*' };
}

interface PolicyParts {
  readonly name: string;
  readonly rules: JsonObject[];
  readonly expression: string;
  readonly message: string;
}

/** Every field that the server would set has its value, so that stored objects can be compared. */
function boundPolicy({ name, rules: resourceRules, expression, message }: PolicyParts): BoundPolicy {
  const object = (kind: Kind, objectName: string, spec: JsonObject): KubeObject => ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name: objectName, labels: { ...policyLabels } },
    spec,
  });
  const matchConstraints = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, resourceRules };
  const validations = [{ expression, message, reason: 'Forbidden' }];
  return {
    policy: object(validatingPolicies, name, { failurePolicy: 'Fail', matchConstraints, validations }),
    binding: object(validatingPolicyBindings, `${name}-binding`, { policyName: name, validationActions: ['Deny'] }),
  };
}
