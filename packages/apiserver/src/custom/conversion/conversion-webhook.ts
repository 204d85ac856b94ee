import {
  apiErrors,
  errorMessage,
  JsonError,
  parseJson,
  stringifyJson,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import type { Conversion, WebhookClientConfig } from '@flotilla/schema';
import { answerError, isSuccess } from '../../webhooks/answer-error.ts';
import { checkParts, maxAnswerBytes } from '../../webhooks/answer-parts.ts';
import type { CallWebhook } from '../../webhooks/webhook-call.ts';
import { webhookTarget } from '../../webhooks/webhook-target.ts';
import type { Convert } from './convert.ts';
import {
  checkedObject,
  ConversionError,
  conversionRequest,
  convertedObjects,
  reviewVersionOf,
} from './conversion-review.ts';
import type { ResolveService } from '../../webhooks/resolve-service.ts';

export interface WebhookOptions {
  readonly call: CallWebhook;
  readonly resolveService: ResolveService;
  readonly uid: () => string;
  /** The most values that a large answer may have. */
  readonly maxAnswerParts: number;
}

/** The timeout of Kubernetes. */
const timeoutMs = 30_000;

/** The strategy `Webhook`: one call for all objects that are not in the wanted version. */
export function convertByWebhook({ webhook }: Conversion, options: WebhookOptions): Convert {
  const { clientConfig = {}, conversionReviewVersions = [] } = webhook ?? {};
  return (objects, apiVersion) => {
    const others = objects.filter((object) => object.apiVersion !== apiVersion);
    const [first] = others;
    if (!first) return objects;
    const about = `conversion webhook for ${first.apiVersion}, Kind=${first.kind}`;
    return callWebhook(clientConfig, conversionReviewVersions ?? [], others, apiVersion, options)
      .then((answers) => merged(objects, others, answers, apiVersion, about))
      .catch((error: unknown) => {
        if (error instanceof ConversionError) throw apiErrors.unknown(error.message, { cause: error });
        throw apiErrors.unknown(`${about} failed: ${errorMessage(error)}`, {
          cause: error,
        });
      });
  };
}

async function callWebhook(
  config: WebhookClientConfig,
  reviewVersions: readonly string[],
  objects: readonly KubeObject[],
  desiredApiVersion: string,
  { call, resolveService, uid, maxAnswerParts }: WebhookOptions,
): Promise<JsonValue[]> {
  const request = { version: reviewVersionOf(reviewVersions), uid: uid(), desiredApiVersion, objects };
  const body = Buffer.from(stringifyJson(conversionRequest(request)));
  const target = webhookTarget(config, timeoutMs / 1000, resolveService);
  const answer = await call({ ...target, body, timeoutMs, maxAnswerBytes });
  if (!isSuccess(answer)) throw new Error(answerError(answer).message);
  checkParts(answer.body, maxAnswerParts);
  return withPrefixedError(() => convertedObjects(parsed(answer.body), request));
}

/** Turns a ConversionError about the whole response into an Error, which gets the message prefix of a failed call. */
function withPrefixedError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConversionError) throw new Error(error.message, { cause: error });
    throw error;
  }
}

function parsed(bytes: Uint8Array): JsonValue {
  try {
    return parseJson(Buffer.from(bytes).toString('utf8')).value;
  } catch (error) {
    if (error instanceof JsonError)
      throw new Error(`couldn't get version/kind; json parse error: ${error.message}`, { cause: error });
    throw error;
  }
}

function merged(
  objects: readonly KubeObject[],
  sent: readonly KubeObject[],
  answers: readonly JsonValue[],
  apiVersion: string,
  about: string,
): KubeObject[] {
  if (answers.length !== sent.length) {
    throw new ConversionError(`${about} returned ${answers.length} objects, expected ${sent.length}`);
  }
  let next = 0;
  return objects.map((object) => {
    if (object.apiVersion === apiVersion) return object;
    const answer = answers[next++] ?? null;
    try {
      return checkedObject(object, answer, apiVersion);
    } catch (error) {
      if (error instanceof ConversionError)
        throw new ConversionError(`${about} returned ${error.message}`, { cause: error });
      throw error;
    }
  });
}
