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
import type { CallWebhook, WebhookCall } from '../../webhooks/webhook-call.ts';
import type { Convert } from './convert.ts';
import {
  checkedObject,
  ConversionError,
  conversionRequest,
  convertedObjects,
  reviewVersionOf,
} from './conversion-review.ts';
import type { ResolveService, ServiceReference } from '../../webhooks/resolve-service.ts';

export interface WebhookOptions {
  readonly call: CallWebhook;
  readonly resolveService: ResolveService;
  readonly uid: () => string;
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
  { call, resolveService, uid }: WebhookOptions,
): Promise<JsonValue[]> {
  const request = { version: reviewVersionOf(reviewVersions), uid: uid(), desiredApiVersion, objects };
  const body = Buffer.from(stringifyJson(conversionRequest(request)));
  const { status, body: answer } = await call({ ...targetOf(config, resolveService), body, timeoutMs });
  if (status < 200 || status > 299) throw new Error(statusMessage(status, answer));
  return withPrefixedError(() => convertedObjects(parsed(answer), request));
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

function targetOf(
  { url, service, caBundle }: WebhookClientConfig,
  resolveService: ResolveService,
): Omit<WebhookCall, 'body' | 'timeoutMs'> {
  const authority = Buffer.from(caBundle ?? '', 'base64').toString('utf8');
  const trust = authority.trim() === '' ? {} : { authority };
  const { namespace = '', name = '', path = '/', port = 443 } = service ?? {};
  // Kubernetes sends webhooks its timeout.
  const shownUrl = `${service ? `https://${name}.${namespace}.svc:${port}${path}` : url}?timeout=30s`;
  const target = { url: new URL(shownUrl), shownUrl, ...trust };
  return service ? { ...target, address: addressOf({ namespace, name, port }, shownUrl, resolveService) } : target;
}

function addressOf(
  service: ServiceReference,
  shownUrl: string,
  resolveService: ResolveService,
): NonNullable<WebhookCall['address']> {
  try {
    return resolveService(service);
  } catch (error) {
    const why = errorMessage(error);
    throw new Error(`Post ${JSON.stringify(shownUrl)}: ${why}`, { cause: error });
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

function statusMessage(status: number, body: Uint8Array): string {
  if (status === 404) return 'the server could not find the requested resource';
  const text = Buffer.from(body).toString('utf8').slice(0, 2048).trim() || 'unknown';
  return `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`;
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
