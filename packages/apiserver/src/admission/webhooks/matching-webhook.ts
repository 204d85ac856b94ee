import { apiErrors } from '@flotilla/kube';
import type { Attributes } from '../admission.ts';
import type { CostAllowance } from '../../resources/cost-allowance.ts';
import { AdmissionBindings } from '../matching/admission-bindings.ts';
import type { MatchedResource } from '../matching/match-criteria.ts';
import { inMatchedVersion, type VersionedObjects } from '../matching/versioned-objects.ts';
import type { Invocation } from './call-webhook.ts';
import type { ConfiguredWebhook } from './configured-webhook.ts';
import type { Step } from './webhook-metrics.ts';

/** Converts the objects of a request. Async only if a conversion webhook is called. */
type Convert = (matched: MatchedResource) => VersionedObjects | Promise<VersionedObjects>;

/** Converts to each version once. Make a new one when the object has changed. */
export function convertOnce(attributes: Attributes): Convert {
  const converted = new Map<string, VersionedObjects | Promise<VersionedObjects>>();
  return (matched) => {
    const { group, version, kind } = matched.kind;
    const key = `${group}/${version} ${kind}`;
    let objects = converted.get(key);
    if (!objects) converted.set(key, (objects = inMatchedVersion(attributes, matched)));
    return objects;
  };
}

/** Undefined if the webhook does not apply to the request. Throws if that cannot be decided. */
export async function invocationOf(
  webhook: ConfiguredWebhook,
  attributes: Attributes,
  convert: Convert,
  step: Step,
  costs: CostAllowance,
): Promise<Invocation | undefined> {
  const matched = webhook.criteria.match(attributes);
  if (!matched) return undefined;
  const converting = convert(matched);
  const objects = converting instanceof Promise ? await converting : converting;
  if (webhook.conditions.isEmpty) return { webhook, attributes, matched, objects };
  const { operation, server } = attributes;
  const { name, conditions } = webhook;
  const evaluated = { kind: 'webhook', name, operation, type: step === 'admit' ? 'admit' : 'validate' } as const;
  const bindings = new AdmissionBindings(attributes, matched, objects);
  const outcome = conditions.evaluateObserved(bindings, costs, server.observer, evaluated);
  if ('error' in outcome) {
    const { plural, group } = attributes.resource;
    throw apiErrors.forbidden({ resource: plural, group }, attributes.name, outcome.error);
  }
  if (outcome.isMatch) return { webhook, attributes, matched, objects };
  server.observer.webhooks.excluded(name, step, operation);
  return undefined;
}
