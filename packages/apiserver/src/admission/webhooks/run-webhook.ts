import type { ConfiguredWebhook } from './configured-webhook.ts';
import type { Attributes } from '../admission.ts';
import { WebhookCallFailure, WebhookRejection } from './webhook-failure.ts';
import type { RejectionCause, Step } from './webhook-metrics.ts';

/** A webhook that failed, and whose failures are ignored. */
export const failedOpen = Symbol('failed open');

/** Runs a call by the webhook's failure policy, and counts it. Throws the ApiError of a request that is refused. */
export async function runWebhook<T>(
  { name, ignoresFailures }: ConfiguredWebhook,
  step: Step,
  { operation, server }: Attributes,
  call: () => Promise<T>,
): Promise<T | typeof failedOpen> {
  const metrics = server.observer.webhooks;
  const start = performance.now();
  const count = (code: number, rejection?: RejectionCause): void =>
    metrics.called(name, step, operation, { seconds: (performance.now() - start) / 1000, code, rejection });
  try {
    const result = await call();
    count(200);
    return result;
  } catch (error) {
    if (error instanceof WebhookRejection) {
      count(error.error.code, 'no_error');
      throw error.error;
    }
    if (!(error instanceof WebhookCallFailure)) {
      count(0, 'apiserver_internal_error');
      throw error;
    }
    count(error.code, ignoresFailures ? undefined : 'calling_webhook_error');
    if (!ignoresFailures) throw error.toApiError();
    metrics.failedOpen(name, step);
    return failedOpen;
  }
}
