import {
  dns1035LabelProblems,
  duplicate,
  invalid,
  notSupported,
  required,
  validateFullyQualifiedName,
  validateLabelSelector,
  validateWebhookClient,
  type FieldError,
  type LabelSelectorObject,
  type WebhookClient,
} from '@flotilla/kube';
import { invalids, repeatsIn } from '../field-checks.ts';
import { sameFields } from '../same-fields.ts';
import { expressionChecker, type ExpressionContext } from './expression-errors.ts';
import { validateRule, type AdmissionRule } from './admission-rule.ts';
import { validateMatchConditions, type MatchCondition } from './match-resources.ts';

export interface Webhook {
  readonly name?: string;
  readonly clientConfig?: WebhookClient;
  readonly rules?: readonly AdmissionRule[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelectorObject;
  objectSelector?: LabelSelectorObject;
  readonly sideEffects?: string | null;
  timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[] | null;
  reinvocationPolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
}

/** Configurations that are older than a rule may be updated without following it. */
interface WebhookRules {
  readonly sideEffects: readonly string[];
  readonly wantsKnownReviewVersion: boolean;
  readonly wantsUniqueNames: boolean;
  readonly ignoresMatchConditions: boolean;
  readonly context: ExpressionContext;
}

const reviewVersions = ['v1', 'v1beta1'];
const harmlessSideEffects = ['None', 'NoneOnDryRun'];
const allSideEffects = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const failurePolicies = ['Fail', 'Ignore'];
const matchPolicies = ['Equivalent', 'Exact'];
const reinvocationPolicies = ['IfNeeded', 'Never'];

export function validateWebhooks(webhooks: readonly Webhook[], context: ExpressionContext): FieldError[] {
  return validateAll(webhooks, {
    sideEffects: harmlessSideEffects,
    wantsKnownReviewVersion: true,
    wantsUniqueNames: true,
    ignoresMatchConditions: false,
    context,
  });
}

export function validateWebhooksUpdate(
  webhooks: readonly Webhook[],
  before: readonly Webhook[],
  context: ExpressionContext,
): FieldError[] {
  const isHarmless = before.every(({ sideEffects }) => harmlessSideEffects.includes(sideEffects ?? ''));
  const conditions = (list: readonly Webhook[]) => list.map(({ matchConditions = [] }) => matchConditions);
  return validateAll(webhooks, {
    sideEffects: isHarmless ? harmlessSideEffects : allSideEffects,
    wantsKnownReviewVersion: before.every(({ admissionReviewVersions: versions }) => {
      return !versions?.length || hasKnownVersion(versions);
    }),
    wantsUniqueNames: new Set(before.map(({ name }) => name)).size === before.length,
    ignoresMatchConditions: webhooks.length === before.length && sameFields(conditions(webhooks), conditions(before)),
    context,
  });
}

function validateAll(webhooks: readonly Webhook[], rules: WebhookRules): FieldError[] {
  const names = webhooks.map(({ name = '' }) => name);
  const repeats = repeatsIn(names);
  return webhooks.flatMap((webhook, index) => {
    const path = `webhooks[${index}]`;
    const name = names[index] ?? '';
    const isRepeated = rules.wantsUniqueNames && name !== '' && repeats.has(index);
    return [
      ...validateWebhook(webhook, rules, path),
      ...validateReviewVersions(webhook, rules, `${path}.admissionReviewVersions`),
      ...(isRepeated ? [duplicate(`${path}.name`, name)] : []),
    ];
  });
}

function validateWebhook(webhook: Webhook, rules: WebhookRules, path: string): FieldError[] {
  return [
    ...validateFullyQualifiedName(`${path}.name`, webhook.name ?? ''),
    ...(webhook.rules ?? []).flatMap((rule, index) => validateRule(rule, `${path}.rules[${index}]`)),
    ...validateChoice(webhook.failurePolicy, failurePolicies, `${path}.failurePolicy`),
    ...validateChoice(webhook.matchPolicy, matchPolicies, `${path}.matchPolicy`),
    ...validateSideEffects(webhook, rules, `${path}.sideEffects`),
    ...validateTimeout(webhook, `${path}.timeoutSeconds`),
    ...validateLabelSelector(webhook.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(webhook.objectSelector, `${path}.objectSelector`),
    ...validateChoice(webhook.reinvocationPolicy, reinvocationPolicies, `${path}.reinvocationPolicy`),
    ...validateWebhookClient(webhook.clientConfig ?? {}, `${path}.clientConfig`),
    ...(rules.ignoresMatchConditions ? [] : validateConditions(webhook, rules.context, `${path}.matchConditions`)),
  ];
}

function validateConditions({ matchConditions = [] }: Webhook, context: ExpressionContext, path: string): FieldError[] {
  if (matchConditions.length === 0) return [];
  return validateMatchConditions(
    matchConditions,
    expressionChecker(context, { hasParams: false, hasVariables: false }),
    path,
  );
}

function validateChoice(value: string | undefined, choices: readonly string[], path: string): FieldError[] {
  return value === undefined || choices.includes(value) ? [] : [notSupported(path, value, choices)];
}

function validateSideEffects({ sideEffects }: Webhook, rules: WebhookRules, path: string): FieldError[] {
  if (sideEffects === undefined || sideEffects === null)
    return [required(path, `must specify one of ${rules.sideEffects.join(', ')}`)];
  return validateChoice(sideEffects, rules.sideEffects, path);
}

function validateTimeout({ timeoutSeconds = 10 }: Webhook, path: string): FieldError[] {
  if (timeoutSeconds >= 1 && timeoutSeconds <= 30) return [];
  return [invalid(path, timeoutSeconds, 'the timeout value must be between 1 and 30 seconds')];
}

function validateReviewVersions(webhook: Webhook, rules: WebhookRules, path: string): FieldError[] {
  const versions = webhook.admissionReviewVersions ?? [];
  if (versions.length === 0) return [required(path, `must specify one of ${reviewVersions.join(', ')}`)];
  const repeats = repeatsIn(versions);
  const errors = versions.flatMap((version, index) => {
    const field = `${path}[${index}]`;
    if (repeats.has(index)) return [invalid(field, version, 'duplicate version')];
    return invalids(field, version, dns1035LabelProblems(version));
  });
  if (!rules.wantsKnownReviewVersion || hasKnownVersion(versions)) return errors;
  return [...errors, invalid(path, [...versions], `must include at least one of ${reviewVersions.join(', ')}`)];
}

function hasKnownVersion(versions: readonly string[]): boolean {
  return versions.some((version) => reviewVersions.includes(version));
}
