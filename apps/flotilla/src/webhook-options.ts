import { Option, type Command } from 'commander';
import type { WebhookAddress } from '@flotilla/fleet';
import { trimRight } from '@flotilla/kube';
import { booleanOption, type BooleanText } from './go-options.ts';
import { UserError } from './user-error.ts';

export interface WebhookOptions {
  readonly webhookUrl?: string;
  readonly webhookService?: string;
  readonly webhookBindAddress?: string;
  /** KubeFleet's; the hub is a pod behind a Service. */
  readonly enableWebhook?: BooleanText;
  readonly webhookClientConnectionType?: 'url' | 'service';
  readonly webhookServiceName?: string;
}

const defaultPort = 9443;
const defaultService = 'fleetwebhook';

export function addWebhookOptions(command: Command): Command {
  return command
    .option('--webhook-url <url>', 'install webhooks that the API server reaches at this https URL')
    .option(
      '--webhook-service <namespace/name>',
      'install webhooks that it reaches by this Service, on port 443 or :PORT',
    )
    .option('--webhook-bind-address <address>', `address to serve webhooks on (default: ":${defaultPort}")`)
    .addOption(booleanOption('--enable-webhook', 'install webhooks that it reaches by the Service of this pod'))
    .addOption(
      new Option('--webhook-client-connection-type <type>', 'how it reaches that Service (default: "url")').choices([
        'url',
        'service',
      ]),
    )
    .option('--webhook-service-name <name>', `name of that Service (default: "${defaultService}")`);
}

export interface WebhookSettings {
  readonly address: WebhookAddress;
  readonly bindAddress: string;
}

/** Undefined if no webhooks are wanted. `podNamespace` is known to a pod only. */
export function webhookSettingsIn(options: WebhookOptions, podNamespace?: string): WebhookSettings | undefined {
  const { webhookUrl, webhookService, webhookBindAddress: bindAddress = `:${defaultPort}` } = options;
  if (webhookUrl !== undefined && webhookService !== undefined) {
    throw new UserError('--webhook-url and --webhook-service exclude each other.');
  }
  if (options.enableWebhook === undefined && hasPodOption(options)) {
    throw new UserError(
      '--webhook-client-connection-type and --webhook-service-name only apply with --enable-webhook.',
    );
  }
  if (options.enableWebhook === 'false') {
    if (webhookUrl === undefined && webhookService === undefined) return undefined;
    throw new UserError('--enable-webhook=false excludes --webhook-url and --webhook-service.');
  }
  if (webhookUrl !== undefined) return { address: { url: urlIn(webhookUrl) }, bindAddress };
  if (webhookService !== undefined) return { address: { service: serviceIn(webhookService) }, bindAddress };
  if (options.enableWebhook === 'true') return { address: addressOfPod(options, podNamespace), bindAddress };
  if (options.webhookBindAddress === undefined) return undefined;
  throw new UserError('--webhook-bind-address only applies with --webhook-url, --webhook-service or --enable-webhook.');
}

function hasPodOption({ webhookClientConnectionType, webhookServiceName }: WebhookOptions): boolean {
  return webhookClientConnectionType !== undefined || webhookServiceName !== undefined;
}

/** Where KubeFleet's chart puts its hub agent. */
function addressOfPod(options: WebhookOptions, namespace: string | undefined): WebhookAddress {
  const { webhookClientConnectionType: type = 'url', webhookServiceName: name = defaultService } = options;
  if (namespace === undefined || namespace === '') {
    throw new UserError(
      '--enable-webhook needs the environment variable POD_NAMESPACE; elsewhere write --webhook-url or --webhook-service.',
    );
  }
  if (!/^[a-z0-9-]+$/.test(name)) throw new UserError(`--webhook-service-name "${name}" is not the name of a Service.`);
  const service = { namespace, name, port: defaultPort };
  return type === 'service' ? { service } : { url: `https://${name}.${namespace}.svc.cluster.local:${defaultPort}` };
}

/** Without a slash at the end. */
function urlIn(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') throw new UserError(`--webhook-url ${text} is no https URL.`);
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new UserError(`--webhook-url ${text} must not have a user, a query or a fragment.`);
  }
  return `${url.origin}${trimRight(url.pathname, '/')}`;
}

function serviceIn(text: string): { namespace: string; name: string; port: number } {
  const [, namespace, name, port = '443'] = /^([a-z0-9-]+)\/([a-z0-9-]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (namespace === undefined || name === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new UserError(`--webhook-service ${text} is no Service; write NAMESPACE/NAME or NAMESPACE/NAME:PORT.`);
  }
  return { namespace, name, port: Number(port) };
}
