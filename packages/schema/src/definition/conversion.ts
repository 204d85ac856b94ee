import {
  dns1035LabelProblems,
  forbidden,
  invalid,
  required,
  validateWebhookClient,
  type FieldError,
} from '@flotilla/kube';
import { caBundleProblem } from './ca-bundle.ts';
import type { Conversion, WebhookClientConfig } from './custom-resource-definition.ts';
import { validateChoice } from './group-and-scope.ts';

interface ConversionRules {
  readonly knownReviewVersion: boolean;
  readonly validCaBundle: boolean;
}

/** Versions of ConversionReview that the server speaks. */
const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];

const PATH = 'spec.conversion';
const CLIENT = `${PATH}.webhookClientConfig`;
const REVIEWS = `${PATH}.conversionReviewVersions`;

export function validateConversion({ strategy, webhook }: Conversion, rules: ConversionRules): FieldError[] {
  const clientConfig = webhook?.clientConfig;
  const reviewVersions = webhook?.conversionReviewVersions ?? [];
  const errors = validateChoice(strategy, ['None', 'Webhook'], `${PATH}.strategy`);
  if (strategy === 'Webhook') {
    return [
      ...errors,
      ...validateClient(clientConfig, rules),
      ...validateReviewVersions(reviewVersions, rules.knownReviewVersion),
    ];
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (clientConfig !== undefined) errors.push(forbidden(CLIENT, detail));
  if (reviewVersions.length > 0) errors.push(forbidden(REVIEWS, detail));
  return errors;
}

export function speaksKnownReview(reviewVersions: readonly string[]): boolean {
  return reviewVersions.some((version) => REVIEW_VERSIONS.includes(version));
}

function validateClient(client: WebhookClientConfig | undefined, { validCaBundle }: ConversionRules): FieldError[] {
  if (client === undefined) return [required(CLIENT, 'required when strategy is set to Webhook')];
  const { caBundle = '' } = client;
  const problem = validCaBundle ? caBundleProblem(caBundle) : undefined;
  return [
    ...validateWebhookClient(client, CLIENT),
    ...(problem === undefined ? [] : [invalid(`${CLIENT}.caBundle`, caBundle, problem)]),
  ];
}

function validateReviewVersions(versions: readonly string[], mustBeKnown: boolean): FieldError[] {
  if (versions.length === 0) return [required(REVIEWS)];
  const seen = new Set<string>();
  const errors = versions.flatMap((version, i) => {
    const problems = seen.has(version) ? ['duplicate version'] : dns1035LabelProblems(version);
    seen.add(version);
    return problems.map((problem) => invalid(`${REVIEWS}[${i}]`, version, problem));
  });
  if (mustBeKnown && !speaksKnownReview(versions)) {
    errors.push(invalid(REVIEWS, [...versions], `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  }
  return errors;
}
