import { apiErrors, errorMessage, quote, type JsonObject } from '@flotilla/kube';
import { answerError, isSuccess } from '../../webhooks/answer-error.ts';
import { checkParts, maxAnswerBytes } from '../../webhooks/answer-parts.ts';
import { TooManyParts } from '../../resources/too-many-parts.ts';
import type { ResolveService } from '../../webhooks/resolve-service.ts';
import type { CallWebhook, WebhookAnswer } from '../../webhooks/webhook-call.ts';
import { webhookTarget } from '../../webhooks/webhook-target.ts';
import type { Attributes } from '../admission.ts';
import { reviewRequest } from '../matching/admission-review-request.ts';
import type { MatchedResource } from '../matching/match-criteria.ts';
import type { VersionedObjects } from '../matching/versioned-objects.ts';
import {
  InvalidReview,
  readReview,
  reviewBody,
  reviewVersionOf,
  UndecodableReview,
  type ExpectedReview,
  type ReviewAnswer,
} from './admission-review.ts';
import type { ConfiguredWebhook } from './configured-webhook.ts';
import { WebhookCallFailure, WebhookRejection } from './webhook-failure.ts';

export interface WebhookCaller {
  readonly call: CallWebhook;
  readonly resolveService: ResolveService;
  readonly uid: () => string;
  /** The most values that an answer or a patch may have if it is large. */
  readonly maxAnswerParts: number;
}

/** A request that a webhook matches, with its objects in the version that the webhook wants. */
export interface Invocation {
  readonly webhook: ConfiguredWebhook;
  readonly attributes: Attributes;
  readonly matched: MatchedResource;
  readonly objects: VersionedObjects;
}

/**
 * Returns the answer of a webhook that allows the request. Throws a `WebhookRejection`, a `WebhookCallFailure`, or an ApiError
 * that no failure policy ignores.
 */
export async function callAdmissionWebhook(
  caller: WebhookCaller,
  invocation: Invocation,
  isMutating: boolean,
): Promise<ReviewAnswer> {
  const { webhook, attributes } = invocation;
  const { name } = webhook;
  if (attributes.dryRun && webhook.hasSideEffects) {
    throw apiErrors.badRequest(`admission webhook ${quote(name)} does not support dry run`);
  }
  const version = reviewVersionOf(webhook.reviewVersions);
  if (version === undefined) {
    const why = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    throw new WebhookCallFailure(name, `could not create admission objects: ${why}`, 400);
  }
  const expected: ExpectedReview = { version, uid: caller.uid(), isMutating };
  const answer = readAnswer(name, await send(caller, invocation, expected), expected, caller.maxAnswerParts);
  for (const [key, value] of Object.entries(answer.auditAnnotations)) {
    attributes.audit?.annotate(`${name}/${key}`, value);
  }
  for (const warning of answer.warnings) attributes.warnings.push(warning);
  if (!answer.isAllowed) throw new WebhookRejection(name, answer.result);
  return answer;
}

async function send(
  { call, resolveService }: WebhookCaller,
  { webhook, attributes, matched, objects }: Invocation,
  { version, uid }: ExpectedReview,
): Promise<WebhookAnswer> {
  const request: JsonObject = reviewRequest(attributes, matched);
  const { timeoutSeconds } = webhook;
  let answer: WebhookAnswer;
  try {
    answer = await call({
      ...webhookTarget(webhook.clientConfig, timeoutSeconds, resolveService),
      body: reviewBody(version, uid, request, objects),
      timeoutMs: timeoutSeconds * 1000,
      maxAnswerBytes,
      ...(attributes.request && { signal: attributes.request.signal }),
    });
  } catch (error) {
    throw new WebhookCallFailure(webhook.name, `failed to call webhook: ${errorMessage(error)}`, 503, { cause: error });
  }
  if (isSuccess(answer)) return answer;
  const { message, code } = answerError(answer);
  throw new WebhookCallFailure(webhook.name, `failed to call webhook: ${message}`, code);
}

function readAnswer(
  webhook: string,
  { body, status, contentType = '' }: WebhookAnswer,
  expected: ExpectedReview,
  maxParts: number,
): ReviewAnswer {
  if (body.length === 0) {
    const why = `0-length response with status code: ${status} and content type: ${contentType || 'application/json'}`;
    throw new WebhookCallFailure(webhook, `failed to call webhook: ${why}`, 503);
  }
  try {
    checkParts(body, maxParts);
    const answer = readReview(body, expected);
    if (answer.patch) checkParts(answer.patch, maxParts);
    return answer;
  } catch (error) {
    if (error instanceof UndecodableReview || error instanceof TooManyParts) {
      throw new WebhookCallFailure(webhook, `failed to call webhook: ${error.message}`, 503, { cause: error });
    }
    if (error instanceof InvalidReview) {
      throw new WebhookCallFailure(webhook, `received invalid webhook response: ${error.message}`, 503, {
        cause: error,
      });
    }
    throw error;
  }
}
