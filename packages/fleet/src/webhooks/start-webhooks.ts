import { rotateCertificates } from '@flotilla/apiserver';
import type { Client } from '@flotilla/client';
import { decodeUtf8, JsonError, parseJson, stringifyJson, type JsonObject, type Logger } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import type { FleetCheck } from '../admission/fleet-check.ts';
import { fleetChecks, type FleetCheckSettings } from '../admission/fleet-checks.ts';
import { ensureFleetNamespace } from '../install-hub.ts';
import { installWebhooks } from './install-webhooks.ts';
import { answerReview, NotAReview, type ReviewContext } from './review.ts';
import { loadWebhookCertificate, type WebhookCertificate } from './webhook-certificates.ts';
import type { WebhookAddress } from './webhook-configurations.ts';
import { webhookReader } from './webhook-reader.ts';

/** The response to a request of the API server. */
export interface WebhookResponse {
  readonly status: number;
  readonly type: 'application/json' | 'text/plain';
  readonly body: string;
}

export type AnswerWebhook = (path: string, body: Uint8Array) => Promise<WebhookResponse>;

/** An HTTPS server. */
export interface WebhookListener {
  readonly setCertificate: (certificate: WebhookCertificate) => void;
  readonly close: () => Promise<void>;
}

export interface StartWebhooksOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where the API server reaches `listen`. */
  readonly address: WebhookAddress;
  /** The checks to serve. */
  readonly checks: FleetCheckSettings;
  readonly listen: (certificate: WebhookCertificate, answer: AnswerWebhook) => Promise<WebhookListener>;
}

export interface RunningWebhooks {
  /** The configurations stay: without them nothing would guard Works until the hub starts again. */
  readonly stop: () => Promise<void>;
}

/** Serves the fleet's checks as webhooks of another Kubernetes, and keeps their certificates and configurations up to date. */
export async function startWebhooks(options: StartWebhooksOptions): Promise<RunningWebhooks> {
  const { client, clock, logger, address } = options;
  const load = (): Promise<WebhookCertificate> => loadWebhookCertificate(client, clock, [hostOf(address)]);
  await ensureFleetNamespace(client);
  const [certificate, hubUser] = await Promise.all([load(), ownUser(client)]);
  const checks = fleetChecks(options.checks, hubUser);
  const answer = answerFor(checks, { find: webhookReader(client), hubUser, now: () => new Date(clock.now()) }, logger);
  const listener = await options.listen(certificate, answer);
  const install = ({ authority }: { readonly authority: string }): Promise<void> =>
    installWebhooks(client, { address, authority, hubUser, checks });
  try {
    await install(certificate);
  } catch (error) {
    await listener.close();
    throw error;
  }
  const stopRotation = rotateCertificates(withClients(certificate), {
    clock,
    current: async () => withClients(await load()),
    use: async (next) => {
      listener.setCertificate(next);
      await install(next);
    },
    failed: (error) => logger.error('webhook certificate not renewed, retrying', { error }),
  });
  logger.info('webhooks installed', { hubUser, host: hostOf(address) });
  return {
    stop: async () => {
      stopRotation();
      await listener.close();
    },
  };
}

/** Clients of the webhook need no certificate. */
function withClients(certificate: WebhookCertificate): WebhookCertificate & { readonly clientAuthority: string } {
  return { ...certificate, clientAuthority: '' };
}

export function hostOf(address: WebhookAddress): string {
  if ('url' in address) return new URL(address.url).hostname.replace(/^\[(.*)\]$/, '$1');
  return `${address.service.name}.${address.service.namespace}.svc`;
}

async function ownUser(client: Client): Promise<string> {
  const { body } = await client.request({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  });
  const review = parseJson(decodeUtf8(body)).value as { status?: { userInfo?: JsonObject } };
  const username = review.status?.userInfo?.['username'];
  if (typeof username !== 'string') throw new Error('the server did not say who the user of the hub is');
  return username;
}

function answerFor(checks: readonly FleetCheck[], context: ReviewContext, logger: Logger): AnswerWebhook {
  const checksByPath = new Map(checks.map((check) => [`/${check.webhook}`, check]));
  return async (path, body) => {
    const check = checksByPath.get(path);
    if (!check) return textResponse(404, 'not found');
    try {
      const review = await answerReview(check, parseJson(decodeUtf8(body)).value, context);
      return { status: 200, type: 'application/json', body: stringifyJson(review) };
    } catch (error) {
      if (error instanceof NotAReview || error instanceof JsonError) return textResponse(400, error.message);
      // The API server refuses the request, unless the check fails open.
      logger.error('webhook failed', { webhook: check.webhook, error });
      return textResponse(500, 'the check failed; the log of the hub says why');
    }
  };
}

function textResponse(status: number, body: string): WebhookResponse {
  return { status, type: 'text/plain', body: `${body}\n` };
}
