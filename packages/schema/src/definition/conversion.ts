import { X509Certificate } from 'node:crypto';
import {
  dns1035LabelProblems,
  forbidden,
  invalid,
  required,
  validateWebhookClient,
  type FieldError,
} from '@flotilla/kube';
import type { Conversion, WebhookClientConfig } from './custom-resource-definition.ts';
import { validateChoice } from './names.ts';

interface ConversionRules {
  readonly knownReviewVersion: boolean;
  readonly validCaBundle: boolean;
}

/** Versions of ConversionReview that the server supports. */
const knownReviewVersions: readonly string[] = ['v1', 'v1beta1'];

const conversionPath = 'spec.conversion';
const clientConfigPath = `${conversionPath}.webhookClientConfig`;
const reviewVersionsPath = `${conversionPath}.conversionReviewVersions`;

export function validateConversion({ strategy, webhook }: Conversion, rules: ConversionRules): FieldError[] {
  const clientConfig = webhook?.clientConfig;
  const reviewVersions = webhook?.conversionReviewVersions ?? [];
  const errors = validateChoice(strategy, ['None', 'Webhook'], `${conversionPath}.strategy`);
  if (strategy === 'Webhook') {
    return [
      ...errors,
      ...validateClient(clientConfig, rules),
      ...validateReviewVersions(reviewVersions, rules.knownReviewVersion),
    ];
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (clientConfig !== undefined) errors.push(forbidden(clientConfigPath, detail));
  if (reviewVersions.length > 0) errors.push(forbidden(reviewVersionsPath, detail));
  return errors;
}

export function supportsKnownReview(reviewVersions: readonly string[]): boolean {
  return reviewVersions.some((version) => knownReviewVersions.includes(version));
}

function validateClient(client: WebhookClientConfig | undefined, { validCaBundle }: ConversionRules): FieldError[] {
  if (client === undefined) return [required(clientConfigPath, 'required when strategy is set to Webhook')];
  const { caBundle = '' } = client;
  const problem = validCaBundle ? caBundleProblem(caBundle) : undefined;
  return [
    ...validateWebhookClient(client, clientConfigPath),
    ...(problem === undefined ? [] : [invalid(`${clientConfigPath}.caBundle`, caBundle, problem)]),
  ];
}

function validateReviewVersions(versions: readonly string[], mustBeKnown: boolean): FieldError[] {
  if (versions.length === 0) return [required(reviewVersionsPath)];
  const seen = new Set<string>();
  const errors = versions.flatMap((version, i) => {
    const problems = seen.has(version) ? ['duplicate version'] : dns1035LabelProblems(version);
    seen.add(version);
    return problems.map((problem) => invalid(`${reviewVersionsPath}[${i}]`, version, problem));
  });
  if (mustBeKnown && !supportsKnownReview(versions)) {
    errors.push(
      invalid(reviewVersionsPath, [...versions], `must include at least one of ${knownReviewVersions.join(', ')}`),
    );
  }
  return errors;
}

/**
 * Undefined if Go can read a certificate authority from the base64-encoded PEM bundle, else the problem. One valid
 * certificate is enough.
 */
export function caBundleProblem(bundle: string): string | undefined {
  if (bundle === '') return undefined;
  const text = Buffer.from(bundle, 'base64').toString('latin1');
  const blocks = Array.from(text.matchAll(pemBlock), ([, type, body = '']) => ({ type, body }));
  const certificates = blocks.filter(({ type, body }) => type === 'CERTIFICATE' && !body.includes(':'));
  if (certificates.some(({ body }) => isCertificate(body))) return undefined;
  return `unable to load root certificates: ${noAuthorityReason(text, blocks.length, certificates.length)}`;
}

const pemBlock = /-----BEGIN ([^\n-]*)-----[ \t]*\r?\n([^-]*?)\r?\n?-----END \1-----/g;

function noAuthorityReason(text: string, blocks: number, certificates: number): string {
  if (certificates > 0) return 'failed to parse certificate: x509: malformed certificate';
  const isAllPem = blocks > 0 && text.trimEnd().endsWith('-----');
  return isAllPem ? 'no valid certificate authority data seen' : 'unable to parse bytes as PEM block';
}

function isCertificate(base64: string): boolean {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).serialNumber !== '';
  } catch {
    return false;
  }
}
