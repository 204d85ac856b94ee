/** Validates where a webhook is: a URL, or a Service with a path. */
import { goUrlError } from '../go/url.ts';
import { dns1123SubdomainProblems } from '../names/dns.ts';
import { portNumberProblems } from '../names/identifier.ts';
import { invalid, required, type FieldError } from './field-error.ts';

export interface WebhookClient {
  readonly url?: string;
  readonly service?: WebhookService;
}

interface WebhookService {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  port?: number;
}

const form = '; desired format: https://host[/path]';

export function validateWebhookClient({ url, service }: WebhookClient, path: string): FieldError[] {
  if (url !== undefined && service === undefined) return validateUrl(url, `${path}.url`);
  if (service !== undefined && url === undefined) return validateService(service, `${path}.service`);
  return [required(path, 'exactly one of url or service is required')];
}

/** Follows Go's parser: a text without a scheme is a path without a host. */
function validateUrl(text: string, field: string): FieldError[] {
  const problem = goUrlError(text);
  if (problem !== undefined) return [required(field, `url must be a valid URL: ${problem}${form}`)];
  const { scheme, host, user, query, fragment } = urlParts(text);
  const errors: FieldError[] = [];
  if (scheme !== 'https') errors.push(invalid(field, scheme, `'https' is the only allowed URL scheme${form}`));
  if (host === '') errors.push(invalid(field, host, `host must be specified${form}`));
  if (user !== undefined) errors.push(invalid(field, user, 'user information is not permitted in the URL'));
  if (fragment !== '') errors.push(invalid(field, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(invalid(field, query, 'query parameters are not permitted in the URL'));
  return errors;
}

interface UrlParts {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly query: string;
  readonly fragment: string;
}

/** RFC 3986, appendix B. */
const urlPattern = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s;

function urlParts(text: string): UrlParts {
  const [, scheme = '', authority = '', query = '', fragment = ''] = urlPattern.exec(text) ?? [];
  const at = authority.lastIndexOf('@');
  const user = at === -1 ? undefined : authority.slice(0, at);
  return { scheme: scheme.toLowerCase(), user, host: authority.slice(at + 1), query, fragment };
}

function validateService({ name = '', namespace = '', path, port = 0 }: WebhookService, field: string): FieldError[] {
  const errors: FieldError[] = [];
  // Kubernetes swaps the two fields, so the order is that of its messages.
  if (namespace === '') errors.push(required(`${field}.name`));
  if (name === '') errors.push(required(`${field}.namespace`));
  const problems = portNumberProblems(port);
  if (problems.length > 0) errors.push(invalid(`${field}.port`, port, `port is not valid: ${problems.join(', ')}`));
  return path === undefined ? errors : [...errors, ...validatePath(path, `${field}.path`)];
}

function validatePath(path: string, field: string): FieldError[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return [invalid(field, path, 'segment[0] may not be empty')];
  const errors = path.startsWith('/') ? [] : [invalid(field, path, "must start with a '/'")];
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  return [
    ...errors,
    ...steps.flatMap((step, index) => stepProblems(step, index).map((one) => invalid(field, path, one))),
  ];
}

function stepProblems(step: string, index: number): string[] {
  if (step === '') return [`segment[${index}] may not be empty`];
  return dns1123SubdomainProblems(step).map((problem) => `segment[${index}]: ${problem}`);
}
