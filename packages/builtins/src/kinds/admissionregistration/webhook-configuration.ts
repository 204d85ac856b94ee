/** Validating and mutating webhooks have the same configuration, except for the reinvocation of mutating ones. */
import { nameIsDnsSubdomain, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { bumpGenerationIf, startGeneration } from '../prepare-update.ts';
import { sameFields } from '../same-fields.ts';
import { setRuleDefaults, staticNameWarnings } from './admission-rule.ts';
import { validateWebhooks, validateWebhooksUpdate, type Webhook } from './webhook-validation.ts';

export const validatingWebhookConfigurationKind = webhookConfigurationKind('ValidatingWebhookConfiguration', false);
export const mutatingWebhookConfigurationKind = webhookConfigurationKind('MutatingWebhookConfiguration', true);

function webhookConfigurationKind(kind: string, isMutating: boolean): KindBehavior {
  return {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind,
    allowsShortFinalizers: true,
    nameRule: nameIsDnsSubdomain,
    requiresResourceVersion: true,
    setDefaults(object) {
      for (const webhook of webhooksOf(object)) setWebhookDefaults(webhook, isMutating);
    },
    prepareForCreate: startGeneration,
    prepareForUpdate(object, old) {
      bumpGenerationIf(!sameFields(webhooksOf(object), webhooksOf(old)), object, old);
    },
    validate: (object, context) => validateWebhooks(webhooksOf(object), context),
    validateUpdate: (object, old, context) => validateWebhooksUpdate(webhooksOf(object), webhooksOf(old), context),
    warnings: staticNameWarnings,
    columns: {
      definitions: [nameColumn, column('Webhooks', 'integer', 'How many webhooks there are.'), ageColumn],
      cells: (object, now) => [object.metadata.name ?? '', webhooksOf(object).length, age(object, now)],
    },
  };
}

function webhooksOf(object: KubeObject): readonly Webhook[] {
  return (object as KubeObject & { readonly webhooks?: readonly Webhook[] }).webhooks ?? [];
}

function setWebhookDefaults(webhook: Webhook, isMutating: boolean): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  if (isMutating) webhook.reinvocationPolicy ??= 'Never';
  webhook.rules?.forEach(setRuleDefaults);
  if (webhook.clientConfig?.service !== undefined) webhook.clientConfig.service.port ??= 443;
}
