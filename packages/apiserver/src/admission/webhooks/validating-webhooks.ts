import type { Attributes } from '../admission.ts';
import { CostAllowance } from '../../resources/cost-allowance.ts';
import { callAdmissionWebhook, type Invocation, type WebhookCaller } from './call-webhook.ts';
import type { ConfiguredWebhook } from './configured-webhook.ts';
import { convertOnce, invocationOf } from './matching-webhook.ts';
import { failedOpen, runWebhook } from './run-webhook.ts';

/** Calls all webhooks that match at once, and waits for all of them. Throws the refusal that came first. */
export async function runValidatingWebhooks(
  webhooks: readonly ConfiguredWebhook[],
  attributes: Attributes,
  caller: WebhookCaller,
): Promise<void> {
  const costs = new CostAllowance(attributes);
  const convert = convertOnce(attributes);
  const invocations: Invocation[] = [];
  for (const webhook of webhooks) {
    const invocation = await invocationOf(webhook, attributes, convert, 'validating', costs);
    if (invocation) invocations.push(invocation);
  }
  const refusals: unknown[] = [];
  await Promise.all(
    invocations.map((invocation, index) =>
      runValidatingWebhook(invocation, index, caller).catch((error: unknown) => refusals.push(error)),
    ),
  );
  if (refusals.length > 0) throw refusals[0];
}

async function runValidatingWebhook(invocation: Invocation, index: number, caller: WebhookCaller): Promise<void> {
  const { webhook, attributes } = invocation;
  const outcome = await runWebhook(webhook, 'validating', attributes, () =>
    callAdmissionWebhook(caller, invocation, false),
  );
  if (outcome !== failedOpen) return;
  attributes.audit?.annotate(`failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`, webhook.name);
}
