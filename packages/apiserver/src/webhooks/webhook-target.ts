import { isOwnService } from './own-server.ts';
import type { ResolveService } from './resolve-service.ts';
import type { WebhookCall } from './webhook-call.ts';

/** How to reach a webhook, as configurations and definitions say it. */
export interface WebhookClientConfig {
  readonly url?: string | null;
  readonly service?: {
    readonly namespace?: string;
    readonly name?: string;
    readonly path?: string | null;
    readonly port?: number | null;
  } | null;
  /** In base64. */
  readonly caBundle?: string | null;
}

type Target = Pick<WebhookCall, 'url' | 'shownUrl' | 'authority' | 'address' | 'isOwnServer'>;

/** Kubernetes sends webhooks their timeout. */
export function webhookTarget(
  { url, service, caBundle }: WebhookClientConfig,
  timeoutSeconds: number,
  resolveService: ResolveService,
): Target {
  const authority = Buffer.from(caBundle ?? '', 'base64').toString('utf8');
  const trust = authority.trim() === '' ? {} : { authority };
  const { namespace = '', name = '' } = service ?? {};
  const port = service?.port ?? 443;
  const base = service ? `https://${name}.${namespace}.svc:${port}${service.path ?? ''}` : (url ?? '');
  const shownUrl = `${withPath(base)}?timeout=${timeoutSeconds}s`;
  const target = { url: new URL(shownUrl), shownUrl, ...trust };
  if (!service) return target;
  const reference = { namespace, name, port };
  return isOwnService(reference)
    ? { ...target, isOwnServer: true }
    : { ...target, address: () => resolveService(reference) };
}

function withPath(url: string): string {
  return url.indexOf('/', 'https://'.length) < 0 ? `${url}/` : url;
}
