import type { Command } from 'commander';
import type { WebhookAddress } from '@flotilla/fleet';
import { UserError } from './user-error.ts';

export interface WebhookOptions {
  readonly webhookUrl?: string;
  readonly webhookService?: string;
  readonly webhookBindAddress?: string;
}

const defaultPort = 9443;

export function addWebhookOptions(command: Command): Command {
  return command
    .option('--webhook-url <url>', 'install webhooks that the API server reaches at this https URL')
    .option(
      '--webhook-service <namespace/name>',
      'install webhooks that it reaches by this Service, on port 443 or :PORT',
    )
    .option('--webhook-bind-address <address>', `address to serve webhooks on (default: ":${defaultPort}")`);
}

export interface WebhookSettings {
  readonly address: WebhookAddress;
  readonly bindAddress: string;
}

/** Undefined if no webhooks are wanted. */
export function webhookSettingsIn(options: WebhookOptions): WebhookSettings | undefined {
  const { webhookUrl, webhookService, webhookBindAddress: bindAddress = `:${defaultPort}` } = options;
  if (webhookUrl !== undefined && webhookService !== undefined) {
    throw new UserError('--webhook-url and --webhook-service exclude each other.');
  }
  if (webhookUrl !== undefined) return { address: { url: urlIn(webhookUrl) }, bindAddress };
  if (webhookService !== undefined) return { address: { service: serviceIn(webhookService) }, bindAddress };
  if (options.webhookBindAddress === undefined) return undefined;
  throw new UserError('--webhook-bind-address only applies with --webhook-url or --webhook-service.');
}

/** Without a slash at the end. */
function urlIn(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') throw new UserError(`--webhook-url ${text} is no https URL.`);
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new UserError(`--webhook-url ${text} must not have a user, a query or a fragment.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function serviceIn(text: string): { namespace: string; name: string; port: number } {
  const [, namespace, name, port = '443'] = /^([a-z0-9-]+)\/([a-z0-9-]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (namespace === undefined || name === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new UserError(`--webhook-service ${text} is no Service; write NAMESPACE/NAME or NAMESPACE/NAME:PORT.`);
  }
  return { namespace, name, port: Number(port) };
}
