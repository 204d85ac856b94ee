import { apiErrors, quote, sortedCopy, stringifyJson } from '@flotilla/kube';
import { reinvocationOf, type Attributes, type Reinvocation } from '../admission.ts';
import { roundsOf } from '../invocation-rounds.ts';
import { replaceObject } from '../replace-object.ts';
import { inVersion } from '../matching/versioned-objects.ts';
import { kindOf } from '../matching/requested-object.ts';
import { CostAllowance } from '../../resources/cost-allowance.ts';
import { callAdmissionWebhook, type Invocation, type WebhookCaller } from './call-webhook.ts';
import type { ConfiguredWebhook } from './configured-webhook.ts';
import { convertOnce, invocationOf } from './matching-webhook.ts';
import { applyPatch, readPatch, UndecodablePatch } from './patched-object.ts';
import { failedOpen, runWebhook } from './run-webhook.ts';
import { WebhookCallFailure } from './webhook-failure.ts';

/**
 * Calls webhooks one after another; each sees the changes of those before it. A change lets the whole chain run again once, in
 * which only webhooks that ran before the change and ask for it are called.
 */
export async function runMutatingWebhooks(
  webhooks: readonly ConfiguredWebhook[],
  attributes: Attributes,
  caller: WebhookCaller,
): Promise<void> {
  const reinvocation = reinvocationOf(attributes);
  const rounds = roundsOf(reinvocation, 'MutatingAdmissionWebhook');
  if (reinvocation.isReinvoke) rounds.beginAgain(attributes.object);
  const costs = new CostAllowance(attributes);
  let convert = convertOnce(attributes);
  for (const webhook of webhooks) {
    const invocation = await invocationOf(webhook, attributes, convert, 'admit', costs);
    if (!invocation || (reinvocation.isReinvoke && !rounds.isDue(webhook.id))) continue;
    if (await runMutatingWebhook(invocation, reinvocation, caller)) {
      rounds.objectChanged();
      reinvocation.shouldReinvoke = true;
      convert = convertOnce(attributes);
    }
    if (webhook.isReinvoked) rounds.ran(webhook.id);
  }
  if (reinvocation.shouldReinvoke && !reinvocation.isReinvoke) rounds.end(attributes.object);
}

/** Returns whether the webhook changed the object. */
async function runMutatingWebhook(
  invocation: Invocation,
  { isReinvoke }: Reinvocation,
  caller: WebhookCaller,
): Promise<boolean> {
  const { webhook, attributes } = invocation;
  const { audit } = attributes;
  const { name, configuration } = webhook;
  const position = `round_${isReinvoke ? 1 : 0}_index_${webhook.index}`;
  const outcome = await runWebhook(webhook, 'admit', attributes, () =>
    change(invocation, caller, (patch) =>
      audit?.annotate(
        `patch.webhook.admission.k8s.io/${position}`,
        stringifyJson({ configuration, webhook: name, patch, patchType: 'JSONPatch' }),
        'Request',
      ),
    ),
  );
  const isChanged = outcome === true;
  if (outcome === failedOpen) audit?.annotate(`failed-open.mutation.webhook.admission.k8s.io/${position}`, name);
  audit?.annotate(
    `mutation.webhook.admission.k8s.io/${position}`,
    stringifyJson({ configuration, webhook: name, mutated: isChanged }),
  );
  return isChanged;
}

type OnPatch = (patch: ReturnType<typeof readPatch>['json']) => void;

async function change(invocation: Invocation, caller: WebhookCaller, onPatch: OnPatch): Promise<boolean> {
  const { webhook, attributes, matched, objects } = invocation;
  const { patch: bytes, patchType } = await callAdmissionWebhook(caller, invocation, true);
  if (bytes === undefined) return false;
  const { patch, json } = decodedPatch(webhook.name, bytes);
  if (patch.length === 0) return false;
  const { object } = attributes;
  if (!object || !objects.object) {
    throw apiErrors.internalError(
      `admission webhook ${quote(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  if (patchType !== 'JSONPatch') {
    throw new WebhookCallFailure(webhook.name, `unsupported patch type ${quote(patchType ?? '')}`, 400);
  }
  const patched = applyPatch(objects.object, patch, matched, attributes.operation);
  onPatch(sortedCopy(json));
  const { resource, subresource } = attributes;
  replaceObject(object, await inVersion(resource, patched.object, kindOf(resource, subresource)));
  return patched.isChanged;
}

function decodedPatch(webhook: string, bytes: Uint8Array): ReturnType<typeof readPatch> {
  try {
    return readPatch(bytes);
  } catch (error) {
    if (!(error instanceof UndecodablePatch)) throw error;
    const why = `received undecodable patch in webhook response: ${error.message}`;
    throw new WebhookCallFailure(webhook, why, 503, { cause: error });
  }
}
