import {
  operations,
  type Admission,
  type AdmissionChain,
  type AdmissionDependencies,
  type Operation,
  type PhaseList,
} from './admission.ts';
import { AdmissionTimes } from './metrics/phase-times.ts';
import { certificateApproval, certificateSigning } from './certificates/signer-rights.ts';
import { certificateSubjectRestriction } from './certificates/subject-restriction.ts';
import { declaredFeatures } from './declared-features.ts';
import { defaultIngressClass, defaultStorageClass } from './default-class.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { mutatingAdmissionPolicy } from './policies/mutating/mutating-admission-policy.ts';
import { validatingAdmissionPolicy } from './policies/validating/validating-admission-policy.ts';
import { podPriority } from './pod-priority.ts';
import { podResize } from './pod-resize.ts';
import { podSecurity } from './pod-security/pod-security.ts';
import { resourceQuota } from './quota/resource-quota.ts';
import { defaultTolerations, runtimeClass, taintNewNodes, topologyLabels } from './scheduling.ts';
import { serviceAccount } from './service-account.ts';
import { claimResize, inUseProtection } from './storage.ts';
import { terminatingDefinitions } from './terminating-definitions.ts';
import { mutatingWebhooks, validatingWebhooks } from './webhooks/admission-webhooks.ts';

/** The default plugins of kube-apiserver in order. A string is a plugin that is not built: `docs/scope.md` says why. */
const inOrder: readonly (Admission | string)[] = [
  terminatingDefinitions,
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  taintNewNodes,
  podSecurity,
  podPriority,
  defaultTolerations,
  defaultStorageClass,
  inUseProtection,
  'PodGroupProtection',
  claimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  'ClusterTrustBundleAttest',
  certificateSubjectRestriction,
  defaultIngressClass,
  topologyLabels,
  'PodGroupWorkloadExists',
  declaredFeatures,
  'JobValidation',
  podResize,
  mutatingAdmissionPolicy,
  mutatingWebhooks,
  validatingAdmissionPolicy,
  validatingWebhooks,
  resourceQuota,
];

/**
 * The built-in plugins without the disabled ones. Those of the embedding program admit before the mutating webhooks, and validate
 * before the validating ones: its checks could as well be webhooks.
 */
export function admissionPlugins(
  disabled: readonly string[] = [],
  embedderPlugins: readonly Admission[] = [],
): AdmissionChain {
  const known = inOrder.filter((plugin) => typeof plugin !== 'string');
  const withThoseOfEmbedder = (before: Admission): Admission[] =>
    known
      .flatMap((plugin) => (plugin === before ? [...embedderPlugins, plugin] : [plugin]))
      .filter((plugin) => embedderPlugins.includes(plugin) || !disabled.includes(plugin.name));
  return chainOf(withThoseOfEmbedder(mutatingWebhooks), withThoseOfEmbedder(validatingWebhooks));
}

/** The same plugins in the order in which they admit, and in that in which they validate. */
function chainOf(plugins: readonly Admission[], validating: readonly Admission[]): AdmissionChain {
  return {
    plugins,
    admitting: byOperation(0, plugins, 'admit', 'admit'),
    validating: byOperation(1, validating, 'validate', 'validate'),
    rechecking: plugins.flatMap(({ recheck }) => recheck ?? []),
    charging: byOperation(2, plugins, 'charge', 'validate'),
  };
}

/** Nothing is checked, changed or counted. */
export const noAdmission: Pick<AdmissionDependencies, 'admission' | 'admissionTimes'> = {
  admission: chainOf([], []),
  admissionTimes: new AdmissionTimes(() => undefined),
};

type Method = 'admit' | 'validate' | 'charge';

/** The plugins with the method, for each operation. */
function byOperation<M extends Method>(
  position: number,
  plugins: readonly Admission[],
  method: M,
  phase: PhaseList['phase'],
): Readonly<Record<Operation, PhaseList<NonNullable<Admission[M]>>>> {
  const listOf = (operation: Operation, index: number): PhaseList<NonNullable<Admission[M]>> => {
    const called = plugins.filter(({ operations: own }) => own === undefined || own.includes(operation));
    const having = called.filter((plugin) => plugin[method] !== undefined);
    return {
      index: position * operations.length + index,
      phase,
      operation,
      isStep: method !== 'charge',
      names: having.map(({ name }) => name),
      calls: having.flatMap((plugin): NonNullable<Admission[M]>[] => (plugin[method] ? [plugin[method]] : [])),
    };
  };
  const lists = operations.map((operation, index) => [operation, listOf(operation, index)] as const);
  return Object.fromEntries(lists) as Record<Operation, PhaseList<NonNullable<Admission[M]>>>;
}
