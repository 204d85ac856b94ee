/** The webhook configurations that make another Kubernetes call the fleet's checks. */
import { apiVersionOf, mastersGroup, quote, type JsonObject, type Kind, type KubeObject } from '@flotilla/kube';
import type { CheckedKind, FleetCheck } from '../admission/fleet-check.ts';
import { mutatingConfigurations, validatingConfigurations } from './configuration-kinds.ts';

/** Of both configurations. */
export const configurationName = 'flotilla-hub';

/** Where the API server reaches the hub. */
export type WebhookAddress =
  | { readonly url: string }
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } };

export interface WebhookSettings {
  readonly address: WebhookAddress;
  /** Signs the certificates of the hub's replicas, PEM. */
  readonly authority: string;
  /** The user of the hub's controllers. */
  readonly hubUser: string;
  readonly checks: readonly FleetCheck[];
}

export function webhookConfigurations(settings: WebhookSettings): (readonly [Kind, KubeObject])[] {
  const configuration = (kind: Kind, phase: FleetCheck['phase']): readonly [Kind, KubeObject] => {
    const checks = settings.checks.filter((check) => check.phase === phase);
    const webhooks = checks.map((check) => webhookFor(check, settings));
    return [kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name: configurationName }, webhooks }];
  };
  return [configuration(mutatingConfigurations, 'default'), configuration(validatingConfigurations, 'check')];
}

/** Every field has a value, so that a stored configuration can be compared. */
function webhookFor(check: FleetCheck, { address, authority, hubUser }: WebhookSettings): JsonObject {
  const path = `/${check.webhook}`;
  const target = 'url' in address ? { url: `${address.url}${path}` } : { service: { ...address.service, path } };
  return {
    name: check.webhook,
    clientConfig: { ...target, caBundle: Buffer.from(authority).toString('base64') },
    rules: check.kinds.map(ruleFor),
    failurePolicy: check.failsOpen ? 'Ignore' : 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    sideEffects: 'None',
    timeoutSeconds: check.failsOpen ? 1 : 10,
    admissionReviewVersions: ['v1'],
    matchConditions: conditionsOf(check, hubUser),
    ...(check.phase === 'default' && { reinvocationPolicy: 'Never' }),
  };
}

function ruleFor({ kind, subresources, operations }: CheckedKind): JsonObject {
  return {
    apiGroups: [kind.group],
    apiVersions: ['*'],
    operations: [...operations],
    resources: subresources.map((part) => (part === '' ? kind.plural : `${kind.plural}/${part}`)),
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
  };
}

/** The API server calls no webhook for requests that it need not ask about: those of the hub itself, for instance. */
function conditionsOf({ condition, isGuard }: FleetCheck, hubUser: string): JsonObject[] {
  const concerned = { name: 'concerns-the-check', expression: condition };
  if (!isGuard) return [concerned];
  const other = `request.userInfo.username != ${quote(hubUser)} && !(${quote(mastersGroup)} in request.userInfo.groups)`;
  return [concerned, { name: 'is-neither-hub-nor-administrator', expression: other }];
}
