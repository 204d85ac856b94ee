/** The rights of a hub on another Kubernetes, where it also installs what it needs. The chart hub-agent grants them. */
import { hubDefinitions } from '@flotilla/api';
import {
  boundPolicies,
  defaultPolicySettings,
  hubRules,
  validatingPolicies,
  validatingPolicyBindings,
  type BoundPolicy,
} from '@flotilla/controllers';
import {
  customResourceDefinitions,
  leases,
  secrets,
  type Kind,
  type KubeObject,
  type PolicyRule,
} from '@flotilla/kube';
import { hubLease } from './attach-hub.ts';
import { mutatingConfigurations, validatingConfigurations } from './webhooks/configuration-kinds.ts';
import { subjectAccessReviews } from './webhooks/webhook-reader.ts';
import { certificateSecret } from './webhooks/webhook-certificates.ts';
import { configurationName } from './webhooks/webhook-configurations.ts';

export interface AttachedHubRules {
  readonly cluster: readonly PolicyRule[];
  /** In the namespace of the fleet. */
  readonly namespace: readonly PolicyRule[];
}

/** Requests that create an object have no name that a rule could restrict. Every kind can be read. */
export async function attachedHubRules(): Promise<AttachedHubRules> {
  const definitions = (await hubDefinitions()).map(({ metadata }) => metadata.name ?? '');
  return {
    cluster: [
      ...hubRules(false),
      // Webhooks ask whether users may join and bind cluster sets.
      { apiGroups: [subjectAccessReviews.group], resources: [subjectAccessReviews.plural], verbs: ['create'] },
      ...installing(customResourceDefinitions, definitions, ['update']),
      ...installing(mutatingConfigurations, [configurationName], ['update', 'delete']),
      ...installing(validatingConfigurations, [configurationName], ['update', 'delete']),
      ...installing(
        validatingPolicies,
        namesOf(({ policy }) => policy),
        ['update', 'delete'],
      ),
      ...installing(
        validatingPolicyBindings,
        namesOf(({ binding }) => binding),
        ['update', 'delete'],
      ),
    ],
    namespace: [
      ...installing(leases, [hubLease], ['update']),
      ...installing(secrets, [certificateSecret.name], ['update', 'delete']),
    ],
  };
}

function namesOf(part: (bound: BoundPolicy) => KubeObject): string[] {
  return boundPolicies(defaultPolicySettings).map((bound) => part(bound).metadata.name ?? '');
}

function installing({ group, plural }: Kind, resourceNames: string[], verbs: string[]): PolicyRule[] {
  const rule = { apiGroups: [group], resources: [plural] };
  return [
    { ...rule, verbs: ['create'] },
    { ...rule, resourceNames, verbs },
  ];
}
